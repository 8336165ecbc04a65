"""Documents that are at work together: each comes out as if it had been alone."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from nasty import TEXTS

import laconic
from laconic.corpus import Doc
from laconic.errors import InputError, LaconicError
from laconic.interop.writers import WRITERS
from laconic.pipeline import Pipeline
from laconic.pipeline.annotate import MOST_WORDS, Annotator
from laconic.pipeline.batch import BatchAnnotator
from laconic.pipeline.flow import at_once
from laconic.pipeline.job import ParseJob
from laconic.pipeline.pieces import Piece
from laconic.pipeline.sources import Input

PARAGRAPHS = [part for part in files("laconic").joinpath("data/bench.txt").read_text("utf-8").split("\n\n") if part]
LINES = [line for part in PARAGRAPHS for line in part.split(". ")]
NAMES = ["Washington spoke to Mary Jordan in Paris.", "washington was late.", "Jordan left Paris.", "I saw Washington."]


@pytest.fixture(scope="module")
def nlp() -> Pipeline:
    return laconic.load("en")


def same(one: Doc, other: Doc) -> bool:
    """All that can be seen of two documents."""
    return (
        one == other
        and one.columns.to_conllu() == other.columns.to_conllu()
        and one.text == other.text
        and np.array_equal(one.starts, other.starts)
        and np.array_equal(one.ends, other.ends)
        and all(one.codes(field)[1] == other.codes(field)[1] for field in ("lemma", "upos", "feats", "deprel", "misc"))
    )


def alone(nlp: Pipeline, source: Any) -> Doc | str:
    try:
        return nlp(source)
    except LaconicError as error:
        return str(error)


@pytest.mark.parametrize("effort", ["full", "balanced", "fast", "beam"])
def test_joined_documents_are_what_separate_ones_are(nlp: Pipeline, effort: str) -> None:
    own = nlp.at(effort)
    texts = [*LINES, *NAMES, "", " ", "\n\n", *PARAGRAPHS]
    for doc, text in zip(own.pipe(texts), texts, strict=True):
        assert same(doc, own(text)), text


def test_what_a_document_says_of_a_name_is_not_remembered_in_the_next(nlp: Pipeline) -> None:
    together = nlp(" ".join(NAMES))
    apart = [doc.to_conllu() for doc in nlp.pipe(NAMES)]
    assert apart == [nlp(text).to_conllu() for text in NAMES]
    lines = [line for text in apart for line in text.splitlines() if "\t" in line]
    joined = [line for line in together.to_conllu().splitlines() if "\t" in line]
    assert [line.split("\t")[1] for line in lines] == [line.split("\t")[1] for line in joined]
    assert lines != joined  # so the names above do show it


@pytest.mark.parametrize("threads", [1, 3])
def test_strange_texts_come_out_of_a_batch_as_they_do_alone(nlp: Pipeline, threads: int) -> None:
    fast = nlp.at("fast")
    texts = [text for text in TEXTS.values() if len(text) < 5000]
    good = [text for text in texts if isinstance(alone(fast, text), Doc)]
    assert len(good) < len(texts)
    for doc, text in zip(fast.pipe(good, threads=threads), good, strict=True):
        assert same(doc, fast(text)), repr(text)


def test_documents_are_filled_in_place_and_keep_the_rest(nlp: Pipeline) -> None:
    def given() -> list[Doc]:
        text = (
            "# newdoc id = a\n# text = He's in.\n1-2\tHe's\t_\t_\t_\t_\t_\t_\t_\t_\n1\tHe\t_\t_\t_\t_\t_\t_\t_\tA=1\n"
        )
        text += "2\t's\tbe\tAUX\t_\tMood=Ind\t_\t_\t0:root\tNER=B-X|Z=2\n2.1\tE\t_\t_\t_\t_\t_\t_\t_\t_\n"
        text += "3\tin\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n4\t.\t_\t_\t_\t_\t_\t_\t_\t_\n\n"
        return [Doc.from_conllu(text), Doc.from_words([["Ships", "sail"], ["On"]]), Doc.from_conllu("")]

    sources = given()
    found = list(nlp.pipe(sources))
    assert all(one is other for one, other in zip(found, sources, strict=True))
    for doc, one in zip(found, given(), strict=True):
        assert same(doc, nlp(one))
    twice = given()[0]
    assert same(next(iter(nlp.pipe([twice, twice]))), found[0])


def test_an_error_names_its_source_and_comes_after_the_documents_before_it(nlp: Pipeline) -> None:
    sources = ["One.", "Two.", "line\nbad \udce9", "Four."]
    docs = nlp.pipe(sources)
    assert [next(docs).text for _ in range(2)] == ["One.", "Two."]
    with pytest.raises(InputError, match=r"^sources\[2\]:2:5: character 9 is a lone surrogate"):
        next(docs)
    docs = nlp.pipe(["One.", 7])  # type: ignore[list-item]
    next(docs)
    with pytest.raises(InputError, match=r"^sources\[1\]: give a text"):
        next(docs)


def test_a_document_that_fails_does_not_take_the_others_with_it(nlp: Pipeline) -> None:
    """Whatever fails in the decisions about some document."""

    class Picky(Annotator):
        def apply(self, doc: Doc) -> Doc:
            if "fails" in doc.strings("form"):
                raise InputError("this one cannot be")
            return super().apply(doc)

    segmenter = nlp.segmenter
    batch = BatchAnnotator(Picky(nlp.components), segmenter, segmenter, {})
    texts = ["One sails.", "This fails.", "Another sails."]
    first, second, third = batch.outcomes(texts)
    assert isinstance(first, Doc)
    assert isinstance(third, Doc)
    assert same(first, nlp(texts[0]))
    assert same(third, nlp(texts[2]))
    assert isinstance(second, InputError)


def test_long_documents_are_not_joined(nlp: Pipeline, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[list[int]] = []
    plain = Annotator.apply_joined

    def noted(self: Annotator, docs: list[Doc]) -> None:
        sizes.append([len(doc) for doc in docs])
        plain(self, docs)

    monkeypatch.setattr(Annotator, "apply_joined", noted)
    long = " ".join(["Ships sail."] * MOST_WORDS)
    assert [len(doc) for doc in nlp.select("segmenter", "morphology").pipe(["One.", "Two.", long, "Three."])][2] > 8000
    assert sizes == [[2, 2]]


def test_where_documents_decide_what_is_warned_of_each_is_looked_at(nlp: Pipeline) -> None:
    bare = nlp.select("segmenter", "lemmatizer")
    tagged = nlp.select("segmenter", "morphology")("Ships sail.")
    with pytest.warns(laconic.errors.MissingColumnsWarning):
        list(bare.pipe([tagged, "Ships sail."]))


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("confidence", [False, True])
def test_short_documents_of_a_file_come_out_as_if_each_were_alone(
    nlp: Pipeline, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, confidence: bool, threads: int
) -> None:
    own = nlp.at("balanced")
    path = tmp_path / "many.txt"
    path.write_text("\f".join([*LINES, *NAMES, " ", PARAGRAPHS[0]]), "utf-8")

    def parsed() -> list[Piece]:
        job = ParseJob(
            own, (Input(str(path)), Input(str(path))), WRITERS["jsonl"], threads=threads, confidence=confidence
        )
        return list(job.run())

    joined = parsed()
    monkeypatch.setattr(Annotator, "joins", False)
    separate = parsed()
    assert len(joined) == len(separate) > 100
    for one, other in zip(joined, separate, strict=True):
        assert same(one.doc, other.doc)
        assert (one.opens, one.begin, one.end) == (other.opens, other.begin, other.end)
        assert b"".join(one.body) == b"".join(other.body)
        assert str(one.states) == str(other.states)
    assert ("ArcConf" in joined[0].doc.to_conllu()) == confidence


@pytest.mark.parametrize("threads", [1, 3])
def test_what_was_read_before_an_error_comes_before_it(nlp: Pipeline, tmp_path: Path, threads: int) -> None:
    good, bad = tmp_path / "good.txt", tmp_path / "bad.txt"
    good.write_bytes(b"One.\fTwo.\fThree.")
    bad.write_bytes(b"Four. \xff")
    pieces = ParseJob(nlp, (Input(str(good)), Input(str(bad))), WRITERS["conllu"], threads=threads).run()
    assert [next(pieces).doc.text.strip() for _ in range(3)] == ["One.", "Two.", "Three."]
    with pytest.raises(InputError, match=r"bad\.txt"):
        next(pieces)


def test_tasks_that_run_at_once_give_their_results_in_order_and_the_first_error() -> None:
    assert list(at_once({"b": lambda: 1, "a": lambda: 2}).items()) == [("b", 1), ("a", 2)]
    assert at_once({}) == {}

    def fails(with_: Exception) -> int:
        raise with_

    with pytest.raises(LookupError):
        at_once({"good": lambda: 1, "first": lambda: fails(LookupError()), "second": lambda: fails(ValueError())})
