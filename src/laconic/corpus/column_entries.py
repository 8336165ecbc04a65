"""FEATS and MISC of a word as mappings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, MutableMapping
from typing import TYPE_CHECKING, Any, Literal

from laconic.errors import InputError

if TYPE_CHECKING:
    from laconic.corpus.doc import Doc

NOTHING = "_"


class ColumnEntries(MutableMapping[str, str]):
    """The entries ``Key=Value`` of a column, in their order. ``str`` gives the column, ``_`` where it is empty; it is
    equal to a mapping with the same entries, and to a string that is the column. Writing here writes the document.

    An entry without ``=`` has the value ``""``. Of a key that stands there twice the first counts; writing or deleting
    it drops the others. New features go where the alphabet has them, other entries to the end. Every question reads the
    column anew, so that a mapping that was kept stays true.
    """

    __slots__ = ("_doc", "_field", "_word")

    def __init__(self, doc: Doc, word: int, field: Literal["feats", "misc"]) -> None:
        self._doc, self._word, self._field = doc, word, field

    def __str__(self) -> str:
        return self._doc.columns.strings(self._field, self._word, self._word + 1)[0]

    def __repr__(self) -> str:
        return f"<{self._field.upper()} {self}>"

    def __eq__(self, other: object) -> bool:
        if isinstance(other, str):
            return str(self) == other
        return dict(self) == dict(other) if isinstance(other, Mapping) else NotImplemented

    __hash__ = None  # type: ignore[assignment]  # documents can be written to

    def _pairs(self) -> list[tuple[str, str, str]]:
        """(key, "=" or nothing, value) of each entry."""
        column = str(self)
        return [] if column == NOTHING else [entry.partition("=") for entry in column.split("|")]

    def __getitem__(self, key: str) -> str:
        found = self._doc.columns.entry(self._field, self._word, key)
        if found is None:
            raise KeyError(key)
        return found

    def get(self, key: str, default: Any = None) -> Any:
        """The value, or ``default`` where there is no such entry."""
        found = self._doc.columns.entry(self._field, self._word, key)
        return default if found is None else found

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys(name for name, _, _ in self._pairs()))

    def __len__(self) -> int:
        return len({name for name, _, _ in self._pairs()})

    def __setitem__(self, key: str, value: str) -> None:
        entry = checked_entry(self._field, key, value)
        pairs = self._pairs()
        names = [name for name, _, _ in pairs]
        if key in names:
            place = names.index(key)
        elif self._field == "feats":
            place = sum(name.lower() < key.lower() for name in names)
        else:
            place = len(names)
        kept = [("".join(pair), number) for number, pair in enumerate(pairs) if pair[0] != key]
        before = [text for text, number in kept if number < place]
        after = [text for text, number in kept if number >= place]
        self._write([*before, entry, *after])

    def __delitem__(self, key: str) -> None:
        pairs = self._pairs()
        kept = ["".join(pair) for pair in pairs if pair[0] != key]
        if len(kept) == len(pairs):
            raise KeyError(key)
        self._write(kept)

    def _write(self, entries: list[str]) -> None:
        self._doc.columns.set_string(self._field, self._word, "|".join(entries) or NOTHING)


def as_column(field: Literal["feats", "misc"], value: str | Mapping[str, str]) -> str:
    """What stands in the column for a string, as it is, or for a mapping."""
    if not isinstance(value, Mapping):
        return value
    if isinstance(value, ColumnEntries):
        return str(value)
    names = sorted(value, key=str.lower) if field == "feats" else list(value)
    return "|".join(checked_entry(field, name, value[name]) for name in names) or NOTHING


def checked_entry(field: str, key: str, value: str) -> str:
    """``key=value``. InputError for what would not be read back as one entry."""
    for what, text in (("key", key), ("value", value)):
        if not isinstance(text, str):
            raise TypeError(f"the {what} of an entry of {field.upper()} is a string, not {text!r}")
        if "|" in text or (what == "key" and ("=" in text or not text)):
            raise InputError(f"{text!r} cannot be the {what} of an entry of {field.upper()}")
    if not value and field == "feats":
        raise InputError(f"the feature {key} needs a value: delete it to have none")
    if not value and key == NOTHING:
        raise InputError("_ alone is no entry")
    return f"{key}={value}" if value else key
