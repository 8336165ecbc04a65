"""Documents as columns, and the files they come from and go to."""

from __future__ import annotations

from laconic.corpus.doc import Doc, SentenceSequence
from laconic.corpus.reading import check, read, stream
from laconic.corpus.sentence import EmptyNode, MultiwordToken, Sentence, Token
from laconic.corpus.writing import write

__all__ = [
    "Doc",
    "EmptyNode",
    "MultiwordToken",
    "Sentence",
    "SentenceSequence",
    "Token",
    "check",
    "read",
    "stream",
    "write",
]
