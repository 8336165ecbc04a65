"""What was computed, line by line, so that a search that is killed goes on where it was."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from laconic.errors import InputError
from laconic.jsonlines import append, whole_lines

Decoded = TypeVar("Decoded")


def key(*parts: Any) -> str:
    """The name of a result: a digest of everything it depends on."""
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:32]


class Journal:
    """A dictionary of JSON values, each on the disk before ``put`` returns. Without a path it only remembers.

    One process writes. A last line that was cut off in the middle is dropped, and so is any other that is no JSON:
    what it held is computed again.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._known: dict[str, Any] = {}
        self._lines: dict[str, int] = {}
        for number, line in enumerate(whole_lines(path) if path is not None else (), start=1):
            with suppress(ValueError, KeyError, TypeError):
                entry = json.loads(line)
                self._known[entry["key"]] = entry["value"]
                self._lines[entry["key"]] = number

    def __len__(self) -> int:
        return len(self._known)

    def __contains__(self, name: str) -> bool:
        return name in self._known

    def __getitem__(self, name: str) -> Any:
        return self._known[name]

    def decoded(self, name: str, decode: Callable[[Any], Decoded]) -> Decoded:
        """The value as ``decode`` reads it. InputError with file and line where it is not what ``decode`` expects: a
        file that something else wrote, or that was edited."""
        value = self._known[name]
        try:
            return decode(value)
        except (ValueError, KeyError, TypeError, IndexError, AttributeError) as error:
            raise InputError(
                f"not a result of this search: {json.dumps(value)[:60]}. Remove the line to have it computed again",
                "" if self._path is None else str(self._path),
                self._lines.get(name, 0),
            ) from error

    def put(self, name: str, value: Any) -> None:
        self._known[name] = value
        if self._path is not None:
            append(self._path, {"key": name, "value": value})

    def beside(self, suffix: str) -> Path | None:
        """A file next to the journal, for what is too large for a line."""
        return None if self._path is None else self._path.with_name(self._path.name + suffix)
