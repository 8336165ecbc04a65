"""The graph parser as a component: trees, thresholds, confidences, explanations, damaged models."""

from __future__ import annotations

import itertools
from dataclasses import replace
from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from synthetic import conllu

from laconic.corpus import Doc
from laconic.corpus.projectivity import nonprojective_arcs
from laconic.errors import ConfigError, InputError, ModelError
from laconic.graph import GraphConfig, GraphParser, SelectionSettings
from laconic.graph.config import ArcScorer, Propagation
from laconic.learn import HiddenSettings, TrainingData
from laconic.progress import finished

SETTINGS = SelectionSettings(epochs=2, cutoff=1)
HIDDEN = HiddenSettings(units=32, epochs=3, rate=0.005, batch=8, window=0)


@cache
def treebank(seed: int = 1, sentences: int = 150) -> Doc:
    return Doc.from_conllu(conllu(sentences, seed=seed))


@cache
def fitted(
    scorer: ArcScorer = "factored",
    propagation: Propagation = "none",
    projective: bool | None = None,
    siblings: str = "graph-siblings",
) -> GraphParser:
    config = GraphConfig(
        scorer=scorer,
        propagation=propagation,
        projective=projective,
        siblings=siblings,
        settings=SETTINGS,
        pair_settings=SETTINGS,
        hidden=HIDDEN,
        folds=2,
    )
    return finished(GraphParser.fit(config, TrainingData(treebank())))


def parsed(parser: GraphParser, doc: Doc, tolerance: float = 0.0) -> Doc:
    own = parser.shared_copy()
    own.effort(tolerance)
    copy = doc.sentences[:]
    copy.heads[:] = -1
    own.apply(copy)
    return copy


def is_tree(heads: list[int]) -> bool:
    for word in range(1, len(heads) + 1):
        steps, at = 0, word
        while at:
            at, steps = heads[at - 1], steps + 1
            if steps > len(heads):
                return False
    return True


@pytest.mark.parametrize("scorer", ["factored", "linear"])
@pytest.mark.parametrize("propagation", ["none", "exact"])
def test_every_sentence_gets_a_projective_tree_with_one_root_at_every_effort(
    scorer: ArcScorer, propagation: Propagation
) -> None:
    parser, doc = fitted(scorer, propagation), treebank(2, 60)
    for tolerance in (0.0, *parser.tolerances[-2:]):
        made = parsed(parser, doc, tolerance)
        starts = made.sentence_starts.tolist()
        for begin, end in itertools.pairwise(starts):
            heads = made.heads[begin:end].tolist()
            assert heads.count(0) == 1
            assert is_tree(heads)
        assert not nonprojective_arcs(np.array(made.heads), made.sentence_starts).any()
        assert np.mean(made.heads == doc.heads) > 0.75


def test_trees_with_crossing_arcs_are_built_where_they_are_asked_for() -> None:
    made = parsed(fitted("linear", "none", False), treebank(2, 60))
    starts = made.sentence_starts.tolist()
    assert all(is_tree(made.heads[begin:end].tolist()) for begin, end in itertools.pairwise(starts))


def test_all_groups_for_all_arcs_give_the_same_trees_with_and_without_propagation() -> None:
    plain = fitted("linear", "none")
    config = replace(plain.config, propagation="exact")
    other = GraphParser(config, replace(plain.frame, config=config), plain.weights)
    doc = treebank(2, 60)
    assert np.array_equal(parsed(plain, doc).heads, parsed(other, doc).heads)


@pytest.mark.parametrize("scorer", ["factored", "linear"])
def test_a_tolerance_is_kept_about_and_saves_templates(scorer: ArcScorer) -> None:
    parser, doc = fitted(scorer), treebank(2, 100)
    full = parsed(parser, doc)
    costs = []
    for tolerance in (0.0, *parser.tolerances):
        own = parser.shared_copy()
        own.effort(tolerance)
        copy = doc.sentences[:]
        costs.append(own.apply(copy).templates)
        assert np.mean(copy.heads != full.heads) <= 2 * tolerance + 0.02
    assert costs[-1] < 0.8 * costs[0]


def test_a_sentence_has_the_same_scores_alone_and_among_others() -> None:
    parser, doc = fitted(), treebank(2, 60)
    whole = parser.predict(doc)
    for number in range(len(doc.sentences)):
        alone = parser.predict(doc.sentences[number : number + 1])
        begin, end = doc.sentence_starts[number : number + 2]
        first, last = whole.finals.begins[begin], whole.finals.begins[end]
        assert np.array_equal(alone.heads, whole.heads[begin:end])
        assert np.array_equal(alone.finals.gaps, whole.finals.gaps[first:last])


def test_confidence_is_higher_where_heads_are_right() -> None:
    parser, doc = fitted(), treebank(2, 100)
    copy = doc.sentences[:]
    sure = parser.confident(copy)
    right = copy.heads == doc.heads
    assert ((sure > 0) & (sure <= 1)).all()
    assert sure[right].mean() > sure[~right].mean() + 0.1


