"""Documents as text, by the name of the form: what ``--to`` offers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import TypeVar

from laconic.corpus import Doc
from laconic.errors import ConfigError
from laconic.interop.parts import DocumentPart

# What each form needs is loaded by its renderer, when it is asked for: CoNLL-U needs none of it.

Render = Callable[[Doc, int], Iterable[bytes]]

AnyPart = TypeVar("AnyPart", bound=DocumentPart)


@dataclass(frozen=True)
class Writer:
    """How documents become a file: ``head``, what ``render`` makes of each with ``between`` between them, ``tail``.

    ``render(doc, begin)`` gives bytes; ``begin`` is added to offsets, for a document that comes in parts. Calling the
    writer gives a whole file of one document.
    """

    name: str
    suffix: str
    render: Render
    head: bytes = b""
    between: bytes = b""
    tail: bytes = b""

    def __call__(self, doc: Doc) -> Iterator[bytes]:
        return self.stream([doc])

    def stream(self, docs: Iterable[Doc]) -> Iterator[bytes]:
        """One file of many documents, in the memory of the largest."""
        return self.file(self.part(doc) for doc in docs)

    def part(self, doc: Doc, opens: bool = True, begin: int = 0) -> DocumentPart:
        """A document, or a part of one, for ``file``."""
        return self.rendered(DocumentPart(doc, opens, begin))

    def rendered(self, part: AnyPart) -> AnyPart:
        """The part with its ``body``. May be called in any thread."""
        return replace(part, body=self.render(part.doc, part.begin))

    def file(self, parts: Iterable[DocumentPart]) -> Iterator[bytes]:
        """One file of what ``part`` made, in the memory of the largest part."""
        output = self.output()
        for part in parts:
            yield from output.add(part)
        yield from output.close()

    def output(self) -> Output:
        """A file that is written part by part."""
        return Output(self)


class Output:
    """The bytes of one file, as its parts come."""

    def __init__(self, writer: Writer) -> None:
        self.writer, self._begun = writer, False

    def add(self, part: DocumentPart) -> Iterator[bytes]:
        """What stands in the file up to the end of a part that a writer has rendered."""
        yield self.writer.between if self._begun else self.writer.head
        self._begun = True
        yield from part.body

    def close(self) -> Iterator[bytes]:
        """What stands behind the last part."""
        if not self._begun:
            yield self.writer.head
        yield self.writer.tail


@dataclass(frozen=True)
class Json(Writer):
    """One object with a list of documents, each of them whole: the parts of one are joined."""

    def output(self) -> Output:
        return JsonOutput(self)


@dataclass(frozen=True)
class Html(Writer):
    """A page, whose style is read when a page is written."""

    def output(self) -> Output:
        from laconic.interop import html

        return Output(replace(self, head=html.head().encode(), tail=html.TAIL.encode()))


class JsonOutput(Output):
    """Sentences of one document are joined, whatever the parts they come in."""

    def add(self, part: DocumentPart) -> Iterator[bytes]:
        from laconic.corpus import records

        if self._begun and not part.opens:
            yield b",\n"
        else:
            yield b"\n]}" + self.writer.between if self._begun else self.writer.head
            name = records.dumps(records.document_id(part.doc))
            yield f'{{"id":{name},"sentences":[\n'.encode()
        self._begun = True
        yield from part.body

    def close(self) -> Iterator[bytes]:
        yield b"\n]}" if self._begun else self.writer.head
        yield self.writer.tail


def _conllu(doc: Doc, begin: int) -> Iterable[bytes]:
    # No generator: made at once, in the thread that asks. Not exact: what lies around sentences in their files (byte
    # order marks, other line ends) would not fit together here.
    return (doc.columns.to_conllu(exact=False),)


def _sentences(doc: Doc, begin: int, between: str, after: str) -> Iterator[bytes]:
    from laconic.corpus import records

    for number, record in enumerate(records.sentences(doc, begin)):
        line = records.dumps(record)
        yield f"{between if number else ''}{line}{after}".encode()


def _json(doc: Doc, begin: int) -> Iterator[bytes]:
    return _sentences(doc, begin, ",\n", "")


def _jsonl(doc: Doc, begin: int) -> Iterator[bytes]:
    return _sentences(doc, begin, "", "\n")


def _text(doc: Doc, begin: int) -> Iterator[bytes]:
    from laconic.interop.rows import bounds

    words = doc.strings("form")
    if any(not word.isprintable() or " " in word for word in doc.codes("form")[1]):
        words = ["\u00a0".join(word.split()) for word in words]  # white space within a word is a no-break space
    for start, stop in bounds(doc):
        yield f"{' '.join(words[start:stop])}\n".encode()


def _svg(doc: Doc, begin: int) -> Iterator[bytes]:
    from laconic.interop import svg

    yield svg.to_svg(doc).encode()


def _html(doc: Doc, begin: int) -> Iterator[bytes]:
    from laconic.interop import html

    return (figure.encode() for figure in html.figures(doc))


def _table(doc: Doc, begin: int) -> Iterator[bytes]:
    from laconic.interop import terminal

    return (line.encode() for line in terminal.table(doc))


WRITERS = {
    writer.name: writer
    for writer in (
        Writer("conllu", ".conllu", _conllu),
        Json("json", ".json", _json, head=b'{"documents": [\n', between=b",\n", tail=b"\n]}\n"),
        Writer("jsonl", ".jsonl", _jsonl),
        Writer("text", ".txt", _text),
        Writer("svg", ".svg", _svg),
        Html("html", ".html", _html),
        Writer("table", ".txt", _table),
    )
}
"""``json`` is one object with a list of documents, ``jsonl`` a sentence a line, ``text`` the words of a sentence a
line, ``svg`` a picture per document, ``html`` a page of pictures, ``table`` columns for a terminal."""


def by_ending(file: str) -> Writer:
    """The writer whose files end so, ``.gz`` aside; ``conllu`` where there is no ending. ConfigError names the known
    endings."""
    suffix = PurePath(file.removesuffix(".gz")).suffix.lower()
    if not suffix:
        return WRITERS["conllu"]
    found = next((writer for writer in WRITERS.values() if writer.suffix == suffix), None)
    if found is None:
        endings = ", ".join(dict.fromkeys(writer.suffix for writer in WRITERS.values()))
        raise ConfigError(
            f"no format has files ending in {suffix}: the known endings are {endings}; "
            f"or name a format: {', '.join(WRITERS)}"
        )
    return found
