"""From files to documents: whole, in batches, or only to see what is wrong with them."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator
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
BYTES_PER_WORD = 64  # a guess that only decides how much is read at a time


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
    """All faults of a source, in the order of its lines, in bounded memory. Nothing is yielded for a good file."""
    try:
        for batch in _batches(source, format, 200_000, lenient=True):
            yield from batch.faults
    except InputError as error:
        yield error


@dataclass(frozen=True)
class Batch:
    doc: Doc
    faults: list[InputError]


def _stream(source: Source, format: str | None, words: int, lenient: bool) -> Iterator[Doc]:
    for batch in _batches(source, format, words, lenient):
        _log(batch.faults)
        if batch.doc:
            yield batch.doc


def _log(faults: Iterable[InputError]) -> None:
    for fault in faults:
        logger.warning("%s (the sentence is left out)", fault)


def _batches(source: Source, format: str | None, words: int, lenient: bool) -> Iterator[Batch]:
    name = name_of(source)
    size = min(max(words * BYTES_PER_WORD, 1 << 16), 1 << 24)
    line = 1
    chosen, chunks = _chosen(format, name, _short_lines(read_chunks(source, size)))
    for block, last in _whole_sentences(chunks, size, chosen.boundary):
        begin = 0
        while begin < len(block.data):
            columns, faults, _, consumed, next_line = chosen.parse(block.data, name, line, lenient, words, begin)
            if not (last or faults) and begin + consumed == len(block.data) and 2 * len(columns) < words:
                break  # a small remainder is better read with what follows
            line = next_line
            begin += consumed
            yield Batch(Doc(columns), [InputError(reason, name, place, column) for reason, place, column in faults])
        block.kept = begin


@dataclass
class _Block:
    """Bytes that end where a sentence ends; the reader says how much of them it ``kept``, and gets the rest again."""

    data: bytes
    kept: int = 0


def _chosen(format: str | None, name: str, chunks: Iterator[bytes]) -> tuple[Format, Iterator[bytes]]:
    """The format of what the chunks begin with, and all the chunks."""
    start: list[bytes] = []
    for chunk in chunks:
        start.append(chunk)
        if sum(map(len, start)) >= SAMPLE:
            break
    return for_reading(format, name, b"".join(start)), chain(start, chunks)


def _whole_sentences(
    chunks: Iterable[bytes], size: int, boundary: Callable[[bytes], int]
) -> Iterator[tuple[_Block, bool]]:
    """Blocks of whole sentences; what is incomplete, or was not kept, comes again in front of the next block.

    The amount that must have come in doubles while nothing is kept, so that a sentence of any length costs linear time.
    """
    pieces: list[bytes] = []
    wanted = have = 0
    for chunk in chunks:
        pieces.append(chunk)
        have += len(chunk)
        if have < wanted:
            continue
        data = b"".join(pieces)
        cut = boundary(data)
        block = _Block(data[:cut])
        if cut:
            yield block, False
        rest = data[block.kept :]
        pieces, have = [rest], len(rest)
        wanted = have + size if block.kept else 2 * have
    data = b"".join(pieces)
    if data:
        yield _Block(data), True


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
