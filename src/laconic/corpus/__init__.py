"""Documents as columns, and the files they come from and go to."""

from __future__ import annotations

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
