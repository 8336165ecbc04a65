"""Documents as text, by the name of the form: what ``--to`` offers."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from laconic.corpus import Doc
from laconic.interop import html, records, svg, terminal
from laconic.interop.rows import bounds


@dataclass(frozen=True)
class Writer:
    """How documents become a file: ``head``, what ``render`` makes of each with ``between`` between them, ``tail``.

    ``render(doc, begin)`` yields the document in pieces; ``begin`` is added to offsets, for a document that comes in
    parts. Calling the writer gives a whole file of one document.
    """

    name: str
    suffix: str
    render: Callable[[Doc, int], Iterator[str]]
    head: str = ""
    between: str = ""
    tail: str = ""

    def __call__(self, doc: Doc) -> Iterator[str]:
        return self.stream([doc])

    def stream(self, docs: Iterable[Doc]) -> Iterator[str]:
        """One file of many documents, in the memory of the largest."""
        yield self.head
        for number, doc in enumerate(docs):
            if number:
                yield self.between
            yield from self.render(doc, 0)
        yield self.tail


def _conllu(doc: Doc, begin: int) -> Iterator[str]:
    yield doc.to_conllu()


def _json(doc: Doc, begin: int) -> Iterator[str]:
    yield f'{{"text": {json.dumps(doc.text, ensure_ascii=False)}, "sentences": ['
    for number, record in enumerate(records.sentences(doc, begin)):
        yield (",\n" if number else "\n") + json.dumps(record, ensure_ascii=False)
    yield "\n]}"


def _jsonl(doc: Doc, begin: int) -> Iterator[str]:
    for record in records.sentences(doc, begin):
        yield json.dumps(record, ensure_ascii=False) + "\n"


def _text(doc: Doc, begin: int) -> Iterator[str]:
    words = doc.strings("form")
    if any(not word.isprintable() or " " in word for word in doc.codes("form")[1]):
        words = ["\u00a0".join(word.split()) for word in words]  # white space within a word is a no-break space
    for start, stop in bounds(doc):
        yield " ".join(words[start:stop]) + "\n"


def _svg(doc: Doc, begin: int) -> Iterator[str]:
    yield svg.to_svg(doc)


def _html(doc: Doc, begin: int) -> Iterator[str]:
    return html.figures(doc)


def _table(doc: Doc, begin: int) -> Iterator[str]:
    return terminal.table(doc)


WRITERS = {
    writer.name: writer
    for writer in (
        Writer("conllu", ".conllu", _conllu),
        Writer("json", ".json", _json, head='{"documents": [\n', between=",\n", tail="\n]}\n"),
        Writer("jsonl", ".jsonl", _jsonl),
        Writer("text", ".txt", _text),
        Writer("svg", ".svg", _svg),
        Writer("html", ".html", _html, head=html.head(), tail=html.TAIL),
        Writer("table", ".txt", _table),
    )
}
"""``json`` is one object with a list of documents, ``jsonl`` a sentence a line, ``text`` the words of a sentence a
line, ``svg`` a picture per document, ``html`` a page of pictures, ``table`` columns for a terminal."""
