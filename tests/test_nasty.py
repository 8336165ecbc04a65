"""Whatever is given: an answer or an error of ours, and nothing of the text lost."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import nasty
import pytest
from cli.command import COMMAND, laconic
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import laconic as package
from laconic.corpus import Doc
from laconic.errors import InputError, LaconicError
from laconic.pipeline import Pipeline


@pytest.fixture(scope="module")
def nlp(small_model: Path) -> Pipeline:
    return package.load(small_model)


def answer(nlp: Pipeline, source: object) -> Doc | None:
    try:
        return nlp(source)  # type: ignore[arg-type]
    except LaconicError:
        return None


def has_token(text: str) -> bool:
    return any(not (c.isspace() or c in "\0\ufeff") for c in text)


def check(doc: Doc, text: str) -> None:
    """It can be written, read again, and nothing is lost."""
    assert Doc.from_conllu(doc.to_conllu()) == doc
    if doc:
        assert doc.text == text
    else:
        assert not has_token(text)


def test_there_are_at_least_two_hundred_of_them() -> None:
    assert len(list(nasty.everything())) >= 200


@pytest.mark.parametrize(("name", "source"), list(nasty.everything()), ids=[name for name, _ in nasty.everything()])
def test_nasty_inputs_have_an_answer_or_an_error(nlp: Pipeline, name: str, source: object) -> None:
    doc = answer(nlp, source)
    if isinstance(source, str):
        broken = any("\ud800" <= c <= "\udfff" for c in source)
        assert (doc is None) == broken
    if doc is not None and isinstance(source, str):
        check(doc, source)
    elif doc is not None and isinstance(source, bytes):
        check(doc, source.decode())
    elif doc is not None:
        assert Doc.from_conllu(doc.to_conllu()) == doc


def test_ten_thousand_random_texts_have_an_answer_in_which_nothing_is_lost(nlp: Pipeline) -> None:
    draw = random.Random("nasty")
    texts = [nasty.random_text(draw) for _ in range(10_000)]
    for text, doc in zip(texts, nlp.pipe(texts, threads=2), strict=True):
        assert doc.text == text if doc else not has_token(text)


@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(source=st.one_of(st.text(), st.binary(), st.lists(st.lists(st.text()))))
def test_anything_at_all_has_an_answer_or_an_error(nlp: Pipeline, source: object) -> None:
    answer(nlp, source)


def test_pieces_of_nasty_texts_are_told_as_the_whole_is(nlp: Pipeline) -> None:
    text = "\n".join(text for text in nasty.TEXTS.values() if len(text) < 2000 and text.isprintable())
    whole = nlp(text)
    pieces = nlp.stream((text[i : i + 100] for i in range(0, len(text), 100)), characters=500)
    assert Doc.concatenate(pieces).strings("form") == whole.strings("form")


def test_the_command_gives_an_answer_or_one_line_of_error(small_model: Path, tmp_path: Path) -> None:
    path = tmp_path / "nasty"
    for number, (name, source) in enumerate(nasty.everything()):
        form = ("conllu", "jsonl", "text", "table", "json")[number % 5]
        if not isinstance(source, str | bytes):
            continue
        path.write_bytes(source if isinstance(source, bytes) else source.encode("utf-8", "surrogatepass"))
        result = laconic("parse", "-m", small_model, path, "--to", form)
        if result.code:
            assert result.code == 1, name
            assert result.err.startswith("laconic: "), name
            assert result.err.count("\n") == 1, name
        else:
            assert result.err == "", name


def test_ten_thousand_random_documents_go_through_the_command(small_model: Path, tmp_path: Path) -> None:
    draw = random.Random("nasty too")
    path = tmp_path / "random.txt"
    path.write_text("\f".join(nasty.random_text(draw) for _ in range(10_000)), "utf-8", newline="")
    result = laconic("parse", "-m", small_model, path, "-o", tmp_path / "out.conllu", "--threads", "2")
    assert (result.code, result.err) == (0, "")
    documents = list(package.read(tmp_path / "out.conllu").documents())
    assert len(documents) > 8_000
    assert all(doc.sentences[0].newdoc for doc in documents)


def test_the_command_takes_nasty_texts_as_arguments(small_model: Path) -> None:
    for name, text in list(nasty.TEXTS.items())[::4]:
        if "\0" in text or len(text) > 5000:
            continue
        result = laconic("parse", "-m", small_model, "--text", text)
        assert result.code in (0, 1), name
        assert result.err.count("\n") == (result.code == 1), name


@pytest.mark.skipif(sys.platform == "win32", reason="bytes as arguments")
def test_an_argument_that_is_no_utf8_is_one_line_of_error(small_model: Path) -> None:
    done = subprocess.run([*COMMAND, "parse", "-m", small_model, "--text", b"caf\xe9 noir"], capture_output=True)
    assert done.returncode == 1
    assert done.stderr.count(b"\n") == 1
    assert b"UTF-8" in done.stderr


def test_a_broken_text_says_where_it_is_broken(nlp: Pipeline) -> None:
    with pytest.raises(InputError, match=r"2:3: byte 7 is not UTF-8|byte"):
        nlp(b"good\nna\xefve")
