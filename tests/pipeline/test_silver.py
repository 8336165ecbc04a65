"""Training on text that another model has labelled, beside the treebank."""

from __future__ import annotations

import io
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from synthetic import conllu

from laconic.corpus import Doc, read
from laconic.errors import ConfigError, InputError
from laconic.learn import TrainingData
from laconic.learn.folding import folds_of, without_silver
from laconic.learn.settings import Settings, seen_items
from laconic.pipeline import Pipeline, TrainConfig, train, with_settings
from laconic.progress import finished
from laconic.transition import ParserConfig
from laconic.transition.inventory import learnable
from laconic.transition.parser import Prepared

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


def test_a_folder_of_it_is_all_files_in_it(folder: Path, tmp_path: Path) -> None:
    whole = read(folder / "silver.conllu")
    place = tmp_path / "labelled"
    place.mkdir()
    for number, part in enumerate((whole.sentences[:100], whole.sentences[100:])):
        (place / f"part-{number:05}.conllu").write_bytes(part.columns.to_conllu())
    (place / ".laconic-job.jsonl").write_text("{}\n")
    config = TrainConfig(folder / "train.conllu", components=("tagger",), silver=(place,))
    facts = finished(train(config)).provenance["silver"]
    assert [one["file"] for one in facts["files"]] == ["part-00000.conllu", "part-00001.conllu"]
    assert facts["taken"]["sentences"] == len(whole.sentences)
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="empty: there is no labelled text in it"):
        finished(train(TrainConfig(folder / "train.conllu", components=("tagger",), silver=(tmp_path / "empty",))))


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


def with_comments(doc: Doc, name: str, values: list[float]) -> Doc:
    doc.columns.set_comments(
        [[*lines, f"# {name} = {value:.4f}"] for lines, value in zip(doc.comments, values, strict=True)]
    )
    return doc


def taken(folder: Path, silver: Path, **settings: object) -> dict[str, Any]:
    config = TrainConfig(folder / "train.conllu", components=("tagger",), silver=(silver,), **settings)  # type: ignore[arg-type]
    facts: dict[str, Any] = finished(train(config)).provenance["silver"]
    return facts


def test_sentences_of_which_the_teacher_was_less_sure_are_left_out(folder: Path, tmp_path: Path) -> None:
    doc = read(folder / "silver.conllu")
    count = len(doc.sentences)
    with_comments(doc, "conf_tags", [-0.01] * count)
    with_comments(doc, "conf_tree", [-0.05 if i % 3 else -1.0 for i in range(count)])
    (tmp_path / "sure.conllu").write_bytes(doc.columns.to_conllu())
    assert taken(folder, tmp_path / "sure.conllu")["left_out"]["unsure"] == 0
    facts = taken(folder, tmp_path / "sure.conllu", silver_confidence=0.9)
    assert facts["left_out"]["unsure"] == count // 3
    assert facts["taken"]["sentences"] == count - count // 3
    with pytest.raises(ConfigError, match="no sentence of the labelled text is left"):
        taken(folder, tmp_path / "sure.conllu", silver_confidence=0.999)
    with pytest.raises(ConfigError, match=r"silver.conllu: silver_confidence cannot be used: no sentence tells"):
        taken(folder, folder / "silver.conllu", silver_confidence=0.5)
    with pytest.raises(ConfigError, match="silver_confidence would change nothing"):
        TrainConfig(folder / "train.conllu", silver_confidence=0.5)
    with pytest.raises(ConfigError, match="silver_confidence must be"):
        TrainConfig(folder / "train.conllu", silver=(folder / "silver.conllu",), silver_confidence=1.5)


