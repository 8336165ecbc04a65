"""Training on text that another model has labelled, beside the treebank."""

from __future__ import annotations

import io
import re
from pathlib import Path

import numpy as np
import pytest
from synthetic import conllu

from laconic.corpus import Doc, read
from laconic.errors import ConfigError
from laconic.learn import TrainingData
from laconic.learn.folding import folds_of, without_silver
from laconic.pipeline import Pipeline, TrainConfig, train, with_settings
from laconic.progress import finished
from laconic.transition import ParserConfig
from laconic.transition.inventory import learnable

QUICK = {
    "morphology.tagger.settings.epochs": "3",
    "morphology.features.settings.epochs": "3",
    "parser.hidden.epochs": "3",
    "parser.hidden.units": "32",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("data")
    for name, sentences, seed in (("train", 40, 1), ("dev", 150, 2), ("silver", 300, 3)):
        text = conllu(sentences, seed=seed)
        if name == "silver":  # a teacher without lemmas
            text = re.sub(r"(?m)^(\d+\t[^\t]*\t)[^\t]*", r"\1_", text)
        (place / f"{name}.conllu").write_text(text, encoding="utf-8")
    return place


def configured(folder: Path, **given: object) -> TrainConfig:
    names = ("morphology", "lemmatizer", "parser")
    return with_settings(
        TrainConfig(folder / "train.conllu", folder / "dev.conllu", components=names, **given),  # type: ignore[arg-type]
        QUICK,
    )


def labelled(folder: Path, **given: object) -> Pipeline:
    return finished(train(configured(folder, **given)))


@pytest.fixture(scope="module")
def taught(folder: Path) -> Pipeline:
    return labelled(folder, silver=(folder / "silver.conllu",))


def test_tags_and_trees_are_learned_from_it_too_but_lemmas_are_not(folder: Path, taught: Pipeline) -> None:
    alone = labelled(folder)
    for metric in ("UPOS", "XPOS", "LAS"):
        assert taught.provenance["scores"]["full"][metric] > alone.provenance["scores"]["full"][metric] + 1
    lemmas = [pipeline.components["lemmatizer"].state()[1]["labels"] for pipeline in (taught, alone)]
    assert lemmas[0] == lemmas[1]


def test_the_same_training_writes_the_same_bytes_and_says_what_it_saw(
    folder: Path, taught: Pipeline, tmp_path: Path
) -> None:
    taught.save(tmp_path / "a.laconic")
    labelled(folder, silver=(folder / "silver.conllu",)).save(tmp_path / "b.laconic")
    assert (tmp_path / "a.laconic").read_bytes() == (tmp_path / "b.laconic").read_bytes()
    facts = taught.provenance["silver"]
    assert facts["files"][0]["file"] == "silver.conllu"
    assert facts["taken"]["sentences"] == facts["files"][0]["sentences"] == 300


def test_some_of_it_is_drawn_from_all_of_it(folder: Path) -> None:
    small = {"components": ("tagger",), "silver": (folder / "silver.conllu",), "silver_words": 500}
    config = TrainConfig(folder / "train.conllu", **small)  # type: ignore[arg-type]
    config = with_settings(config, {"tagger.settings.epochs": "1", "tagger.folds": "0"})
    facts = finished(train(config)).provenance["silver"]
    assert 500 <= facts["taken"]["words"] < 550
    other = with_settings(config, {"silver_seed": "2"})
    assert finished(train(other)).provenance["silver"]["taken"] != facts["taken"]


def test_without_trees_tags_are_learned_from_it_and_trees_from_the_treebank(
    folder: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    tagged = read(folder / "silver.conllu")
    tagged.heads[:] = -1
    tagged.set_codes("deprel", np.zeros(len(tagged), np.int32), ["_"])
    (tmp_path / "tagged.conllu").write_bytes(tagged.columns.to_conllu())
    pipeline = labelled(folder, silver=(tmp_path / "tagged.conllu",))
    assert (
        "tagged.conllu: not every word has heads, from which the parser learns: it learns from the treebank alone"
        in (caplog.text)
    )
    assert pipeline.provenance["scores"]["full"]["UPOS"] > 90


def test_what_lacks_tags_is_refused(folder: Path, tmp_path: Path) -> None:
    bare = read(folder / "silver.conllu")
    bare.set_codes("upos", np.zeros(len(bare), np.int32), ["_"])
    (tmp_path / "bare.conllu").write_bytes(bare.columns.to_conllu())
    with pytest.raises(ConfigError, match=r"bare.conllu: not every word has upos, from which the morphology"):
        labelled(folder, silver=(folder / "silver.conllu", tmp_path / "bare.conllu"))
    with pytest.raises(ConfigError, match=r"bare.conllu: not every word has upos, from which the parser"):
        finished(
            train(TrainConfig(folder / "train.conllu", components=("parser",), silver=(tmp_path / "bare.conllu",)))
        )


def test_a_number_of_words_without_any_text_is_refused(folder: Path) -> None:
    with pytest.raises(ConfigError, match="silver_words would change nothing"):
        TrainConfig(folder / "train.conllu", silver_words=10)
    for wrong in ({"silver_words": -1}, {"silver_seed": -1}, {"silver_seed": 2**40}):
        with pytest.raises(ConfigError, match="must be a whole number"):
            TrainConfig(folder / "train.conllu", silver=(folder / "silver.conllu",), **wrong)  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="nothing that is trained learns from labelled text: segmenter"):
        finished(
            train(TrainConfig(folder / "train.conllu", components=("segmenter",), silver=(folder / "silver.conllu",)))
        )


def test_folds_halve_it_and_nothing_is_calibrated_on_it(folder: Path) -> None:
    doc = Doc.concatenate((read(folder / "train.conllu"), read(folder / "silver.conllu")))
    parts = folds_of(doc, 5, silver=300)
    assert len(parts) == 2
    assert sorted(np.concatenate(parts).tolist()) == list(range(340))
    assert [int((part >= 40).sum()) for part in parts] == [150, 150]
    left = without_silver([(None, part) for part in parts], doc, 300)
    assert sorted(np.concatenate([part for _, part in left]).tolist()) == list(range(40))


def test_the_treebank_is_what_comes_before_it(folder: Path) -> None:
    treebank = read(folder / "train.conllu")
    doc = Doc.concatenate((treebank, read(folder / "silver.conllu")))
    data = TrainingData(doc, predicted=doc, silver=300).treebank
    assert data.gold == treebank == data.predicted
    assert not data.silver


def test_trees_that_cross_in_it_bring_no_new_labels() -> None:
    treebank, silver = (read_text(conllu(60, seed=seed, nonprojective=share)) for seed, share in ((1, 0.0), (2, 0.8)))
    trees, inventory = learnable(Doc.concatenate((treebank, silver)), ParserConfig(), len(silver.sentences))
    assert not any("↑" in name for name in inventory.names)
    _, encoded = learnable(Doc.concatenate((treebank, silver)), ParserConfig())
    assert any("↑" in name for name in encoded.names)
    assert (trees.heads[: len(treebank)] == treebank.heads).all()


def read_text(text: str) -> Doc:

    return read(io.BytesIO(text.encode()))
