"""Beams: greedy at width 1, better trees at more, several trees of a sentence, max-violation training."""

from __future__ import annotations

import itertools
import math
from dataclasses import fields, replace
from itertools import pairwise

import networkx as nx
import numpy as np
import pytest
from synthetic import conllu
from systems import ARC_SYSTEMS

from laconic.corpus import Doc
from laconic.errors import ConfigError
from laconic.evaluate import evaluate
from laconic.learn import HiddenSettings, Settings, TrainingData
from laconic.progress import finished
from laconic.transition import Beam, Parser, ParserConfig

SETTINGS = Settings(epochs=2, exits=(4, 10), rate=0.05)
CONFIG = ParserConfig(scorer="linear", settings=SETTINGS, label_settings=SETTINGS, folds=2)
HIDDEN = HiddenSettings(epochs=2, exits=(9, 26))


@pytest.fixture(scope="module")
def train() -> Doc:
    return Doc.from_conllu(conllu(150, seed=1))


@pytest.fixture(scope="module")
def dev() -> Doc:
    return Doc.from_conllu(conllu(100, seed=2))


@pytest.fixture(scope="module")
def parsers(train: Doc) -> dict[str, Parser]:
    made = {
        "hidden": finished(Parser.fit(replace(CONFIG, scorer="hidden", hidden=HIDDEN, slack=0), TrainingData(train)))
    }
    for system in (*ARC_SYSTEMS, "step-back"):
        pairs = system == "step-back"
        config = replace(
            CONFIG, system=system, templates="stepback" if pairs else "parser", labels="none" if pairs else "after"
        )
        made[system] = finished(Parser.fit(config, TrainingData(train)))
    return made


@pytest.fixture(scope="module")
def structured(train: Doc) -> Parser:
    return finished(Parser.fit(replace(CONFIG, beam=4), TrainingData(train)))


def is_tree(heads: np.ndarray) -> bool:
    return nx.is_arborescence(nx.DiGraph([(int(head), word) for word, head in enumerate(heads, 1)]))


def test_a_width_of_one_without_labels_is_greedy(train: Doc, dev: Doc) -> None:
    """With labels it is not quite: how sure a label would be counts for its move."""
    parser = finished(Parser.fit(replace(CONFIG, labels="none"), TrainingData(train)))
    greedy, wide = parser.predict(dev), parser.searching(Beam(1)).predict(dev)
    assert np.array_equal(greedy.heads, wide.heads)
    assert greedy.work.moves == wide.work.moves


def test_every_system_builds_trees_at_every_width(parsers: dict[str, Parser], dev: Doc) -> None:
    for parser, width in itertools.product(parsers.values(), (2, 3, 8)):
        heads = parser.searching(Beam(width)).predict(dev).heads
        assert all(is_tree(heads[begin:end]) for begin, end in itertools.pairwise(dev.sentence_starts.tolist()))


def test_wider_beams_find_likelier_trees(parsers: dict[str, Parser], dev: Doc) -> None:
    for name in ("hidden", "arc-hybrid", "arc-standard"):
        scores = [
            sum(trees[0].score for trees in Beam(width, slack=math.inf).trees(parsers[name], dev, 1))
            for width in (1, 4, 16)
        ]
        assert scores == sorted(scores)
        assert scores[0] < scores[2] < 0


def test_the_trees_of_a_sentence_differ_and_get_worse(parsers: dict[str, Parser], dev: Doc) -> None:
    for parser in parsers.values():
        found = parser.trees(dev, 5)
        assert len(found) == len(dev.sentences)
        for trees, sentence in zip(found, dev.sentences, strict=True):
            assert 1 <= len(trees) <= 5
            assert all(len(tree.heads) == len(sentence) and is_tree(tree.heads) for tree in trees)
            scores = [tree.score for tree in trees]
            assert scores == sorted(scores, reverse=True)
            distinct = {(tuple(tree.heads.tolist()), tuple(tree.relations.tolist())) for tree in trees}
            assert len(distinct) == len(trees)
        assert max(len(trees) for trees in found) == 5


