"""Documents as text, by the name of the form: what ``--to`` offers. Each writer yields the pieces of a whole file."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from laconic.corpus import Doc
from laconic.interop import html, records, svg, terminal
from laconic.interop.rows import bounds


@dataclass(frozen=True)
class Writer:
    """Calling it gives the pieces of the file for one document; ``stream`` those of one file for a run of documents,
    in the memory of the largest of them, or of all where ``whole`` says so."""

    name: str
    stream: Callable[[Iterable[Doc]], Iterator[str]]
    whole: bool = False

    def __call__(self, doc: Doc) -> Iterator[str]:
        return self.stream([doc])


def _conllu(docs: Iterable[Doc]) -> Iterator[str]:
    return (doc.to_conllu() for doc in docs)


def _json(docs: Iterable[Doc]) -> Iterator[str]:
    yield '{"documents": ['
    for number, doc in enumerate(docs):
        yield ",\n" if number else "\n"
        yield records.to_json(doc)
    yield "\n]}\n"


def _jsonl(docs: Iterable[Doc]) -> Iterator[str]:
    for doc in docs:
        for record in records.sentences(doc):
            yield json.dumps(record, ensure_ascii=False) + "\n"


def _text(docs: Iterable[Doc]) -> Iterator[str]:
    for doc in docs:
        words = doc.strings("form")
        for begin, stop in bounds(doc):
            yield " ".join(words[begin:stop]) + "\n"


def _svg(docs: Iterable[Doc]) -> Iterator[str]:
    style = svg.Style()
    texts: list[str] = []
    pictures: list[svg.Picture] = []
    for doc in docs:
        texts.append(doc.text[:400])
        pictures += svg.pictures(doc, style)
    yield svg.framed(pictures, style, " ".join(texts))


def _table(docs: Iterable[Doc]) -> Iterator[str]:
    for doc in docs:
        yield from terminal.table(doc)


WRITERS = {
    writer.name: writer
    for writer in (
        Writer("conllu", _conllu),
        Writer("json", _json),
        Writer("jsonl", _jsonl),
        Writer("text", _text),
        Writer("svg", _svg, whole=True),
        Writer("html", html.page),
        Writer("table", _table),
    )
}
"""``json`` is one object with a list of documents, ``jsonl`` a sentence a line, ``text`` the words of a sentence a
line, ``svg`` one picture, ``html`` a page of pictures, ``table`` columns for a terminal."""
