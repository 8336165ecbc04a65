"""What a writer takes: a document, or a part of one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from laconic.corpus import Doc


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