def test_all_trees_of_a_short_sentence_have_the_probability_of_one(train: Doc) -> None:
    """Summed over everything that arc-hybrid can do; labels are left out, for only the best of each arc is followed."""
    parser = finished(Parser.fit(replace(CONFIG, labels="none"), TrainingData(train)))
    three = next(sentence for sentence in train.sentences if len(sentence) >= 3)
    doc = Doc.from_words([[token.form for token in three][:3]], upos=[[token.upos for token in three][:3]])
    (trees,) = Beam(1024, slack=math.inf).trees(parser, doc, 1024)
    assert sum(math.exp(tree.score) for tree in trees) == pytest.approx(1, abs=1e-6)


def test_slack_drops_hypotheses_and_not_the_best(parsers: dict[str, Parser], dev: Doc) -> None:
    parser = parsers["arc-hybrid"]
    narrow, wide = (parser.searching(Beam(8, slack)).predict(dev) for slack in (0.5, 50.0))
    assert narrow.work.moves < wide.work.moves
    same = np.mean(narrow.heads == wide.heads)
    assert same > 0.9


def test_long_sentences_are_parsed_greedily(parsers: dict[str, Parser], dev: Doc) -> None:
    for parser in parsers.values():
        short, one = (parser.searching(beam).predict(dev).heads for beam in (Beam(8, longest=0), Beam(1)))
        assert np.array_equal(short, one)


def test_sentences_do_not_depend_on_each_other(parsers: dict[str, Parser], dev: Doc) -> None:
    beam = parsers["arc-eager"].searching(Beam(4))
    pieces = [beam.predict(dev.sentences[i : i + 1]).heads for i in range(len(dev.sentences))]
    assert np.array_equal(beam.predict(dev).heads, np.concatenate(pieces))


def test_max_violation_training_learns_and_repeats(structured: Parser, train: Doc, dev: Doc) -> None:
    guess = dev.sentences[:]
    structured.apply(guess)
    assert evaluate(dev, guess)["LAS"].f1 > 85
    again = finished(Parser.fit(replace(CONFIG, beam=4), TrainingData(train)))
    for name, array in structured.state()[0].items():
        assert np.array_equal(array, again.state()[0][name])


def test_a_parser_of_max_violation_training_always_searches_and_survives_its_file(structured: Parser, dev: Doc) -> None:
    assert structured.search == Beam(4)
    structured.effort(0.01)
    assert structured.search == Beam(4)
    arrays, facts = structured.state()
    loaded = Parser.from_state(arrays, facts)
    assert loaded.search == Beam(4)
    assert np.array_equal(loaded.predict(dev).heads, structured.predict(dev).heads)


@pytest.mark.parametrize("system", ARC_SYSTEMS)
def test_max_violation_training_is_for_every_arc_system(system: str, train: Doc, dev: Doc) -> None:
    config = replace(CONFIG, system=system, beam=2)
    parser = finished(Parser.fit(config, TrainingData(train.sentences[:80])))
    guess = dev.sentences[:40]
    parser.apply(guess)
    assert evaluate(dev.sentences[:40], guess)["UAS"].f1 > 75


def test_joint_actions_can_be_learned_by_max_violation(train: Doc, dev: Doc) -> None:
    parser = finished(Parser.fit(replace(CONFIG, labels="joint", beam=4), TrainingData(train)))
    guess = dev.sentences[:]
    parser.apply(guess)
    assert evaluate(dev, guess)["LAS"].f1 > 80


