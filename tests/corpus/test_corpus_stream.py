"""Reading in batches: the same sentences, in bounded memory."""

from __future__ import annotations

import io
import subprocess
import sys
import tracemalloc
from pathlib import Path

import conllu_strategies
import pytest
from hypothesis import given
from hypothesis import strategies as st
from peak_memory import measurable

import laconic
from laconic.corpus import Doc, check, read, stream, write
from laconic.corpus.reading import _last_boundary
from laconic.errors import InputError

SAMPLE = Path(laconic.__file__).parent / "data" / "sample.conllu"


class Dripping(io.BytesIO):
    """A file that gives a few bytes at a time, as a pipe may."""

    def __init__(self, data: bytes, most: int) -> None:
        super().__init__(data)
        self.most = most

    def read(self, size: int | None = -1, /) -> bytes:
        return super().read(self.most)


@given(conllu_strategies.conllu_bytes(max_sentences=8), st.integers(1, 20), st.integers(1, 60))
def test_batches_together_are_the_whole_file(data: bytes, words: int, drip: int) -> None:
    whole = read(io.BytesIO(data))
    batches = list(stream(Dripping(data, drip), words=words))
    assert Doc.concatenate(batches) == whole
    for batch in batches:
        assert len(batch) <= words or len(batch.sentences) == 1
    assert batches == list(stream(io.BytesIO(data), words=words))
    if whole:
        out = io.BytesIO()
        write(batches, out)
        assert out.getvalue() == data


@given(conllu_strategies.conllu_bytes(max_sentences=6), st.integers(1, 60))
def test_a_boundary_lies_where_a_sentence_starts(data: bytes, cut: int) -> None:
    head = data[: min(cut, len(data))]
    place = _last_boundary(head)
    assert 0 <= place <= len(head)
    if place:
        assert head[:place].endswith((b"\n\n", b"\n\r\n"))
        assert head[place : place + 1] not in (b"\n", b"\r", b"")


@given(conllu_strategies.conllu_bytes(max_sentences=6), st.integers(1, 9), st.integers(1, 40), st.binary(max_size=3))
def test_faults_have_the_same_places_in_batches_as_in_the_whole(
    data: bytes, words: int, drip: int, noise: bytes
) -> None:
    middle = len(data) // 2
    broken = data[:middle] + noise + data[middle:]
    try:
        whole = read(io.BytesIO(broken))
    except InputError as error:
        with pytest.raises(InputError) as caught:
            list(stream(Dripping(broken, drip), words=words))
        assert caught.value.args == error.args  # noqa: PT017
        assert error.args in [fault.args for fault in check(Dripping(broken, drip))]  # noqa: PT017
    else:
        assert Doc.concatenate(stream(Dripping(broken, drip), words=words)) == whole


def test_batches_end_at_documents_where_one_is_near() -> None:
    first, second = read(SAMPLE).documents()
    assert list(stream(SAMPLE, words=len(first) + 10)) == [first, second]


def test_a_treebank_in_batches_is_the_whole(treebanks: Path) -> None:
    path = treebanks / "en_ewt" / "dev.conllu"
    whole = read(path)
    for words in (1, 1000, 10_000, 10_000_000):
        batches = list(stream(path, words=words))
        assert Doc.concatenate(batches) == whole
        assert all(len(batch) <= words or len(batch.sentences) == 1 for batch in batches)
    sizes = [len(batch) for batch in stream(path, words=5000)]
    assert all(size >= 1000 for size in sizes[:-1])


def test_a_sentence_larger_than_a_batch_is_read() -> None:
    size = 50_000
    giant = "".join(f"{i}\tword\t_\t_\t_\t_\t{i - 1}\t_\t_\t_\n" for i in range(1, size + 1)) + "\n"
    small = "1\ta\t_\t_\t_\t_\t0\t_\t_\t_\n\n"
    batches = list(stream(io.BytesIO((small + giant + small).encode()), words=10))
    assert [len(batch) for batch in batches] == [1, size, 1]


class Endless(io.RawIOBase):
    """The same bytes again and again up to a size, held in memory once."""

    def __init__(self, data: bytes, size: int) -> None:
        self.data, self.left = data, size // len(data) * len(data)

    def read(self, size: int | None = -1, /) -> bytes:
        assert size is not None
        assert size > 0, "a reader in batches must not ask for everything"
        count = min(max(size // len(self.data), 1) * len(self.data), self.left)
        self.left -= count
        return self.data * (count // len(self.data))


def test_memory_is_bounded_by_the_batch() -> None:
    size = 64 << 20
    words = 0
    tracemalloc.start()
    try:
        for batch in stream(Endless(SAMPLE.read_bytes(), size), words=20_000):
            words += len(batch)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert words == size // len(SAMPLE.read_bytes()) * len(read(SAMPLE))
    assert peak < 16 << 20


RESIDENT = """
import resource, sys
from laconic.corpus import stream
words = sum(len(batch) for batch in stream("-", words=20_000))
print(words, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


@measurable
def test_a_long_pipe_leaves_the_process_small() -> None:
    def peak(copies: int) -> int:
        data = SAMPLE.read_bytes() * copies
        done = subprocess.run([sys.executable, "-c", RESIDENT], input=data, capture_output=True, check=True)
        words, kilobytes = map(int, done.stdout.split())
        assert words == len(read(SAMPLE)) * copies
        return kilobytes

    assert peak(12_000) < peak(600) + 24 * 1024


def test_a_file_without_line_ends_does_not_fill_memory() -> None:
    tracemalloc.start()
    try:
        with pytest.raises(InputError, match="more than 4194304 bytes") as caught:
            list(stream(Endless(b"x" * 1000, 200 << 20)))
        assert (caught.value.line, caught.value.column) == (1, 1)
        faults = list(check(Endless(b"y" * 1000, 200 << 20)))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert [fault.line for fault in faults] == [1, 1]
    assert peak < 64 << 20


def test_a_file_of_nothing_but_faults_is_checked_in_bounded_memory() -> None:
    bad = b"1\t" + b"a" * 180 + b"\t_\t_\t_\t_\t7\t_\t_\t_\n\n"
    tracemalloc.start()
    try:
        count = sum(1 for _ in check(Endless(bad, 24 << 20)))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert count == (24 << 20) // len(bad)
    assert peak < 80 << 20


def test_a_batch_has_at_least_one_word() -> None:
    with pytest.raises(ValueError, match="at least 1"):
        stream(SAMPLE, words=0)
