"""How much a client may ask for."""

from __future__ import annotations

from dataclasses import dataclass, fields

from laconic.errors import ConfigError


@dataclass(frozen=True)
class Limits:
    """Beyond these a client is told so: 413 for size, 408 for time, 503 for too many at once."""

    bytes: int = 1_000_000
    """Of a request's body."""
    words: int = 50_000
    """Of a document."""
    drawn: int = 2_000
    """Words of which pictures are made, and of a sentence that is explained."""
    seconds: float = 20.0
    """From the first byte of a request, of its headers, to its answer."""
    queue: int = 32
    """Requests that wait; and ``threads`` are worked on."""
    threads: int = 2
    connections: int = 256
    """Open at the same time, idle ones included."""

    def __post_init__(self) -> None:
        for one in fields(self):
            least = 0 if one.name == "queue" else 1 if one.name != "seconds" else 0.001
            if not getattr(self, one.name) >= least:
                raise ConfigError(f"{one.name} must be at least {least}, not {getattr(self, one.name)}")


class Refused(Exception):
    """A request that cannot be served: an HTTP status, and what to tell the client."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status, self.message = status, message
