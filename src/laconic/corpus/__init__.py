"""Documents as columns, and the files they come from and go to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from laconic.exports import on_first_use

if TYPE_CHECKING:
    from laconic.corpus.doc import Doc, SentenceSequence
    from laconic.corpus.reading import check, read, stream
    from laconic.corpus.sentence import EmptyNode, MultiwordToken, Sentence
    from laconic.corpus.span import Entity, Span
    from laconic.corpus.token import Token
    from laconic.corpus.writing import write

__all__ = [
    "Doc",
    "EmptyNode",
    "Entity",
    "MultiwordToken",
    "Sentence",
    "SentenceSequence",
    "Span",
    "Token",
    "check",
    "read",
    "stream",
    "write",
]

__getattr__, __dir__ = on_first_use(
    __name__,
    {
        "laconic.corpus.doc": "Doc SentenceSequence",
        "laconic.corpus.reading": "check read stream",
        "laconic.corpus.sentence": "EmptyNode MultiwordToken Sentence",
        "laconic.corpus.span": "Entity Span",
        "laconic.corpus.token": "Token",
        "laconic.corpus.writing": "write",
    },
)
