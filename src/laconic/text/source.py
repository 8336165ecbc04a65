"""Texts as they are given: strings or bytes, and strings that must not be split."""

from __future__ import annotations

import codecs
from os import PathLike
from pathlib import Path
from typing import Literal

from laconic._core.text import Exceptions
from laconic.errors import InputError

__all__ = ["Exceptions", "Surrogates", "encoded", "read_exceptions"]

Surrogates = Literal["error", "replace"]
_REPLACE = "laconic.replace"


def _one_mark_each(error: UnicodeError) -> tuple[bytes, int]:
    """U+FFFD for each lone surrogate, so that offsets stay what they were."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "\ufffd".encode() * (error.end - error.start), error.end


codecs.register_error(_REPLACE, _one_mark_each)


def encoded(text: str | bytes, surrogates: Surrogates = "error", file: str = "") -> bytes:
    """The text in UTF-8. InputError with its place where a string has a lone surrogate or bytes are not UTF-8; or
    U+FFFD there, if asked to replace."""
    if surrogates not in ("error", "replace"):
        raise ValueError(f"surrogates must be error or replace, not {surrogates!r}")
    if isinstance(text, str):
        try:
            return text.encode("utf-8", _REPLACE if surrogates == "replace" else "strict")
        except UnicodeEncodeError as error:
            line, column = _place(text, error.start)
            raise InputError(
                f"character {error.start} is a lone surrogate, U+{ord(text[error.start]):04X}, which is no character: "
                'repair the text, or ask for surrogates="replace"',
                file,
                line,
                column,
            ) from None
    try:
        text.decode("utf-8")
    except UnicodeDecodeError as error:
        if surrogates == "replace":
            return text.decode("utf-8", "replace").encode()
        line, column = _place(text[: error.start].decode("utf-8"), None)
        raise InputError(f"byte {error.start} is not UTF-8", file, line, column) from None
    return text


def _place(text: str, at: int | None) -> tuple[int, int]:
    """Line and column of a character, from 1."""
    before = text if at is None else text[:at]
    return before.count("\n") + 1, len(before) - before.rfind("\n")


def read_exceptions(path: str | PathLike[str]) -> Exceptions:
    """Strings never split, from a file in UTF-8 with one a line. Blank lines are skipped."""
    raw = Path(path).read_bytes().removeprefix(b"\xef\xbb\xbf")
    lines = encoded(raw, file=str(path)).decode().split("\n")
    return Exceptions([line.strip() for line in lines if line.strip()])
