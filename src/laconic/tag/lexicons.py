"""User lexicons: what a word may be and what its lemma is, said by the user in a plain file.

One entry a line: form, UPOS, XPOS, FEATS and lemma, separated by tabs; later columns may be left out, and an empty one
leaves its value open. Several lines for one form are alternatives. Lines that start with ``# `` and empty lines say
nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from os import PathLike
from pathlib import Path

from laconic.corpus.doc import fits_a_column
from laconic.errors import InputError

NAMES = ("form", "upos", "xpos", "feats", "lemma")


@dataclass(frozen=True)
class Entry:
    """The user's word on a form; empty values are left open."""

    form: str
    upos: str = ""
    xpos: str = ""
    feats: str = ""
    lemma: str = ""
    file: str = ""
    line: int = 0

    def __post_init__(self) -> None:
        for name in NAMES:
            value = getattr(self, name)
            if value and not fits_a_column(value):
                raise InputError(f"no column can hold the {name} {value!r} of a lexicon entry", self.file, self.line)

    def error(self, reason: str, field: str) -> InputError:
        """An error about one value of the entry, at its place."""
        before = [getattr(self, name) for name in NAMES[: NAMES.index(field)]]
        return InputError(reason, self.file, self.line, sum(len(value) + 1 for value in before) + 1)


def read_lexicon(path: str | PathLike[str]) -> list[Entry]:
    """The entries of a file in UTF-8; InputError, with the place, on any fault. Linear."""
    raw = Path(path).read_bytes()
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = raw[: error.start]
        column = error.start - (before.rfind(b"\n") + 1) + 1
        raise InputError("expected UTF-8", str(path), before.count(b"\n") + 1, column) from None
    return parse_lexicon(text.split("\n"), str(path))


def parse_lexicon(lines: Iterable[str], name: str = "") -> list[Entry]:
    """The entries in some lines of text."""
    entries = []
    for number, line in enumerate(lines, 1):
        row = line.removesuffix("\r")
        if not row or row.startswith("# "):
            continue
        values = row.split("\t")
        if len(values) > len(NAMES):
            column = len("\t".join(values[: len(NAMES)])) + 1
            raise InputError(
                f"expected at most {len(NAMES)} columns ({', '.join(NAMES)}), found {len(values)}", name, number, column
            )
        form, upos, xpos, feats, lemma = values + [""] * (len(NAMES) - len(values))
        entry = Entry(form, upos, xpos, feats, lemma, name, number)
        if not entry.form:
            raise InputError("an entry needs a form", name, number, 1)
        if not any(values[1:]):
            raise InputError("an entry says at least one of upos, xpos, feats and lemma", name, number, len(row) + 1)
        for field in NAMES[1:]:
            if getattr(entry, field).strip(" ") != getattr(entry, field):
                raise entry.error(f"{field} begins or ends with a space", field)
        entries.append(entry)
    return entries
