"""A word of a document."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from laconic._core.corpus import WordView
from laconic.corpus.column_entries import ColumnEntries, as_column

if TYPE_CHECKING:
    from laconic.corpus.doc import Doc
    from laconic.corpus.sentence import Sentence
    from laconic.corpus.span import Entity

WRITABLE = ("lemma", "upos", "xpos", "feats", "head", "head_index", "deprel", "deps", "misc")
_FIXED = "it is read-only, since text and offsets follow from it (doc.set_codes writes whole columns)"
READ_ONLY = {"form": _FIXED, "text": _FIXED}


class Token(WordView):
    """One syntactic word of a document, by its place among all words there: ``Token(doc, 3)`` is ``doc[3]``.

    Fields are looked up when asked for. Two tokens are equal if they are the same word of the same document. Assigning
    to a field writes the document: InputError, which names sentence and word, where a string cannot stand in a column
    or a head is not in the sentence; RuntimeError while another thread is at the document.
    """

    __slots__ = ()

    if TYPE_CHECKING:  # a type checker knows from the properties what can be assigned to

        @property
        def doc(self) -> Doc: ...

    else:

        def __setattr__(self, name: str, value: object) -> None:
            if name not in WRITABLE:
                known = hasattr(self, name)
                reason = READ_ONLY.get(name, "it is read-only") if known else "there is no such attribute"
                raise AttributeError(f"cannot set {name} of a token: {reason}; these can be set: {', '.join(WRITABLE)}")
            super().__setattr__(name, value)

    def __reduce__(self) -> tuple[type[Token], tuple[Doc, int]]:
        return Token, (self.doc, self.index)

    def __repr__(self) -> str:
        return f"<Token {self.id} {self.form!r}>"

    def __str__(self) -> str:
        return self.form

    @property
    def feats(self) -> ColumnEntries:
        """Morphological features as a mapping: ``token.feats["Case"]``; ``str(token.feats)`` is the column."""
        return ColumnEntries(self.doc, self.index, "feats")

    @feats.setter
    def feats(self, value: str | Mapping[str, str]) -> None:
        self.doc.columns.set_string("feats", self.index, as_column("feats", value))

    @property
    def misc(self) -> ColumnEntries:
        """All else as a mapping, such as ``SpaceAfter=No`` and ``NER=B-PER``; ``str(token.misc)`` is the column."""
        return ColumnEntries(self.doc, self.index, "misc")

    @misc.setter
    def misc(self, value: str | Mapping[str, str]) -> None:
        """Text and offsets follow where SpaceAfter and its like change; linear in the document then."""
        self.doc.columns.set_string("misc", self.index, as_column("misc", value))

    @property
    def sentence(self) -> Sentence:
        """The sentence it is in."""
        return self.doc.sentences[self.doc.columns.sentence_of(self.index)]

    @property
    def entity(self) -> Entity | None:
        """The named entity it is part of. Linear in the sentence."""
        found = self.doc.columns.entity_at(self.index)
        return None if found is None else self.doc._labelled(*found)
