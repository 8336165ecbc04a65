"""Texts as they are given: strings or bytes, and strings that must not be split."""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any, Literal

from laconic._core.text import Exceptions
from laconic.corpus import Doc
from laconic.errors import ConfigError, InputError

__all__ = ["Exceptions", "Flat", "Surrogates", "encoded", "in_pieces", "read_exceptions", "worded"]

Surrogates = Literal["error", "replace"]
Flat = Literal["error", "sentence", "split"]
"""What a flat list of words is."""
_REPLACE = "laconic.replace"


def _one_mark_each(error: UnicodeError) -> tuple[bytes, int]:
    """U+FFFD for each lone surrogate, so that offsets stay what they were."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "\ufffd".encode() * (error.end - error.start), error.end


codecs.register_error(_REPLACE, _one_mark_each)


@dataclass(frozen=True)
class Before:
    """What stands before a piece of a text, so that errors tell their place in the whole."""

    characters: int = 0
    lines: int = 0
    """Line ends."""
    column: int = 0
    """Characters since the last of them."""

    def __add__(self, text: str) -> Before:
        lines, at = text.count("\n"), text.rfind("\n")
        column = len(text) - at - 1 if lines else self.column + len(text)
        return Before(self.characters + len(text), self.lines + lines, column)


START = Before()


def encoded(text: str | bytes, surrogates: Surrogates = "error", file: str = "", before: Before = START) -> bytes:
    """The text in UTF-8. InputError with its place where a string has a lone surrogate or bytes are not UTF-8; or
    U+FFFD there, if asked to replace."""
    if surrogates not in ("error", "replace"):
        raise ValueError(f"surrogates must be error or replace, not {surrogates!r}")
    if isinstance(text, str):
        try:
            return text.encode("utf-8", _REPLACE if surrogates == "replace" else "strict")
        except UnicodeEncodeError as error:
            found = before + text[: error.start]
            raise InputError(
                f"character {found.characters} is a lone surrogate, U+{ord(text[error.start]):04X}, which is no "
                'character: repair the text, or ask for surrogates="replace"',
                file,
                found.lines + 1,
                found.column + 1,
            ) from None
    try:
        text.decode("utf-8")
    except UnicodeDecodeError as error:
        if surrogates == "replace":
            return text.decode("utf-8", "replace").encode()
        found = before + text[: error.start].decode("utf-8")
        raise InputError(f"byte {error.start} is not UTF-8", file, found.lines + 1, found.column + 1) from None
    return text


def in_pieces(source: str | bytes | Iterable[str], characters: int, surrogates: Surrogates) -> Iterator[bytes]:
    """A text, given whole or in pieces, in UTF-8 and pieces of at most so many characters."""
    if isinstance(source, bytes):
        source = encoded(source, surrogates).decode()
    before = START
    for given in (source,) if isinstance(source, str) else source:
        for at in range(0, len(given), characters):
            piece = given[at : at + characters]
            yield encoded(piece, surrogates, before=before)
            before += piece


def worded(rows: list[Any], flat: Flat, split: Callable[[list[str]], Doc]) -> Doc:
    """Given words as a document: a list of lists as it is, a flat list as ``flat`` says. InputError for a flat list
    that may be either, ConfigError for a list of lists that is said to be flat."""
    if rows and all(isinstance(row, str) for row in rows):
        if flat == "split":
            return split(rows)
        if flat == "sentence":
            return Doc.from_words([rows])
        raise InputError(
            "a flat list of words: is it one sentence or many? For one sentence write "
            '[["The", "dog", "barks"]], with two pairs of brackets, or flat="sentence"; '
            'to have sentences found in it write flat="split"'
        )
    if flat != "error" and rows:
        raise ConfigError("flat says what a flat list of words is: here sentences are given")
    return Doc.from_words(rows)


def read_exceptions(path: str | PathLike[str]) -> Exceptions:
    """Strings never split, from a file in UTF-8 with one a line. Blank lines are skipped."""
    raw = Path(path).read_bytes().removeprefix(b"\xef\xbb\xbf")
    lines = encoded(raw, file=str(path)).decode().split("\n")
    return Exceptions([line.strip() for line in lines if line.strip()])
