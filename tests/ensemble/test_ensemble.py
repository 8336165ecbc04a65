"""Agreement of parsers: a vote at the effort best, one parser at all others."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from cli.command import laconic
from parsed import score
from synthetic import conllu

from laconic.corpus import Doc
from laconic.ensemble import Ensemble, EnsembleConfig
from laconic.errors import ConfigError, ModelError
from laconic.graph import GraphConfig, SelectionSettings, vote
from laconic.learn import HiddenSettings, TrainingData
from laconic.pipeline import Pipeline, TrainConfig, train, with_settings
from laconic.progress import finished
from laconic.serve.service import ServedModel
from laconic.transition import Parser, ParserConfig

HIDDEN = HiddenSettings(units=32, epochs=2, exits=(9,))
FORWARD = ParserConfig(hidden=HIDDEN)
GRAPH = GraphConfig(
    pair_settings=SelectionSettings(epochs=2), hidden=HiddenSettings(units=32, epochs=2, window=0), folds=2
)
CONFIG = EnsembleConfig(
    FORWARD, replace(FORWARD, direction="right-to-left"), GRAPH, tolerance=0.02, graph_tolerance=0.01
)


@pytest.fixture(scope="module")
def dev() -> Doc:
    return Doc.from_conllu(conllu(80, 2, nonprojective=0.1))


@pytest.fixture(scope="module")
def fitted() -> Ensemble:
    return finished(Ensemble.fit(CONFIG, TrainingData(Doc.from_conllu(conllu(120, 1, nonprojective=0.1)))))


@pytest.fixture
def ensemble(fitted: Ensemble) -> Ensemble:
    return fitted.shared_copy()


def emptied(doc: Doc) -> Doc:
    copy = doc.sentences[:]
    copy.heads[:] = -1
    copy.set_codes("deprel", np.zeros(len(copy), np.int32), ["_"])
    return copy


def best(ensemble: Ensemble, doc: Doc) -> Doc:
    guess = emptied(doc)
    ensemble.search_effort("best")
    ensemble.apply(guess)
    return guess


def expected(docs: list[Doc], weights: np.ndarray | None = None) -> np.ndarray:
    """The vote of all, but for sentences about which the first two agree."""
    heads = vote(docs, weights)
    starts = docs[0].sentence_starts.tolist()
    agreed = 0
    for begin, end in pairwise(starts):
        if np.array_equal(docs[0].heads[begin:end], docs[1].heads[begin:end]):
            heads[begin:end] = docs[0].heads[begin:end]
            agreed += 1
    assert 0 < agreed < len(starts) - 1
    return heads


def test_the_tree_is_that_of_the_most_votes_and_labels_come_from_the_parsers_with_the_arc(
    ensemble: Ensemble, dev: Doc
) -> None:
    guess = best(ensemble, dev)
    docs, sure = [emptied(dev) for _ in range(3)], []
    for doc, parser in zip(docs, ensemble.voters, strict=False):
        parser.apply(doc)
    for parser in ensemble.voters:
        sure.append(parser.predict(dev, confidence=True).head_confidence)
    same = docs[0].heads == docs[1].heads
    third = ensemble.graph.predict(dev, known=np.where(same, docs[0].heads, -1).astype(np.int32))
    docs[2].heads[:] = third.heads
    sure.append(third.confidence)
    for number, other in ((0, None), (1, 0)):
        heads = docs[number].heads
        elsewhere = (heads != third.heads) & (True if other is None else heads != docs[other].heads)
        sure[number] = sure[number] + elsewhere * third.probability(heads)
    weights = np.rint(np.stack(sure) * 10_000).astype(np.int32).clip(1)
    assert np.array_equal(guess.heads, expected(docs, weights))
    assert not np.array_equal(docs[0].heads, docs[1].heads)
    labels, (forward, backward) = guess.strings("deprel"), (doc.strings("deprel") for doc in docs[:2])
    for i, label in enumerate(labels):
        having = [doc[i] for doc, one in zip((forward, backward), docs, strict=False) if one.heads[i] == guess.heads[i]]
        assert label in (having or (forward[i], backward[i]))
    ensemble.effort(0.0)
    alone = emptied(dev)
    ensemble.apply(alone)
    assert score(dev, guess) > score(dev, alone) - 1


def test_at_other_efforts_one_parser_works_alone(ensemble: Ensemble, dev: Doc) -> None:
    forward = ensemble.forward.shared_copy()
    for tolerance in (0.0, 0.02):
        wanted, guess = emptied(dev), emptied(dev)
        forward.effort(tolerance)
        ensemble.effort(tolerance)
        assert ensemble.apply(guess) == forward.apply(wanted)
        assert guess == wanted
    assert ensemble.search_efforts == ("best", "beam")
    forward.search_effort("beam")
    ensemble.search_effort("beam")
    wanted, guess = emptied(dev), emptied(dev)
    forward.apply(wanted)
    ensemble.apply(guess)
    assert guess == wanted


def test_votes_have_neither_confidences_nor_explanations(ensemble: Ensemble, dev: Doc) -> None:
    ensemble.search_effort("best")
    assert not ensemble.explainable
    for ask in (ensemble.confident, ensemble.explain):
        with pytest.raises(ConfigError, match="another effort"):
            ask(dev)
    ensemble.effort(0.0)
    assert len(ensemble.confident(emptied(dev))) == len(dev)
    assert {one.component for one in ensemble.explain(dev, [0])} == {"ensemble"}


def test_without_calibration_and_without_labels_every_parser_counts_the_same(dev: Doc) -> None:
    forward = replace(FORWARD, folds=0, labels="none")
    config = EnsembleConfig(forward, replace(forward, direction="right-to-left"), replace(GRAPH, folds=0))
    made = finished(Ensemble.fit(config, TrainingData(Doc.from_conllu(conllu(100, 1)))))
    guess = best(made, dev)
    assert made.columns == ("head",)
    assert set(guess.strings("deprel")) == {"_"}
    docs = [emptied(dev) for _ in range(3)]
    for parser, doc in zip((made.forward, made.backward), docs, strict=False):
        parser.apply(doc)
    same = docs[0].heads == docs[1].heads
    docs[2].heads[:] = made.graph.predict(dev, known=np.where(same, docs[0].heads, -1).astype(np.int32)).heads
    assert np.array_equal(guess.heads, expected(docs))


def test_settings_that_cannot_work_are_refused() -> None:
    with pytest.raises(ConfigError, match="tolerance"):
        EnsembleConfig(graph_tolerance=1.0)
    with pytest.raises(ConfigError, match="both have labels"):
        EnsembleConfig(forward=replace(FORWARD, labels="none"))
    for other in ("parser", "graph"):
        with pytest.raises(ConfigError, match=f"{other} and ensemble do the same work"):
            TrainConfig(Path("train.conllu"), components=(other, "ensemble"))


QUICK = {
    "ensemble.forward.hidden.epochs": "2",
    "ensemble.forward.hidden.units": "32",
    "ensemble.backward.hidden.epochs": "2",
    "ensemble.backward.hidden.units": "32",
    "ensemble.graph.hidden.epochs": "2",
    "ensemble.graph.hidden.units": "32",
    "ensemble.graph.pair_settings.epochs": "2",
    "ensemble.graph.folds": "2",
    "parser.hidden.epochs": "2",
    "parser.hidden.units": "32",
}


def test_a_model_is_trained_in_place_of_a_parser_and_its_best_effort_is_that_of_the_command_line(
    tmp_path: Path,
) -> None:
    for name, seed in (("train", 1), ("dev", 2)):
        (tmp_path / f"{name}.conllu").write_text(conllu(60, seed), "utf-8")
    files = (tmp_path / "train.conllu", tmp_path / "dev.conllu")
    plain = with_settings(TrainConfig(*files, components=("parser",)), QUICK)
    finished(train(plain, output=tmp_path / "plain.laconic"))
    config = replace(plain, components=("ensemble",), base=tmp_path / "plain.laconic")
    finished(train(config, output=tmp_path / "model.laconic"))
    nlp = Pipeline.load(tmp_path / "model.laconic")
    assert list(nlp.components) == ["ensemble"]
    assert nlp.provenance["base"]["components"] == []
    assert nlp.efforts[:3] == ["best", "beam", "full"]
    doc = emptied(Doc.from_conllu(conllu(5, 3)))
    (tmp_path / "in.conllu").write_text(doc.to_conllu(), "utf-8")
    keep = ("--keep", "lemma,upos,xpos,feats")
    for model, code in (("model", 0), ("plain", 2)):
        given = ("--model", tmp_path / f"{model}.laconic", "--effort", "best", *keep, tmp_path / "in.conllu")
        result = laconic("parse", *given)
        assert result.code == code, result.err
        if code == 0:
            assert Doc.from_conllu(result.out) == nlp.at("best")(doc)
        else:
            assert "no effort 'best'" in result.err
    served = ServedModel.of("model", nlp)
    assert "best" not in served.explained
    assert served.at("best")[1](emptied(doc)) == nlp.at("best")(doc)
    with pytest.raises(ConfigError, match="no effort 'best'"):
        Pipeline.load(tmp_path / "plain.laconic").effort = "best"


def test_parsers_that_do_not_fit_together_are_refused(ensemble: Ensemble) -> None:
    arrays, facts = ensemble.state()
    bare = replace(ensemble.backward.config, labels="none")
    other = finished(Parser.fit(bare, TrainingData(Doc.from_conllu(conllu(20, 3)))))
    own, said = other.state()
    kept = {name: array for name, array in arrays.items() if not name.startswith("backward.")}
    with pytest.raises(ModelError, match="one of the transition parsers has labels"):
        Ensemble.from_state(kept | {f"backward.{name}": one for name, one in own.items()}, facts | {"backward": said})


def test_confidence_of_heads_alone_leaves_labels_out(ensemble: Ensemble, dev: Doc) -> None:
    ensemble.effort(0.0)
    heads, both = (ensemble.confident_of(emptied(dev), columns) for columns in (("head",), ("head", "deprel")))
    assert (heads >= both).all()
    assert (heads > both).any()
    assert np.array_equal(both, ensemble.confident(emptied(dev)))
