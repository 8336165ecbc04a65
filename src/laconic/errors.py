"""What laconic raises. Every error that a user can cause is a LaconicError with a message to act on."""

from __future__ import annotations

from collections.abc import Iterable

LONGEST_NAME = 100
"""Characters of a mistaken name that are compared with the names that exist."""


class LaconicError(Exception):
    """Base of all errors of this package."""


class InputError(LaconicError, ValueError):
    """Bad input, with the place it was found: ``file``, ``line`` and ``column`` (from 1; 0 means not known)."""

    def __init__(self, reason: str, file: str = "", line: int = 0, column: int = 0) -> None:
        super().__init__(reason, file, line, column)
        self.reason = reason
        self.file = file
        self.line = line
        self.column = column

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.file, self.line, self.column) if part)
        return f"{place}: {self.reason}" if place else self.reason


class ModelError(LaconicError):
    """A model file that cannot be used: damaged, truncated, foreign or of another version."""


class ConfigError(LaconicError, ValueError):
    """A setting that does not exist or has a value that cannot work."""


class MissingColumnsWarning(UserWarning):
    """A component reads columns of a document that nothing has filled."""


def nearest(name: str, known: Iterable[str], cutoff: float = 0.6) -> str | None:
    """The name that someone who wrote ``name`` probably meant; None where no name is like it."""
    from difflib import get_close_matches  # only where something went wrong: importing laconic stays cheap

    plain = {one.lower(): one for one in known}
    found = get_close_matches(name[:LONGEST_NAME].lower(), plain, n=1, cutoff=cutoff)
    return plain[found[0]] if found else None


def choices(name: str, known: Iterable[str]) -> str:
    """For a message about a name that does not exist, those that do: ``full, fast; did you mean fast?``."""
    names = list(known)
    meant = nearest(name, names)
    return ", ".join(names) + (f"; did you mean {meant}?" if meant else "")
