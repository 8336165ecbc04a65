"""Words in a row: a part of a document, perhaps with a label."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, cast, overload

import numpy as np
from numpy.typing import NDArray

from laconic._core import corpus as core
from laconic.corpus.token import Token
from laconic.errors import InputError

if TYPE_CHECKING:
    from laconic.corpus.doc import Doc


class Span(Sequence[Token]):
    """The words ``begin`` to ``stop``, not included, of a document: a sequence of its tokens. It has no data of its
    own. Two spans are equal if they are of one kind and cover the same words of the same document."""

    __slots__ = ("begin", "doc", "stop")

    def __init__(self, doc: Doc, begin: int, stop: int) -> None:
        self.doc = doc
        self.begin = begin
        self.stop = stop

    def __len__(self) -> int:
        return self.stop - self.begin

    @overload
    def __getitem__(self, index: int) -> Token: ...
    @overload
    def __getitem__(self, index: slice) -> Span: ...
    def __getitem__(self, index: int | slice) -> Token | Span:
        return part_of(self.doc, range(self.begin, self.stop), index)

    def __iter__(self) -> Iterator[Token]:
        return iter(self.tokens)

    def __contains__(self, item: object) -> bool:
        return isinstance(item, Token) and item.doc is self.doc and self.begin <= item.index < self.stop

    def _key(self) -> tuple[Any, ...]:
        return type(self), id(self.doc), self.begin, self.stop

    def __eq__(self, other: object) -> bool:
        return self._key() == other._key() if isinstance(other, Span) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key())

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.doc, self.begin, self.stop)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.begin}:{self.stop} {self.text!r}>"

    def __str__(self) -> str:
        return self.text

    @property
    def tokens(self) -> list[Token]:
        """The syntactic words."""
        return cast(list[Token], core.words(Token, self.doc, self.begin, self.stop))

    @property
    def words(self) -> list[str]:
        """Their forms."""
        return self.strings("form")

    def strings(self, field: str) -> list[str]:
        """One field of all words."""
        return self.doc.columns.strings(field, self.begin, self.stop)

    @property
    def heads(self) -> NDArray[np.int32]:
        """Their heads: a view, so that writing to it writes to the document."""
        return self.doc.heads[self.begin : self.stop]

    @property
    def text(self) -> str:
        """Their part of the running text. Linear in the sentences that they are in."""
        return self.doc.columns.text_between(self.begin, self.stop)

    @property
    def lemma(self) -> str:
        """Their lemmas, joined by spaces."""
        return " ".join(self.strings("lemma"))

    @property
    def start(self) -> int:
        """Offset of the first word in ``doc.text``; -1 where it is not known."""
        return int(self.doc.starts[self.begin]) if len(self) else -1

    @property
    def end(self) -> int:
        """Offset behind the last word in ``doc.text``; -1 where it is not known."""
        return int(self.doc.ends[self.stop - 1]) if len(self) else -1

    @property
    def root(self) -> Token:
        """Of the words whose head is not among them, the one nearest to the root of its tree, and of several the first.
        InputError where the words have no heads."""
        tops = [token for token in self if not (token.head_index > 0 and token.head in self)]
        if not tops or any(token.head_index < 0 for token in tops):
            raise InputError(f"{self!r} has no root: its words have no heads" if len(self) else "no words, no root")
        return min(tops, key=lambda token: len(token.ancestors)) if len(tops) > 1 else tops[0]


class Entity(Span):
    """A named entity: words and their ``label``."""

    __slots__ = ("label",)

    def __init__(self, doc: Doc, begin: int, stop: int, label: str) -> None:
        super().__init__(doc, begin, stop)
        self.label = label

    def _key(self) -> tuple[Any, ...]:
        return (*super()._key(), self.label)

    def __reduce__(self) -> tuple[Any, ...]:
        return Entity, (self.doc, self.begin, self.stop, self.label)

    def __repr__(self) -> str:
        return f"<Entity {self.label} {self.text!r}>"


def part_of(doc: Doc, words: range, index: int | slice) -> Token | Span:
    """What an index or a slice means among these words of a document."""
    found = words[index]
    if not isinstance(found, range):
        return Token(doc, found)
    if found.step != 1:
        raise ValueError("a span is words in a row: slice without a step")
    return Span(doc, found.start, max(found.start, found.stop))
