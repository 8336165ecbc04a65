"""From documents to files."""

from __future__ import annotations

from collections.abc import Iterable

from laconic.corpus.doc import Doc
from laconic.corpus.files import Source, opened_to_write
from laconic.corpus.registry import find


def write(docs: Doc | Iterable[Doc], target: Source, format: str | None = None) -> None:
    """Writes a document, or one after another, to a path, ``-`` (standard output) or an open binary file.

    A path ending in ``.gz`` is packed. A path is replaced only when all was written. Documents that were read are
    written back byte for byte; one that lacked its last blank line gets it if another follows.
    """
    render = find(format or "conllu").render
    with opened_to_write(target) as file:
        tail = b"\n\n"
        for doc in [docs] if isinstance(docs, Doc) else docs:
            data = render(doc.columns)
            if not data:
                continue
            if tail and not tail.endswith((b"\n\n", b"\n\r\n")):
                file.write(b"\n" if tail.endswith(b"\n") else b"\n\n")
            file.write(data)
            tail = data[-3:]
