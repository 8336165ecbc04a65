"""CoNLL-U in and out: nothing is lost, and others read the same."""

from __future__ import annotations

import io
import re
from pathlib import Path

import conllu
import conllu_strategies
import numpy as np
import pytest
from hypothesis import given

import laconic
from laconic.corpus import Doc, read, write
from laconic.errors import InputError

SAMPLE = Path(laconic.__file__).parent / "data" / "sample.conllu"
FIELDS = ("form", "lemma", "upos", "xpos", "feats", "deprel", "deps", "misc")


RAW_PARSERS = {
    name: (lambda line, i: line[i])
    for name in ("form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc")
}


def assert_same_as_conllu_package(path: Path) -> None:
    doc = read(path)
    with path.open(encoding="utf-8") as file:
        sentences = list(conllu.parse_incr(file, field_parsers=RAW_PARSERS))
    assert len(sentences) == len(doc.sentences)
    for field in FIELDS:
        words = [token[field] for tokens in sentences for token in tokens if isinstance(token["id"], int)]
        assert doc.strings(field) == words
    heads = [token["head"] for tokens in sentences for token in tokens if isinstance(token["id"], int)]
    assert [str(head) if head >= 0 else "_" for head in doc.heads.tolist()] == heads
    for kind, asides in (("-", doc.multiword_tokens), (".", doc.empty_nodes)):
        theirs = [
            [token for token in tokens if not isinstance(token["id"], int) and token["id"][1] == kind]
            for tokens in sentences
        ]
        assert [["".join(map(str, token["id"])) for token in row] for row in theirs] == [
            [aside.id for aside in row] for row in asides
        ]
        for field in (*FIELDS, "head"):
            assert [[token[field] for token in row] for row in theirs] == [
                [getattr(aside, field) for aside in row] for row in asides
            ]
    ids = [tokens.metadata.get("sent_id") for tokens in sentences]
    assert [sentence.sent_id for sentence in doc.sentences] == ids


def test_every_treebank_comes_back_byte_for_byte(treebanks: Path) -> None:
    paths = sorted(treebanks.glob("*/*.conll*"))
    assert paths
    for path in paths:
        assert read(path).columns.to_conllu() == path.read_bytes(), path


def test_the_conllu_package_reads_the_same_from_the_sample() -> None:
    assert_same_as_conllu_package(SAMPLE)


@pytest.mark.parametrize("name", ["en_ewt", "pt_bosque", "cs_mix", "da_cdt"])
def test_the_conllu_package_reads_the_same_from_a_treebank(treebanks: Path, name: str) -> None:
    assert_same_as_conllu_package(treebanks / name / "dev.conllu")


@given(conllu_strategies.conllu_bytes())
def test_any_valid_file_comes_back_byte_for_byte(data: bytes) -> None:
    doc = Doc.from_conllu(data)
    assert doc.columns.to_conllu() == data
    assert Doc.from_conllu(doc.to_conllu()) == doc


@given(conllu_strategies.conllu_bytes())
def test_line_ends_and_blank_lines_make_no_difference_to_equality(data: bytes) -> None:
    plain = data.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n")
    assert Doc.from_conllu(data) == Doc.from_conllu(plain)


@given(conllu_strategies.conllu_bytes())
def test_slices_put_together_are_the_whole(data: bytes) -> None:
    doc = Doc.from_conllu(data)
    count = len(doc.sentences)
    for cut in range(count + 1):
        parts = [doc.sentences[:cut], doc.sentences[cut:]]
        assert [len(part.sentences) for part in parts] == [cut, count - cut]
        assert Doc.concatenate(parts) == doc
        assert Doc.concatenate(parts).columns.to_conllu() == data
    assert Doc.concatenate(doc.sentences[i : i + 1] for i in range(count)) == doc


@given(conllu_strategies.conllu_bytes())
def test_the_documents_of_a_doc_are_the_whole(data: bytes) -> None:
    doc = Doc.from_conllu(data)
    parts = list(doc.documents())
    assert Doc.concatenate(parts) == doc
    assert all(part.sentences[0].newdoc is not None for part in parts[1:])
    assert all(sentence.newdoc is None for part in parts for sentence in list(part.sentences)[1:])


