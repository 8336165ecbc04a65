"""What is wrong with a file is said with its place, and nothing is repaired."""

from __future__ import annotations

import logging
from pathlib import Path

import conllu_strategies
import networkx
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import laconic
from laconic._core import corpus as core
from laconic.corpus import Doc, check, read, stream
from laconic.errors import InputError

SAMPLE = Path(laconic.__file__).parent / "data" / "sample.conllu"


def word(number: int | str, head: int | str = 0, form: str = "a") -> str:
    return f"{number}\t{form}\t_\t_\t_\t_\t{head}\t_\t_\t_\n"


GOOD = "# text = a\n" + word(1) + "\n"

# Name: (a sentence with a fault, its line and column in the sentence, words of the message)
FAULTS = {
    "nine columns": ("1\ta\t_\t_\t_\t_\t0\t_\t_\n\n", 1, 18, "expected 10 fields with tabs between them, found 9"),
    "eleven columns": (word(1).replace("\n", "\tx\n") + "\n", 1, 20, "expected 10 fields .* found 11"),
    "spaces for tabs": (word(1).replace("\t", " ") + "\n", 1, 20, "found 1"),
    "white space between sentences": (word(1) + " \n", 2, 1, "white space"),
    "an empty cell": ("1\ta\t\t_\t_\t_\t0\t_\t_\t_\n\n", 1, 5, "LEMMA is empty"),
    "an empty last cell": ("1\ta\t_\t_\t_\t_\t0\t_\t_\t\n\n", 1, 19, "MISC is empty"),
    "ids out of order": (word(1) + word(3, 1) + "\n", 2, 1, "id 3 is out of order: expected 2"),
    "an id twice": (word(1) + word(1) + "\n", 2, 1, "id 1 is out of order: expected 2"),
    "ids from zero": (word(0) + "\n", 1, 1, "id 0 is out of order: expected 1"),
    "a leading zero in the id": (word("01") + "\n", 1, 1, '"01": expected 1'),
    "no number": (word("x") + "\n", 1, 1, '"x": expected 1'),
    "a negative id": (word("-1") + "\n", 1, 1, "no range"),
    "a huge id": (word("99999999999") + "\n", 1, 1, "expected 1"),
    "a head out of range": (word(1) + word(2, 3) + "\n", 2, 13, "head 3 is out of range: expected 0 to 2"),
    "a leading zero in the head": (word(1, "00") + "\n", 1, 13, "leading zeros"),
    "a negative head": (word(1, -1) + "\n", 1, 13, "HEAD is"),
    "a head that is a word": (word(1, "root") + "\n", 1, 13, "HEAD is"),
    "a head outside 32 bits": (word(1, 4294967296) + "\n", 1, 13, "HEAD is"),
    "a column counted in characters": (word(1, "x", "žluť") + "\n", 1, 16, "HEAD is"),
    "a cycle": (word(1) + word(2, 3) + word(3, 2) + "\n", 2, 13, "cycle of heads: 2 -> 3 -> 2"),
    "a word that is its own head": (word(1) + word(2, 2) + "\n", 2, 13, "cycle of heads: 2 -> 2"),
    "no root": (word(1, 2) + word(2, 1) + "\n", 1, 13, "no root"),
    "a head missing among others": (word(1) + word(2, "_") + "\n", 2, 13, "number for all or _ for all"),
    "a range backwards": (word("2-1") + word(1) + "\n", 1, 1, "runs backwards"),
    "overlapping ranges": (word("1-2") + word(1) + word("2-3") + word(2) + word(3) + "\n", 3, 1, "overlaps with 1-2"),
    "a range twice": (word("1-2") + word("1-2") + word(1) + word(2) + "\n", 2, 1, "overlaps with 1-2"),
    "a range too late": (word(1) + word("1-2") + word(2) + "\n", 2, 1, "out of order"),
    "a range too early": (word("2-3") + word(1) + word(2) + word(3) + "\n", 1, 1, "out of order"),
    "a range beyond the end": (word("1-3") + word(1) + word(2) + "\n", 1, 1, "beyond the last word, 2"),
    "a range from zero": (word("0-1") + word(1) + "\n", 1, 1, "no range"),
    "half a range": (word("1-") + word(1) + "\n", 1, 1, "no range"),
    "an empty node out of order": (word(1) + word("2.1", "_") + "\n", 2, 1, r"expected 1\.1"),
    "an empty node too late": (word(1) + word(2) + word("1.1", "_") + "\n", 3, 1, r"expected 2\.1"),
    "an empty node with the wrong number": (word(1) + word("1.2", "_") + "\n", 2, 1, r"expected 1\.1"),
    "an empty node numbered zero": (word(1) + word("1.0", "_") + "\n", 2, 1, "no empty node"),
    "an empty node with a leading zero": (word(1) + word("1.01", "_") + "\n", 2, 1, "no empty node"),
    "an empty node inside a range's start": (word("1-2") + word("0.1", "_") + word(1) + word(2), 2, 1, "between"),
    "a comment among the words": (word(1) + "# late\n\n", 2, 1, "comments before the first word"),
    "a comment without a sentence": ("# alone\n\n", 1, 1, "without words"),
    "a range without words": (word("1-2") + "\n", 1, 1, "without words"),
    "an empty node alone": (word("0.1", "_") + "\n", 1, 1, "without words"),
    "a NUL": (word(1, 0, "a\0b") + "\n", 1, 4, "NUL"),
    "a carriage return in a line": (word(1, 0, "a\rb") + "\n", 1, 4, "carriage return"),
    "two kinds of line ends": (word(1) + word(2).replace("\n", "\r\n") + "\n", 2, 20, "LF or CR LF throughout"),
    "a line that is too long": (word(1, 0, "x" * 10_000_000) + "\n", 1, 1, "more than 4194304 bytes"),
}
BYTES = {name: (text.encode(), *rest) for name, (text, *rest) in FAULTS.items()}
BYTES["invalid UTF-8"] = (word(1, 0, "ab~").encode().replace(b"~", b"\xff") + b"\n", 1, 5, "invalid UTF-8")
BYTES["a surrogate in UTF-8"] = (word(1, 0, "~").encode().replace(b"~", b"\xed\xa0\x80") + b"\n", 1, 3, "UTF-8")
BYTES["an overlong form in UTF-8"] = (word(1, 0, "~").encode().replace(b"~", b"\xc0\x80") + b"\n", 1, 3, "UTF-8")
BYTES["invalid UTF-8 in a comment"] = (b"# \xc3(\n" + word(1).encode() + b"\n", 1, 3, "UTF-8")


