"""Documents as columns, and the files they come from and go to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from laconic.exports import on_first_use

if TYPE_CHECKING:
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

__getattr__, __dir__ = on_first_use(
    __name__,
    {
        "laconic.corpus.doc": "Doc SentenceSequence",
        "laconic.corpus.reading": "check read stream",
        "laconic.corpus.sentence": "EmptyNode MultiwordToken Sentence Token",
        "laconic.corpus.writing": "write",
    },
)
