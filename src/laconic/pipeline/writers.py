"""What a document can be written as: the views of ``laconic.interop``, and CoNLL-U as bytes, without a detour."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from laconic.corpus import Doc
from laconic.interop import writers as interop


@dataclass(frozen=True)
class Writer:
    """How documents become a file: ``head``, what ``render`` makes of each with ``between`` between them, ``tail``."""

    suffix: str
    render: Callable[..., Iterator[str] | Iterator[bytes]]
    head: str = ""
    between: str = ""
    tail: str = ""
    located: bool = False
    """Does it tell character offsets? Then ``render`` also takes the offset of the document's first character."""

    def rendered(self, doc: Doc, begin: int = 0) -> bytes:
        """The document alone, in UTF-8. ``begin``: where it starts in a document that comes in pieces."""
        parts = self.render(doc, begin) if self.located else self.render(doc)
        return b"".join(part if isinstance(part, bytes) else part.encode() for part in parts)

    def file(self, docs: Iterator[bytes]) -> Iterator[bytes]:
        """A whole file of rendered documents."""
        yield self.head.encode()
        first = True
        for data in docs:
            if not first:
                yield self.between.encode()
            yield data
            first = False
        yield self.tail.encode()


def conllu(doc: Doc) -> Iterator[bytes]:
    yield doc.columns.to_conllu()


def _view(name: str) -> Writer:
    view = interop.WRITERS[name]
    return Writer(view.suffix, view.render, view.head, view.between, view.tail, located=True)


WRITERS: dict[str, Writer] = {
    "conllu": Writer(".conllu", conllu),
    **{name: _view(name) for name in interop.WRITERS if name != "conllu"},
}