@pytest.mark.parametrize("name", BYTES)
def test_a_fault_is_raised_with_its_place(name: str, tmp_path: Path) -> None:
    data, line, column, message = BYTES[name]
    path = tmp_path / "bad.conllu"
    path.write_bytes(GOOD.encode() * 2 + data.rstrip(b"\n") + b"\n\n" + GOOD.encode())
    with pytest.raises(InputError, match=message) as caught:
        read(path)
    assert (caught.value.file, caught.value.line, caught.value.column) == (str(path), 6 + line, column)
    with pytest.raises(InputError, match=message) as again:
        list(stream(path, words=1))
    assert (again.value.line, again.value.column) == (caught.value.line, caught.value.column)


@pytest.mark.parametrize("name", BYTES)
def test_lenient_reading_leaves_out_only_the_sentence_with_the_fault(
    name: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    data, line, column, _ = BYTES[name]
    path = tmp_path / "bad.conllu"
    path.write_bytes(GOOD.encode() * 2 + data.rstrip(b"\n") + b"\n\n" + GOOD.encode())
    with caplog.at_level(logging.WARNING, logger="laconic"):
        doc = read(path, lenient=True)
    assert doc.to_conllu() == GOOD * 3
    assert f"{path}:{6 + line}:{column}: " in caplog.text
    assert Doc.concatenate(stream(path, words=1, lenient=True)) == doc


def test_check_lists_every_fault_in_order(tmp_path: Path) -> None:
    names = [name for name in BYTES if name != "a line that is too long"]
    path = tmp_path / "bad.conllu"
    expected, content, at = [], b"", 0
    for name in names:
        data, line, column, _ = BYTES[name]
        data = data.rstrip(b"\n") + b"\n\n"
        expected.append((at + line, column))
        content += GOOD.encode() + data
        at += (GOOD.encode() + data).count(b"\n")
    expected = [(line + 3, column) for line, column in expected]
    path.write_bytes(content)
    found = [(fault.line, fault.column) for fault in check(path)]
    assert [place for place in found if place in set(expected)] == expected
    assert list(check(SAMPLE)) == []


def test_check_finds_several_faults_in_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "bad.conllu"
    path.write_text(word(1, "x") + word(3, "y") + word("4", "z") + "\n")
    assert [fault.line for fault in check(path)] == [1, 2, 2, 3]


def test_a_truncated_file_is_recognised() -> None:
    with pytest.raises(InputError, match="is it truncated"):
        Doc.from_conllu(GOOD + "1\ta\t_\t_")


@pytest.mark.parametrize("data", [b"", b"\n", b"\n\n\r\n", b"\xef\xbb\xbf"])
def test_a_file_without_sentences_is_an_empty_document(data: bytes) -> None:
    doc = Doc.from_conllu(data)
    assert len(doc) == 0
    assert len(doc.sentences) == 0
    assert doc.columns.to_conllu() == data
    assert doc.text == ""


def test_several_roots_and_sentences_without_any_head_are_read() -> None:
    assert Doc.from_conllu(word(1) + word(2) + "\n").heads.tolist() == [0, 0]
    assert Doc.from_conllu(word(1, "_") + word(2, "_") + "\n").heads.tolist() == [-1, -1]


def test_a_sentence_of_a_hundred_thousand_words_is_read_in_linear_time() -> None:
    size = 100_000
    chain = "".join(word(i, i + 1) for i in range(1, size)) + word(size) + "\n"
    assert len(Doc.from_conllu(chain)) == size
    ring = chain.replace(word(size), word(size, 2)).replace(word(1, 2), word(1, 0))
    with pytest.raises(InputError, match="cycle"):
        Doc.from_conllu(ring)


@given(st.lists(st.integers(0, 8), min_size=1, max_size=8))
def test_trees_are_told_from_other_graphs_as_networkx_does(heads: list[int]) -> None:
    heads = [min(head, len(heads)) for head in heads]
    graph = networkx.DiGraph((head, child) for child, head in enumerate(heads, 1))
    is_tree = networkx.is_arborescence(graph) and 0 in graph
    assert (core.tree_fault(np.array(heads, dtype=np.int32)) == "") == is_tree


@settings(max_examples=300)
@given(
    st.one_of(st.just(SAMPLE.read_bytes()[:1500]), conllu_strategies.conllu_bytes()),
    st.lists(st.tuples(st.floats(0, 1), st.sampled_from(["set", "drop", "add"]), st.integers(0, 255)), max_size=4),
)
@example(b"1\t", [])
@example(b"\xef\xbb", [])
def test_a_mutated_file_is_read_back_exactly_or_refused_with_a_line(
    data: bytes, mutations: list[tuple[float, str, int]]
) -> None:
    mutated = bytearray(data)
    for place, kind, byte in mutations:
        if not mutated:
            break
        i = min(int(place * len(mutated)), len(mutated) - 1)
        mutated[i : i + (0 if kind == "add" else 1)] = b"" if kind == "drop" else bytes([byte])
    source = bytes(mutated)
    lenient, faults, skipped, consumed, _ = core.read_conllu(source, lenient=True)
    assert consumed == len(source)
    if faults:
        assert skipped > 0
        with pytest.raises(InputError) as caught:
            Doc.from_conllu(source)
        error = caught.value
        assert 1 <= error.line <= source.count(b"\n") + 1
        assert error.column >= 1
        assert (error.reason, error.line, error.column) == faults[0]
    else:
        doc = Doc.from_conllu(source)
        assert doc.columns.to_conllu() == source
        assert lenient.equals(doc.columns)
        assert skipped == 0
    assert len(lenient.text()) >= 0
