"""What a writer takes: a document, or a part of one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from laconic.corpus import Doc
from laconic.corpus.writing import text_between


@dataclass(frozen=True)
class DocumentPart:
    """A document on its way into a file, or the next part of one that comes in several."""

    doc: Doc
    opens: bool = True
    """A document begins with it."""
    begin: int = 0
    """Characters of the document before it."""
    body: Iterable[bytes] = ()
    """What a writer made of it."""


def parts_of(docs: Iterable[Doc]) -> Iterator[DocumentPart]:
    """A treebank that comes in several documents, none of them empty, as the parts of one."""
    before: Doc | None = None
    begin = 0
    for doc in docs:
        if before is not None:
            begin += len(before.text) + len(text_between(before, doc))
        yield DocumentPart(doc, before is None, begin)
        before = doc
