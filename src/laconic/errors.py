"""What laconic raises. Every error that a user can cause is a LaconicError with a message to act on."""

from __future__ import annotations


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