def test_sentences_that_are_known_or_came_before_are_left_out(folder: Path, tmp_path: Path) -> None:
    parts = [read(folder / name) for name in ("silver.conllu", "train.conllu", "dev.conllu")]
    doc = Doc.concatenate((parts[0], parts[0].sentences[:5], parts[1].sentences[:7], parts[2].sentences[:3]))
    doc.set_codes("lemma", np.zeros(len(doc), np.int32), ["_"])
    (tmp_path / "more.conllu").write_bytes(doc.columns.to_conllu())
    facts = taken(folder, tmp_path / "more.conllu", dev=folder / "dev.conllu")
    assert facts["left_out"] == {"annotated": 10, "repeated": 5, "unsure": 0}
    assert facts["taken"] == taken(folder, folder / "silver.conllu", dev=folder / "dev.conllu")["taken"]


def test_a_treebank_may_weigh_more_than_it(folder: Path) -> None:
    def order(weight: int, epoch: int) -> list[int]:
        settings = Settings(epochs=4, treebank_epochs=1, treebank_weight=weight)
        return seen_items(settings, epoch, np.arange(3, dtype=np.uint32), np.arange(3, 5, dtype=np.uint32)).tolist()

    assert order(1, 0) == [0, 1, 2, 3, 4]
    assert order(3, 0) == [0, 1, 2] * 3 + [3, 4]
    assert order(3, 3) == [0, 1, 2]
    made = []
    for weight in ("1", "4"):
        config = TrainConfig(
            folder / "train.conllu",
            components=("tagger", "parser"),
            silver=(folder / "silver.conllu",),
            silver_words=800,
        )
        config = with_settings(
            config,
            {
                "tagger.settings.treebank_weight": weight,
                "parser.hidden.treebank_weight": weight,
                "parser.hidden.epochs": "3",
                "parser.folds": "0",
                "tagger.folds": "0",
            },
        )
        made.append(finished(train(config)).components)
    doc = read(folder / "dev.conllu")
    for name in ("tagger", "parser"):
        states = [components[name].state()[0] for components in made]
        assert any(
            a.shape != states[1][key].shape or not np.array_equal(a, states[1][key]) for key, a in states[0].items()
        ), name
    assert made[1]["tagger"].judge(doc, doc)[0] > 80


def test_entities_are_learned_from_it_where_it_has_them(folder: Path, tmp_path: Path) -> None:
    def tagged(sentences: int, seed: int, name: str) -> Path:
        doc = read(io.BytesIO(conllu(sentences, seed=seed).encode()))
        for sentence in doc.sentences:
            for token in sentence:
                kind = "B-THING" if token.upos == "NOUN" and token.form.endswith(("os", "um")) else "O"
                token.misc = f"NER={kind}" if token.misc == "_" else f"{token.misc}|NER={kind}"
        (tmp_path / name).write_bytes(doc.columns.to_conllu())
        return tmp_path / name

    gold = tagged(15, 1, "train.conllu")
    config = TrainConfig(gold, components=("entities",))
    dev = read(tagged(100, 2, "dev.conllu"))
    scores = []
    for silver in ((), (tagged(200, 3, "silver.conllu"),)):
        pipeline = finished(train(replace(config, silver=silver)))
        scores.append(pipeline.components["entities"].judge(dev, dev)[0])
    assert scores[1] > scores[0]
    with pytest.raises(ConfigError, match="nothing that is trained learns from labelled text: entities"):
        finished(train(replace(config, silver=(folder / "silver.conllu",))))


def test_forms_of_the_treebank_count_as_often_as_it_weighs() -> None:
    rows = "".join(f"1\t{form}\t_\tNOUN\t_\t_\t0\troot\t_\t_\n\n" for form in ["gold"] + ["silver"] * 3)
    doc = Doc.from_conllu(rows)
    for weight, known in ((1, {"silver"}), (2, {"silver", "gold"})):
        config = with_settings(TrainConfig(Path("t")), {"parser.hidden.treebank_weight": str(weight)}).parser
        prepared = Prepared.of(replace(config, lexicon_minimum=2), doc, silver=3)
        assert {form for form in ("gold", "silver") if prepared.lexicon.find(form) is not None} == known