def test_what_cannot_be_is_refused(parsers: dict[str, Parser], train: Doc, dev: Doc) -> None:
    for wrong in ({"width": 0}, {"width": 1025}, {"slack": -1.0}, {"slack": math.nan}, {"longest": -1}, {"width": 2.5}):
        with pytest.raises(ConfigError):
            Beam(**wrong)  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="hidden"):
        replace(CONFIG, scorer="hidden", beam=4)
    with pytest.raises(ConfigError, match="own"):
        replace(CONFIG, beam=4, slack=0.5)
    with pytest.raises(ConfigError, match="folds"):
        replace(CONFIG, slack=0.5, folds=0)
    for slack in (-1.0, math.nan, 101.0):
        with pytest.raises(ConfigError, match="slack"):
            replace(CONFIG, slack=slack)
    bare = finished(Parser.fit(replace(CONFIG, folds=0), TrainingData(train.sentences[:30])))
    with pytest.raises(ConfigError, match="folds"):
        bare.searching(Beam())
    with pytest.raises(ConfigError, match="folds"):
        bare.trees(dev, 2)
    for count in (0, 2000, 1.5):
        with pytest.raises(ConfigError, match="count"):
            parsers["hidden"].trees(dev, count)  # type: ignore[arg-type]


@pytest.mark.parametrize("beam", [Beam(2, 0.5), Beam(8, 5.0)])
def test_confidences_and_explanations_are_of_the_tree_that_was_found(
    parsers: dict[str, Parser], dev: Doc, beam: Beam
) -> None:
    greedy, parser = parsers["hidden"].searching(Beam(1)), parsers["hidden"].searching(beam)
    found, rated = parser.predict(dev), parser.predict(dev, confidence=True)
    assert not np.array_equal(found.heads, greedy.predict(dev).heads)
    assert np.array_equal(found.heads, rated.heads)
    assert np.array_equal(found.relations, rated.relations)
    assert found.work == rated.work
    assert ((rated.head_confidence > 0) & (rated.head_confidence <= 1)).all()
    # Where both found the same arcs by the same moves they are as sure.
    own = greedy.predict(dev, confidence=True)
    equal = [
        np.array_equal(own.heads[a:b], rated.heads[a:b]) and np.array_equal(own.relations[a:b], rated.relations[a:b])
        for a, b in pairwise(dev.sentence_starts)
    ]
    assert any(equal)
    for fits, (a, b) in zip(equal, pairwise(dev.sentence_starts), strict=True):
        if fits:
            assert np.array_equal(own.head_confidence[a:b], rated.head_confidence[a:b])
    explained = parser.explain(dev)
    heads = {one.word: one for one in explained if one.question == "head"}
    names = parser.inventory.names
    for one in explained:
        if one.question == "deprel":
            assert one.label == names[found.relations[one.word]]
        assert one.candidates[0] == one.label
    against = [one for one in heads.values() if one.margin is not None and one.margin < 0]
    assert against
    assert all("not in what follows" in one.reason for one in against)
    for word, one in heads.items():
        head = found.heads[word]
        assert one.effect.endswith("a root") == (head == 0)


def test_a_parser_in_doubt_follows_two_moves(train: Doc, dev: Doc) -> None:
    config = replace(CONFIG, scorer="hidden", hidden=HIDDEN, slack=0.5)
    parser = finished(Parser.fit(config, TrainingData(train)))
    assert parser.search == Beam(2, 0.5)
    greedy = parser.searching(Beam(1)).predict(dev)
    own = parser.predict(dev)
    assert greedy.work.moves < own.work.moves < 2 * greedy.work.moves
    parser.effort(0.002)
    assert parser.search == Beam(2, 0.5)
    parser.effort(0.02)
    assert parser.search is None
    again = Parser.from_state(*parser.state())
    assert again.config.own_slack == 0.5
    assert np.array_equal(again.predict(dev).heads, own.heads)
    assert ParserConfig().own_slack > 0
    assert ParserConfig(scorer="linear").own_slack == 0
    assert replace(config, slack=0).own_slack == 0


def test_work_of_parsers_adds_up_in_all_its_parts(parsers: dict[str, Parser], dev: Doc) -> None:
    work = parsers["arc-hybrid"].predict(dev).work
    assert work + work == replace(work, **{field.name: 2 * getattr(work, field.name) for field in fields(work)})