@given(conllu_strategies.conllu_bytes())
def test_codes_stand_for_the_strings(data: bytes) -> None:
    doc = Doc.from_conllu(data)
    before = doc.columns.to_conllu()
    for field in FIELDS:
        codes, values = doc.codes(field)
        assert codes.dtype == np.int32
        assert [values[code] for code in codes] == doc.strings(field)
        assert values == list(dict.fromkeys(doc.strings(field)))
        doc.set_codes(field, codes, values)
    assert doc.columns.to_conllu() == before
    assert doc.sentences[:].columns.to_conllu() == before


def test_a_change_to_one_cell_is_the_only_change() -> None:
    doc = read(SAMPLE)
    codes, values = doc.codes("upos")
    place = values.index("NOUN")
    values[place] = "THING"
    doc.set_codes("upos", codes, values)
    doc.heads[0] = 3
    expected = SAMPLE.read_text(encoding="utf-8").replace("\tNOUN\t", "\tTHING\t")
    expected = expected.replace("Definite=Def|PronType=Art\t2\tdet", "Definite=Def|PronType=Art\t3\tdet", 1)
    assert doc.to_conllu() == expected
    assert doc != read(SAMPLE)


def test_a_document_without_its_last_blank_line_gets_it_when_another_follows(tmp_path: Path) -> None:
    line = b"1\ta\t_\t_\t_\t_\t0\troot\t_\t_"
    for end in (b"", b"\n", b"\n\n"):
        first, second = Doc.from_conllu(line + end), Doc.from_conllu(line + end)
        path = tmp_path / "out.conllu"
        write([first, second], path)
        assert path.read_bytes() == line + b"\n\n" + line + end
        assert Doc.concatenate([first, second]).columns.to_conllu() == line + b"\n\n" + line + end


@given(conllu_strategies.conllu_bytes(), conllu_strategies.conllu_bytes())
def test_any_valid_files_one_after_another_are_a_valid_file(first: bytes, second: bytes) -> None:
    docs = [Doc.from_conllu(first), Doc.from_conllu(second)]
    file = io.BytesIO()
    write(docs, file)
    assert Doc.from_conllu(file.getvalue()) == Doc.concatenate(docs)


@given(conllu_strategies.conllu_bytes(), conllu_strategies.conllu_bytes())
def test_what_is_written_plainly_can_be_joined(first: bytes, second: bytes) -> None:
    docs = [Doc.from_conllu(first), Doc.from_conllu(second)]
    plain = b"".join(doc.columns.to_conllu(exact=False) for doc in docs)
    assert re.fullmatch(rb"([^\r\n]+\n(?:[^\r\n]+\n)*\n)*", plain)
    assert not plain.startswith(b"\xef\xbb\xbf")
    assert Doc.from_conllu(plain) == Doc.concatenate(docs)


@pytest.mark.parametrize("format", ["conllu", "conllx", "conll2008", "conll2009", "iob"])
def test_a_line_that_no_reader_would_take_is_not_written(format: str) -> None:
    file = io.BytesIO()
    write(Doc.from_words([["short", "x" * 2_000_000]], head=[[0, 1]]), file, format)
    assert read(io.BytesIO(file.getvalue()), format).strings("form")[1] == "x" * 2_000_000
    with pytest.raises(InputError, match="a line would have more than 4194304 bytes"):
        write(Doc.from_words([["short", "x" * 4_200_000]], head=[[0, 1]]), io.BytesIO(), format)


def test_a_line_of_the_greatest_length_is_read_and_written_whatever_its_end() -> None:
    rest = b"\t_\t_\t_\t_\t0\troot\t_\t_"
    line = b"1\t" + b"x" * (4_194_304 - 2 - len(rest)) + rest
    for end in (b"", b"\n", b"\n\n", b"\r\n\r\n"):
        assert Doc.from_conllu(line + end).columns.to_conllu() == line + end


def test_heads_that_make_no_sense_are_not_written() -> None:
    doc = read(SAMPLE)
    doc.heads[0] = 99
    with pytest.raises(ValueError, match="head 99 is out of range"):
        doc.to_conllu()
    doc.heads[0] = -1
    with pytest.raises(ValueError, match="expected a number for all or _ for all"):
        doc.to_conllu()
