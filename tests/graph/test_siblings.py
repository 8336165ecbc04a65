"""Adjacent siblings: local search, which parts are scored, and the parser with trained weights."""

from __future__ import annotations

import itertools
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from synthetic import conllu

from graph.trees import alive_trees, all_trees, edge_sums, edges_of, is_tree, part_sum, possible_edges
from laconic._core import graph
from laconic.corpus import Doc
from laconic.corpus.projectivity import nonprojective_arcs
from laconic.errors import ConfigError, ModelError
from laconic.graph import GraphConfig, GraphParser, SelectionSettings, SiblingSettings
from laconic.learn import TrainingData
from laconic.pipeline import Pipeline
from laconic.progress import finished

ALL_PARTS = 1e6
"""A lead that no head has."""


@cache
def treebank(seed: int = 1, sentences: int = 120) -> Doc:
    return Doc.from_conllu(conllu(sentences, seed=seed))


@cache
def fitted(projective: bool = True, drop: float = ALL_PARTS) -> GraphParser:
    config = GraphConfig(
        scorer="linear",
        projective=projective,
        settings=SelectionSettings(epochs=2, cutoff=1),
        siblings="graph-siblings",
        sibling_settings=SiblingSettings(cutoff=1, drop=drop, step=0.02),  # large steps, for little data
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


@pytest.mark.parametrize("single_root", [False, True])
def test_a_local_search_ends_where_no_other_head_of_one_word_is_better(single_root: bool) -> None:
    grown = 0
    for seed in range(60):
        random = np.random.default_rng(seed)
        words = 2 + seed % 5
        scores = random.integers(-50, 50, (words, words + 1)).astype(np.int32)
        parts = random.integers(-50, 50, (words + 1,) * 3).astype(np.int32)
        alive = possible_edges(words) & (random.random((words, words + 1)) < 0.8)
        trees = alive_trees(all_trees(words, False, single_root), alive)
        if not len(trees):
            continue
        sums = edge_sums(trees, scores) + [part_sum(tuple(tree), parts) for tree in trees.tolist()]
        start = random.integers(len(trees))
        edges = edges_of(scores, alive)
        end = graph.climb(edges, parts, trees[start].tolist(), single_root)
        (at,) = np.flatnonzero((trees == end).all(axis=1))
        assert sums[at] >= sums[start]
        grown += sums[at] > sums[start]
        near = (trees != end).sum(axis=1) == 1
        assert (sums[near] <= sums[at]).all()
    assert grown > 20
    with pytest.raises(ValueError, match="tree of alive edges"):
        graph.climb(edges_of(np.zeros((2, 3), np.int32)), np.zeros((3, 3, 3), np.int32), [2, 1])


@pytest.mark.parametrize("single_root", [False, True])
def test_parts_of_two_locked_words_count_where_an_open_one_may_come_between(single_root: bool) -> None:
    """Many words have one head here, so they are locked from the start; the tree is still the best of all."""
    several = 0
    for seed in range(150):
        random = np.random.default_rng(seed)
        words = 3 + seed % 4
        trees = all_trees(words, True, single_root)
        tree = trees[random.integers(len(trees))]
        alive = np.zeros((words, words + 1), bool)
        alive[np.arange(words), tree] = True
        opened = random.random(words) < 0.4
        alive[opened] = possible_edges(words)[opened]
        groups = random.integers(-50, 50, (1, 1, words, words + 1)).astype(np.int32)
        parts = random.integers(-90, 90, (1, *(words + 1,) * 3)).astype(np.int32)
        heads, *_ = graph.run_rounds(
            edges_of(np.zeros((words, words + 1), np.int32), alive), groups, parts, "never", single_root=single_root
        )
        own = alive_trees(trees, alive)
        sums = edge_sums(own, groups[0, 0]) + [part_sum(tuple(one), parts[0]) for one in own.tolist()]
        (at,) = np.flatnonzero((own == heads).all(axis=1))
        assert sums[at] == sums.max()
        several += len(own) > 1
    assert several > 60


@pytest.mark.parametrize("projective", [True, False])
def test_no_other_head_of_one_word_scores_more_by_arcs_and_siblings(projective: bool) -> None:
    parser, doc = fitted(projective), treebank(2, 30)
    made = parsed(parser, doc)
    heads = np.array(made.heads, np.int32)
    first_order = replace(parser.weights, siblings=None, stops={})
    config = replace(parser.config, siblings="none")
    plain = GraphParser(config, replace(parser.frame, config=config, siblings=None), first_order)
    assert not np.array_equal(parsed(plain, doc).heads, heads)
    compared = 0
    for number, (begin, end) in enumerate(itertools.pairwise(made.sentence_starts.tolist())):
        own = heads[begin:end].tolist()
        assert is_tree(tuple(own))
        arcs = parser.model.group_scores(made.columns, number)[-1].astype(np.int64)
        pairs = parser.model.sibling_scores(made.columns, number, heads)
        assert pairs.shape == (parser.model.groups - parser.model.edge_groups, *arcs.shape)
        values = arcs + pairs.sum(axis=0)
        for word, head in enumerate(own):
            for other in np.flatnonzero(arcs[word] > np.iinfo(np.int32).min).tolist():
                moved = [*own[:word], other, *own[word + 1 :]]
                if head == 0 or other in (0, head) or not is_tree(tuple(moved)):
                    continue
                if projective and nonprojective_arcs(np.array(moved, np.int32), np.array([0, len(own)])).any():
                    continue
                assert values[word, other] <= values[word, head]
                compared += 1
    assert compared > 40


def test_a_smaller_lead_leaves_fewer_parts_and_few_other_heads() -> None:
    doc = treebank(2, 60)
    every, near = fitted(), fitted(drop=3.0)
    assert near.predict(doc).work.templates < every.predict(doc).work.templates
    assert np.mean(parsed(every, doc).heads == parsed(near, doc).heads) > 0.9


def test_confidences_and_explanations_know_siblings() -> None:
    parser, doc = fitted(drop=6.0).shared_copy(), treebank(2, 60).sentences[:]
    parser.effort(0.0)
    found = parser.predict(doc)
    assert found.finals.depths.max() == parser.model.groups
    assert ((found.confidence > 0) & (found.confidence <= 1)).all()
    right = found.heads == doc.heads
    assert found.confidence[right].mean() > found.confidence[~right].mean() + 0.05
    doc.heads[:] = found.heads
    told = [one for one in parser.explain(doc) if one.steps and one.steps[-1].template.startswith("siblings")]
    assert told
    for one in told:
        assert len(one.steps) == parser.model.groups
        totals = np.sum([step.contributions for step in one.steps], axis=0)
        assert np.allclose(totals, one.scores)
        assert one.label in one.candidates


def test_siblings_are_saved_and_damage_is_found() -> None:
    parser, doc = fitted(drop=6.0), treebank(2, 40)
    arrays, facts = parser.state()
    again = GraphParser.from_state(arrays, facts)
    assert again.model.groups == parser.model.groups
    for tolerance in (0.0, *parser.tolerances[-1:]):
        assert np.array_equal(parsed(parser, doc, tolerance).heads, parsed(again, doc, tolerance).heads)
    assert Pipeline({"graph": parser}, {}, {}).components["graph"].templates.count("SIB") > 50
    for wrong in (
        {"siblings": "LEX(SIB) & LEX(MOD)\n"},
        {"siblings": "LEX(HEAD)\n"},
        {"sibling_drop": -1.0},
        {"sibling rows": facts["arcs"]},
    ):
        with pytest.raises(ModelError):
            GraphParser.from_state(arrays, facts | wrong)
    with pytest.raises(ModelError):
        GraphParser.from_state({name: a for name, a in arrays.items() if not name.startswith("siblings")}, facts)


def test_long_sentences_have_no_siblings_and_settings_are_checked() -> None:
    words = treebank(2, 60).strings("form")
    doc = Doc.from_words([[words[i % len(words)] for i in range(graph.LONGEST_WITH_SIBLINGS + 1)], ["x"]])
    parser = fitted(drop=6.0)
    assert parser.predict(doc).finals.depths.max() <= parser.model.edge_groups
    for wrong in ({"drop": 0.0}, {"drop": float("nan")}, {"step": -1.0}, {"cost": float("inf")}, {"epochs": 0}):
        with pytest.raises(ConfigError):
            SiblingSettings(**wrong)  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="reads none"):
        GraphConfig(siblings="LEX(HEAD) & LEX(MOD)\n").sibling_set()
    assert GraphConfig(folds=0).sibling_set() is None
    assert "graph.folds is 0" in GraphConfig(folds=0).unused["siblings"]
