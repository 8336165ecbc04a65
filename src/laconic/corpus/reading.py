"""From files to documents: whole, in batches, or only to see what is wrong with them."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain

from laconic._core import corpus as core
from laconic.corpus.doc import Doc
from laconic.corpus.files import Source, name_of, read_chunks
from laconic.corpus.formats import SAMPLE, find, for_reading
from laconic.corpus.registry import Format
from laconic.errors import InputError

logger = logging.getLogger(__name__)

UNLIMITED = 2**64 - 1
WHOLE = -1
BYTES_PER_WORD = 96  # rather too many, until the first batch is read
PIECE = 1 << 20


def read(source: Source, format: str | None = None, *, lenient: bool = False) -> Doc:
    """Reads a path, ``-`` (standard input) or an open file as one document; gzip is recognised.

    ``format`` is a name of ``laconic.corpus.formats``; without it, the ending of the file or its content decides.

    The first fault is raised as InputError; with ``lenient`` the sentences with faults are left out, and each fault is
    a warning in the log. Linear, and the file is held in memory once; ``stream`` is for what does not fit.
    """
    name = name_of(source)
    data = b"".join(read_chunks(source, WHOLE))
    chosen = for_reading(format, name, data[:SAMPLE])
    columns, faults, *_ = chosen.parse(data, name, 1, lenient, UNLIMITED, 0)
    _log(InputError(reason, name, line, column) for reason, line, column in faults)
    return Doc(columns)


def stream(source: Source, format: str | None = None, *, words: int = 200_000, lenient: bool = False) -> Iterator[Doc]:
    """Reads a source of any size in documents of at most ``words`` words (more only where one sentence has more).

    Cuts between sentences, and rather before a ``# newdoc`` where one is near. Memory is bounded by the batch or by
    the longest sentence. All batches together are what ``read`` gives.
    """
    if words < 1:
        raise ValueError("words must be at least 1")
    if format is not None:
        find(format)
    return _stream(source, format, words, lenient)


def check(source: Source, format: str | None = None) -> Iterator[InputError]:
    """All faults of a source, in the order of its lines, in bounded memory. Nothing is yielded for a good file.

    In CoNLL-U also those that do not keep a file from being read: malformed or repeated features, DEPS that are no list
    of heads and relations, and a ``# text`` that the forms and their SpaceAfter contradict.
    """
    try:
        for batch in batches(source, format, 50_000, lenient=True, check=True):
            yield from batch.faults
    except InputError as error:
        yield error


@dataclass(frozen=True)
class Batch:
    doc: Doc
    faults: list[InputError]
    line: int
    """Of the source, where it begins."""


def _stream(source: Source, format: str | None, words: int, lenient: bool) -> Iterator[Doc]:
    for batch in batches(source, format, words, lenient):
        _log(batch.faults)
        if batch.doc:
            yield batch.doc


def _log(faults: Iterable[InputError]) -> None:
    for fault in faults:
        logger.warning("%s (the sentence is left out)", fault)


def batches(
    source: Source, format: str | None, words: int, lenient: bool = False, *, check: bool = False
) -> Iterator[Batch]:
    """Batches as full as they may be, whatever the pieces in which the bytes come in; with faults they may be smaller.

    Bytes are collected until they are likely to hold a full batch, judged by the batches before; where they did not,
    twice as many are collected, so that even one sentence of any length costs linear time.
    """
    name = name_of(source)
    chosen, chunks = _chosen(format, name, read_chunks(source, PIECE))
    if not chosen.long_lines:
        chunks = _short_lines(chunks)
    read_batch = chosen.check if check and chosen.check is not None else chosen.parse
    line = 1
    density = BYTES_PER_WORD
    pieces: list[bytes] = []
    have = 0
    wanted = words * density

    def parse(data: bytes, begin: int) -> tuple[Batch, int, int]:
        columns, faults, _, consumed, next_line = read_batch(data, name, line, lenient, words, begin)
        found = [InputError(reason, name, *place) for reason, *place in faults]
        return Batch(Doc(columns), found, line), consumed, next_line

    for chunk in chunks:
        pieces.append(chunk)
        have += len(chunk)
        if have < wanted:
            continue
        data = b"".join(pieces)
        pieces.clear()
        whole = data[: (chosen.boundary or _last_boundary)(data)]
        begin = 0
        while begin < len(whole):
            batch, consumed, next_line = parse(whole, begin)
            if begin + consumed == len(whole) and not batch.faults:
                break
            yield batch
            begin, line = begin + consumed, next_line
            if not batch.faults:  # what was left out would look like long words
                density = max(1, consumed // len(batch.doc))
            if len(whole) - begin < words * density:
                break
        rest = data[begin:]
        del data, whole
        pieces.append(rest)
        have = len(rest)
        wanted = words * density * 9 // 8 if begin else 2 * have
    data = b"".join(pieces)
    begin = 0
    while begin < len(data):
        batch, consumed, line = parse(data, begin)
        yield batch
        begin += consumed


def _last_boundary(data: bytes) -> int:
    """Where the last sentence starts: after the last blank line that something follows. 0 where there is none."""
    end = len(data.rstrip(b"\r\n"))
    found = ((data.rfind(mark, 0, end), len(mark)) for mark in (b"\n\n", b"\n\r\n"))
    return max(place + length if place >= 0 else 0 for place, length in found)


def _chosen(format: str | None, name: str, chunks: Iterator[bytes]) -> tuple[Format, Iterator[bytes]]:
    """The format of what the chunks begin with, and all the chunks."""
    start: list[bytes] = []
    have = 0
    for chunk in chunks:
        start.append(chunk)
        have += len(chunk)
        if have >= SAMPLE:
            break
    return for_reading(format, name, b"".join(start)), chain(start, chunks)


def _short_lines(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Drops the part of a line beyond what any reader takes, so that a file without line ends does not fill memory."""
    limit = core.longest_line + 2
    length = 0  # of the line that is open where the last chunk ended
    for chunk in chunks:
        found = chunk.find(b"\n")
        head = len(chunk) if found < 0 else found
        kept = chunk if length + head <= limit else chunk[: max(0, limit - length)] + chunk[head:]
        length = length + len(kept) if found < 0 else len(chunk) - 1 - chunk.rfind(b"\n")
        yield kept