def test_other_heads_are_as_probable_as_the_softmax_of_all_scores_says() -> None:
    parser, doc = fitted(siblings="none"), treebank(2, 20)
    parser.effort(0.0)
    found = parser.predict(doc)
    assert np.array_equal(found.probability(found.heads), found.confidence)
    starts = doc.sentence_starts.astype(int)
    for head in range(4):
        wanted = []
        for number, (begin, end) in enumerate(pairwise(starts)):
            scores = parser.model.group_scores(doc.columns, number)[-1].astype(float)
            scores[scores == np.iinfo(np.int32).min] = -np.inf
            odds = np.exp((scores - scores.max(1, keepdims=True)) / parser.model.scale / parser.stop.temperatures[-1])
            column = (odds / odds.sum(1, keepdims=True))[:, head] if head <= end - begin else np.zeros(end - begin)
            wanted.append(column)
        several = found.finals.depths > 0
        asked = found.probability(np.full(len(doc), head, np.int32))
        assert np.allclose(asked[several], np.concatenate(wanted)[several], atol=1e-5)
    some = np.arange(3, 7, dtype=np.uint32)
    assert np.array_equal(parser.predict(doc, some).heads, found.heads[starts[3] : starts[7]])


def test_known_heads_are_kept_and_cost_nothing() -> None:
    parser, doc = fitted(), treebank(2, 60)
    free = parser.predict(doc)
    some = np.where(np.arange(len(doc)) % 3 > 0, doc.heads, -1).astype(np.int32)
    found = parser.predict(doc, known=some)
    assert np.mean(found.heads[some >= 0] == doc.heads[some >= 0]) > 0.99  # all but what no projective tree has
    assert np.mean(found.heads == doc.heads) > np.mean(free.heads == doc.heads)
    assert found.work.templates < 0.5 * free.work.templates
    assert all(is_tree(found.heads[begin:end].tolist()) for begin, end in pairwise(doc.sentence_starts.astype(int)))
    every = parser.predict(doc, known=np.array(doc.heads))
    assert np.mean(every.heads == doc.heads) > 0.99
    for wrong in (np.zeros(3, np.int32), np.full(len(doc), 1000, np.int32), np.full(len(doc), -2, np.int32)):
        with pytest.raises(ValueError, match="known head"):
            parser.predict(doc, known=wrong)


def test_an_explanation_has_the_heads_that_were_left_and_what_each_group_added() -> None:
    parser, doc = fitted().shared_copy(), treebank(2, 10)
    parser.effort(parser.tolerances[-1])
    made = doc.sentences[:]
    parser.apply(made)
    found = parser.explain(made, [1, 3])
    starts = made.sentence_starts.tolist()
    assert [one.word for one in found] == [*range(starts[1], starts[2]), *range(starts[3], starts[4])]
    for one in found:
        assert one.label.split(" ")[0] in ("root", str(int(made.heads[one.word])))
        if one.scores:
            totals = np.array(one.start) + np.sum([step.contributions for step in one.steps], axis=0)
            assert np.allclose(totals, one.scores)
            assert list(one.scores) == sorted(one.scores, reverse=True)
            assert len(one.steps) == len(one.checks)
    assert {len(one.steps) for one in found} != {parser.model.groups}


def test_long_sentences_are_explained_without_their_choices_and_unknown_ones_are_refused() -> None:
    parser = fitted("linear")
    words = treebank(2, 60).strings("form")
    doc = Doc.from_words([[words[i % len(words)] for i in range(450)], ["x", "y"]])
    parser.apply(doc)
    found = parser.explain(doc)
    assert len(found) == 452
    for one in found[:450]:
        head = int(doc.heads[one.word])
        assert one.label == ("root" if head == 0 else f"{head} {doc.strings('form')[head - 1]}")
        assert not one.steps
    for number in (2, -1, 99):
        with pytest.raises(InputError, match=f"no sentence {number}"):
            parser.explain(doc, [number])


def test_long_sentences_and_strange_ones_get_trees() -> None:
    parser = fitted("linear")
    words = treebank(2, 60).strings("form")
    long = [words[i % len(words)] for i in range(900)]
    made = parsed(parser, Doc.from_words([long, ["x"], ["x", "x"]]))
    starts = made.sentence_starts.tolist()
    assert all(is_tree(made.heads[begin:end].tolist()) for begin, end in itertools.pairwise(starts))


def test_data_without_trees_and_settings_that_cannot_work_are_refused() -> None:
    bare = treebank(2, 5).sentences[:]
    bare.heads[3] = -1
    with pytest.raises(ConfigError, match="no head"):
        finished(GraphParser.fit(GraphConfig(), TrainingData(bare)))
    for wrong in ({"scorer": "other"}, {"folds": 1}, {"projective": "yes"}, {"pair_minimum": 0}, {"propagation": "x"}):
        with pytest.raises(ConfigError):
            GraphConfig(**wrong)  # type: ignore[arg-type]
    for wrong in ({"dropout": 1.0}, {"epochs": 0}, {"rate": float("nan")}):
        with pytest.raises(ConfigError):
            SelectionSettings(**wrong)  # type: ignore[arg-type]


def test_a_linear_parser_is_saved_without_vectors_and_a_mixture_is_refused() -> None:
    arrays, facts = fitted("linear").state()
    assert not any(name.startswith(("vectors", "heads")) for name in arrays)
    again = GraphParser.from_state(arrays, facts)
    doc = treebank(2, 30)
    assert np.array_equal(parsed(again, doc, 0.01).heads, parsed(fitted("linear"), doc, 0.01).heads)
    with pytest.raises(ModelError, match="graph parser"):
        GraphParser.from_state(arrays, facts | {"scorer": "factored"})
    other = fitted("factored").state()
    with pytest.raises(ModelError):
        GraphParser.from_state(other[0] | {"vectors.pairs": other[0]["vectors.pairs"][:-14]}, other[1])
