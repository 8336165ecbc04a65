"""What is to be parsed, as it comes: files of any size in pieces, each with the position where it ends.

A position is all that is needed to go on from there, so that a job that was killed can. Pieces depend on the bytes of
the input alone, not on how they are read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from os import fsencode
from pathlib import PurePath
from typing import Literal

import numpy as np

from laconic.corpus import Doc
from laconic.corpus.files import name_of, read_chunks
from laconic.corpus.reading import Batch, batches
from laconic.corpus.writing import running_text, text_between
from laconic.errors import InputError
from laconic.pipeline.pieces import START, Piece, StreamPosition
from laconic.text import Options, Segmenter, TextStream
from laconic.text.streaming import PIECE

CHUNK = 1 << 16
BATCH = 20_000
"""Words of a treebank that are read at once."""
LONGEST_LINE = 1 << 20
"""Bytes of a line of given words after which a sentence ends."""
FORM_FEED = b"\f"
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
Form = Literal["text", "words"]


@dataclass(frozen=True)
class Input:
    """One file, ``-`` or a text: what it is called and how it is read."""

    path: str = ""
    text: str | None = None
    format: str = "text"
    """``text``, ``words`` (one sentence a line, words separated by spaces), or a treebank format."""
    treebank: str = ""
    """The format of a treebank of which nothing is taken but its running text."""

    @property
    def id(self) -> str:
        """What the document is called: the path as it was given, made fit for a line."""
        if self.text is not None or self.path == "-":
            return ""
        name = fsencode(PurePath(self.path).as_posix()).decode("utf-8", "replace")
        return "".join(c if c.isprintable() else "\ufffd" for c in name)


@dataclass(frozen=True)
class Reading:
    """How inputs are read."""

    inputs: tuple[Input, ...]
    segmenter: Segmenter | None = None
    options: Options = field(default_factory=Options)
    size: int = PIECE
    trees: bool = False
    """Treebanks must have heads: InputError for a sentence without."""

    def pieces(self, start: StreamPosition = START) -> Iterator[Piece]:
        """All pieces of all inputs, from a position on. Sentences of texts and of given words are numbered through,
        those of treebanks are called as they are. InputError with line and column of what is not UTF-8."""
        numbered = start.sentences
        for number in range(start.input, len(self.inputs)):
            given = self.inputs[number]
            here = start if number == start.input else StreamPosition(number)
            named = given.format not in ("text", "words")
            read = self._treebank if named else self._texts if given.format == "text" else self._words
            for piece in read(given, here):
                if not named:
                    piece.doc.columns.number_sentences(numbered + 1)
                    numbered += len(piece.doc.sentences)
                yield replace(piece, end=replace(piece.end, sentences=numbered))

    def _texts(self, given: Input, start: StreamPosition) -> Iterator[Piece]:
        assert self.segmenter is not None, "texts are read with a segmenter"
        asked = {name: getattr(self.options, name) for name in Options.__dataclass_fields__}
        document = start.document
        begun, opens, before = start.done, start.opens, start.characters
        flow = TextStream(self.segmenter, size=self.size, before=start.tail.encode(), **asked)

        def finished(text: bytes, last: bool) -> Iterator[Piece]:
            nonlocal opens
            for doc in flow.feed(text, last=last):
                done, characters = begun + flow.consumed, before + flow.characters
                if last and not flow.waiting:
                    end = StreamPosition(start.input, done, document + 1)
                else:
                    end = StreamPosition(start.input, done, document, False, characters, flow.tail.decode())
                yield Piece(_opened(doc, given, document) if opens else doc, opens, before + flow.begin, end=end)
                opens = False

        for part, ends in _documents(Clean(given, self.options, start.done)):
            yield from finished(part, ends)
            if ends:
                begun += flow.consumed
                document, opens, before = document + 1, True, 0
                flow = TextStream(self.segmenter, size=self.size, **asked)
        yield from finished(b"", True)

    def _words(self, given: Input, start: StreamPosition) -> Iterator[Piece]:
        done, document, opens, begin = start.done, start.document, start.opens, start.characters
        clean = Clean(given, self.options, start.done)
        line = None
        for part, ends in _lines(clean):
            line = clean.skipped_lines + 1 if line is None else line
            doc = _worded(part.decode(), self.options.longest, clean.name, line)
            done, line = done + len(part), line + part.count(b"\n")
            if doc:
                behind = _behind(doc, begin)
                end = StreamPosition(start.input, done, document + ends, ends, 0 if ends else behind)
                yield Piece(_opened(doc, given, document) if opens else doc, opens, begin, end=end)
                opens, begin = False, behind
            if ends:
                document, opens, begin = document + 1, True, 0

    def _treebank(self, given: Input, start: StreamPosition) -> Iterator[Piece]:
        begin, sentences = start.characters, 0
        length, last = 0, Doc.from_words([])
        filled = (batch for batch in batches(given.path, given.format, BATCH) if batch.doc)
        for number, batch in enumerate(filled):
            doc = batch.doc
            if self.trees:
                _check_heads(batch, given, sentences)
            sentences += len(doc.sentences)
            if number >= start.done:
                if last:
                    begin += length + len(text_between(last, doc))
                length, last = len(doc.text), doc.sentences[-1:]  # now: components write into what is handed out
                # The position has where this piece begins: the next is as far behind it as its first sentence says.
                yield Piece(doc, number == 0, begin, end=StreamPosition(start.input, number + 1, 0, False, begin))
            else:
                length, last = len(doc.text), doc.sentences[-1:]


def _check_heads(batch: Batch, given: Input, before: int) -> None:
    """Readers refuse heads that are no tree; here those that are not there at all. ``before``: sentences of the input
    before the batch."""
    doc = batch.doc
    missing = np.flatnonzero(doc.heads < 0)
    if not len(missing):
        return
    number = int(np.searchsorted(doc.sentence_starts, missing[0], side="right")) - 1
    line = 0
    if given.format == "conllu":  # which is written as it was read, line by line
        line = batch.line + doc.sentences[:number].columns.to_conllu().count(b"\n")
    raise InputError(
        f"sentence {before + number + 1} has no heads: expected trees, since head is kept", name_of(given.path), line
    )


def cut(pieces: Iterable[Piece], start: StreamPosition, words: int) -> Iterator[Piece]:
    """The pieces from a position on, cut wherever a shard ends that begins there, and the shards after it: behind the
    sentence that brings it to so many words. Position and number of the words decide, so threads change nothing."""
    before, done, wanted = replace(start, skip=0), start.skip, words
    for piece in pieces:
        edges, count = piece.doc.sentence_starts, len(piece.doc.sentences)
        at, begin = 0, piece.begin
        while at < count:
            end = min(done, count) if done else min(count, int(np.searchsorted(edges, int(edges[at]) + wanted)))
            if not done:
                behind = piece.end if end == count else replace(before, skip=end)
                doc = piece.doc if end - at == count else piece.doc.sentences[at:end]
                yield Piece(doc, piece.opens and at == 0, begin, end=behind)
                wanted = wanted - len(doc) if wanted > len(doc) else words
            if end < count:
                begin += _distance(piece.doc, at, end)
            at, done = end, 0
        before = piece.end


def _distance(doc: Doc, at: int, end: int) -> int:
    """Characters from one sentence to another. What stands between two belongs to neither alone."""
    return len(doc.sentences[at : end + 1].text) - len(doc.sentences[end : end + 1].text)


def _behind(doc: Doc, begin: int) -> int:
    """Where the next piece begins if words are all that is given: a space stands between the two."""
    return begin + len(doc.text) + 1


def _opened(doc: Doc, given: Input, document: int) -> Doc:
    """The document with a comment that says that one starts here, and its name."""
    if given.text is not None:
        return doc
    name = given.id and (f"{given.id}-{document + 1}" if document else given.id)
    first = doc.sentences[:1]
    first.columns.set_comments([[f"# newdoc id = {name}" if name else "# newdoc", *first.comments[0]]])
    return Doc.concatenate([first, doc.sentences[1:]])


class Clean:
    """The bytes of an input from one of them on, as UTF-8 in whole characters, without a byte order mark."""

    def __init__(self, given: Input, options: Options, skip: int = 0) -> None:
        self.name = name_of(given.path) if given.text is None else "<text>"
        self._given, self._replace, self._skip = given, options.surrogates == "replace", skip
        self.skipped_lines = 0
        self._lines, self._column = 0, 0  # line ends before what is read next, and characters since the last one

    def __iter__(self) -> Iterator[bytes]:
        skip = self._skip
        for data in self._whole():
            text = self._checked(data)
            if skip:
                self.skipped_lines += text.count(b"\n", 0, skip)
                text, skip = text[skip:], max(0, skip - len(text))
            if text:
                yield text

    def _raw(self) -> Iterator[bytes]:
        if self._given.treebank:
            docs = (batch.doc for batch in batches(self._given.path, self._given.treebank, BATCH))
            yield from (text.encode() for text in running_text(docs))
        elif self._given.text is None:
            yield from read_chunks(self._given.path, CHUNK)
        else:
            # What the shell gave that is no UTF-8 arrives as lone surrogates.
            yield self._given.text.encode("utf-8", "surrogateescape" if not _paired(self._given.text) else "strict")

    def _whole(self) -> Iterator[bytes]:
        """Cut between characters."""
        carried, first = b"", True
        for chunk in self._raw():
            data = carried + chunk
            if first and len(data) < len(BYTE_ORDER_MARK):
                carried = data
                continue
            if first:
                data, first = data.removeprefix(BYTE_ORDER_MARK), False
            cut = _last_boundary(data)
            carried = data[cut:]
            yield data[:cut]
        yield carried

    def _checked(self, data: bytes) -> bytes:
        try:
            text = data.decode("utf-8", "replace" if self._replace else "strict")
        except UnicodeDecodeError as error:
            good = data[: error.start].decode("utf-8")
            line = self._lines + good.count("\n") + 1
            at = good.rfind("\n")
            column = len(good) - at if at >= 0 else self._column + len(good) + 1
            raise InputError(
                f"byte 0x{data[error.start]:02x} is not UTF-8: repair the file, or ask for replacement",
                self.name,
                line,
                column,
            ) from None
        self._lines += text.count("\n")
        at = text.rfind("\n")
        self._column = len(text) - at - 1 if at >= 0 else self._column + len(text)
        return text.encode() if self._replace else data


def _paired(text: str) -> bool:
    return not any("\ud800" <= c <= "\udfff" for c in text)


def _last_boundary(data: bytes) -> int:
    """Where a character begins that may go on behind the end; the end where none does."""
    for back in range(1, min(3, len(data)) + 1):
        byte = data[-back]
        if byte & 0xC0 == 0x80:
            continue
        needed = 4 if byte >= 0xF0 else 3 if byte >= 0xE0 else 2 if byte >= 0xC0 else 1
        return len(data) - back if needed > back else len(data)
    return len(data)


def _documents(chunks: Iterable[bytes]) -> Iterator[tuple[bytes, bool]]:
    """Cut behind form feeds: parts, and whether a document ends with them."""
    for chunk in chunks:
        *whole, rest = chunk.split(FORM_FEED)
        for part in whole:
            yield part + FORM_FEED, True
        if rest:
            yield rest, False


def _lines(chunks: Iterable[bytes]) -> Iterator[tuple[bytes, bool]]:
    """Whole lines, some at once, and whether a document ends with them. Where lines are too long they are cut between
    words."""
    pending = b""
    for part, ends in _documents(chunks):
        pending += part
        while len(pending) > LONGEST_LINE:
            cut = pending.rfind(b"\n", 0, PIECE) + 1 or pending.find(b"\n", 0, LONGEST_LINE) + 1
            cut = cut or max(pending.rfind(space, 0, PIECE) + 1 for space in (b" ", b"\t"))
            if not cut:
                raise InputError(f"a word of more than {PIECE:,} bytes: are there spaces between the words?")
            yield pending[:cut], False
            pending = pending[cut:]
        if ends:
            yield pending, True
            pending = b""
    if pending:
        yield pending, False


def _worded(text: str, longest: int, name: str, line: int) -> Doc:
    """Sentences of lines of words; one that is too long goes on as another."""
    rows: list[list[str]] = []
    lines: list[int] = []
    for number, content in enumerate(text.split("\n"), line):
        words = [word for word in content.replace("\t", " ").strip(" \r\f").split(" ") if word]
        for at in range(0, len(words), longest):
            rows.append(words[at : at + longest])
            lines.append(number)
    try:
        return Doc.from_words(rows)
    except ValueError:
        for row, number in zip(rows, lines, strict=True):
            try:
                Doc.from_words([row])
            except ValueError as error:
                raise InputError(str(error), name, number) from None
        raise
