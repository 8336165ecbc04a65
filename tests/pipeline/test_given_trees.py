"""Treebanks whose trees are given: their arcs get labels, and a tree that is missing is told with its place."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import numpy as np
import pytest
from synthetic import conllu

from laconic.corpus import Doc, read
from laconic.errors import ConfigError, InputError
from laconic.interop.writers import WRITERS
from laconic.label import Labeler, LabelerConfig
from laconic.learn import Settings, TrainingData
from laconic.pipeline import Pipeline, sources
from laconic.pipeline.annotate import Annotator
from laconic.pipeline.job import ParseJob
from laconic.pipeline.sources import Input
from laconic.progress import finished
from laconic.transition import Parser, ParserConfig


@pytest.fixture(scope="module")
def pipeline() -> Pipeline:
    config = LabelerConfig(settings=Settings(epochs=1), folds=0)
    data = TrainingData(Doc.from_conllu(conllu(60, seed=1)))
    return Pipeline({"labeler": finished(Labeler.fit(config, data))}, {}, {})


def without_heads(sentences: int, last: int) -> str:
    """So many sentences, the last of them without heads."""
    *rows, end = conllu(sentences, seed=2).split("\n\n")
    for i in range(sentences - last, sentences):
        lines = [line.split("\t") for line in rows[i].split("\n")]
        rows[i] = "\n".join("\t".join([*line[:6], "_", *line[7:]] if len(line) == 10 else line) for line in lines)
    return "\n\n".join([*rows, end])


def job(pipeline: Pipeline, path: Path, format: str = "conllu", keep: tuple[str, ...] = ("upos", "head")) -> ParseJob:
    return ParseJob(pipeline, (Input(str(path), format=format),), WRITERS["conllu"], keep)


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_a_sentence_without_heads_is_told_with_its_file_and_line(
    pipeline: Pipeline, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ends: str
) -> None:
    monkeypatch.setattr(sources, "BATCH", 50)  # words: the file comes in many pieces
    text = "\n\n" + without_heads(90, 5)
    path = tmp_path / "some.conllu"
    path.write_bytes(text.replace("\n", ends).encode())
    before = "\n\n".join(text.split("\n\n")[:86])  # the blank lines at the beginning count as one
    with pytest.raises(InputError, match="sentence 86 has no heads") as caught:
        list(job(pipeline, path).run())
    assert (caught.value.file, caught.value.line) == (str(path), before.count("\n") + 3)
    kept = [piece.doc for piece in job(pipeline, path, keep=("upos", "head", "deprel")).run()]
    assert (Doc.concatenate(kept).heads == read(path).heads).all()


def test_of_other_formats_the_number_of_the_sentence_in_the_file_is_told(
    pipeline: Pipeline, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sources, "BATCH", 50)
    path = tmp_path / "some.conll"
    rows = [line for line in without_heads(30, 2).split("\n") if not line.startswith("#") and "-" not in line[:5]]
    path.write_text("\n".join(rows), "utf-8")
    with pytest.raises(InputError, match="sentence 29 has no heads") as caught:
        list(job(pipeline, path, "conllx").run())
    assert caught.value.file == str(path)


def test_development_data_with_trees_missing_are_refused() -> None:
    Labeler.check_dev(LabelerConfig(), Doc.from_conllu(conllu(5, seed=2)))
    with pytest.raises(ConfigError, match="sentences without heads"):
        Labeler.check_dev(LabelerConfig(), Doc.from_conllu(without_heads(5, 1)))


@pytest.mark.parametrize("labels", ["after", "none"])
def test_the_confidence_of_an_arc_is_that_of_its_head_and_of_the_label_that_stands(
    labels: Literal["after", "none"],
) -> None:
    """The labels of the parser are written over by those of the labeler: how sure it was of them counts no more."""
    data = TrainingData(Doc.from_conllu(conllu(60, seed=1)))
    settings = Settings(epochs=1)
    parser_config = ParserConfig(
        scorer="linear", labels=labels, projective="none", settings=settings, label_settings=settings
    )
    parser = finished(Parser.fit(parser_config, data))
    labeler = finished(Labeler.fit(LabelerConfig(settings=settings, folds=2), data))
    doc = Doc.from_conllu(conllu(20, seed=2))
    found = parser.predict(doc, confidence=True)
    made = Annotator({"parser": parser, "labeler": labeler}, confidence=True).apply(doc.sentences[:])
    _, _, sure = labeler.predict(made, confidence=True)
    expected = [f"ArcConf={one:.3f}" for one in np.rint(found.head_confidence * sure * 1000) / 1000]
    assert [entry for misc in made.strings("misc") for entry in misc.split("|") if "ArcConf" in entry] == expected
    if labels == "after":
        assert (found.label_confidence < 0.99).any()
