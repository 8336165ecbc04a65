"""Decoders against all trees of a few words, against networkx, and on hostile sentences."""

from __future__ import annotations

from typing import Any

import networkx
import numpy as np
import pytest
from numpy.typing import NDArray

from graph.trees import (
    Heads,
    alive_trees,
    all_trees,
    edge_sums,
    edges_of,
    is_projective,
    is_tree,
    part_sum,
    possible_edges,
    sum_of,
)
from laconic._core import graph, learn

RULES = [(projective, single) for projective in (False, True) for single in (False, True)]
Bools = NDArray[np.bool_]
Scores = NDArray[np.int32]


def decode(edges: graph.Edges, projective: bool, single_root: bool) -> Heads | None:
    decoder: Any = graph.best_projective if projective else graph.best_arborescence
    heads: Heads | None = decoder(edges, single_root)
    return heads


def random_edges(random: np.random.Generator, words: int, spread: int, share: float) -> tuple[Scores, Bools]:
    scores = random.integers(-spread, spread + 1, (words, words + 1), dtype=np.int32)
    return scores, possible_edges(words) & (random.random((words, words + 1)) < share)


def test_the_oracle_knows_how_many_trees_there_are() -> None:
    assert [len(all_trees(n, True, False)) for n in range(1, 7)] == [1, 3, 12, 55, 273, 1428]
    assert [len(all_trees(n, True, True)) for n in range(1, 7)] == [1, 2, 7, 30, 143, 728]
    assert [len(all_trees(n, False, False)) for n in range(1, 6)] == [(n + 1) ** (n - 1) for n in range(1, 6)]


@pytest.mark.parametrize(("projective", "single_root"), RULES)
@pytest.mark.parametrize("spread", [0, 2, 1000, 2**31 - 1], ids=["ties everywhere", "ties", "small", "wide"])
def test_the_best_tree_of_the_alive_edges_is_found(projective: bool, single_root: bool, spread: int) -> None:
    random = np.random.default_rng(spread)
    without = 0
    for trial in range(150):
        words = 1 + trial % 6
        scores, alive = random_edges(random, words, spread, random.choice([0.3, 0.6, 1.0]))
        trees = alive_trees(all_trees(words, projective, single_root), alive)
        edges = edges_of(scores, alive)
        heads = decode(edges, projective, single_root)
        assert (heads is None) == (len(trees) == 0)
        either = graph.best_tree(edges, single_root, projective)
        assert (either is None) == (heads is None)
        if heads is None:
            without += 1
            continue
        assert alive[np.arange(words), heads].all()
        assert any((heads == tree).all() for tree in trees)
        assert sum_of(heads, scores) == edge_sums(trees, scores).max() == sum_of(either, scores)
    assert 0 < without < 150


@pytest.mark.parametrize(("projective", "single_root"), RULES)
def test_best_heads_are_a_tree_that_keeps_to_the_rules_or_none(projective: bool, single_root: bool) -> None:
    random = np.random.default_rng(3)
    found = 0
    for trial in range(400):
        words = 1 + trial % 5
        scores, alive = random_edges(random, words, 3, 0.8)
        heads = graph.best_heads(edges_of(scores, alive), single_root, projective)
        masked = np.where(alive, scores, -100)
        best = masked.argmax(axis=1)  # the smaller of equals
        expected = alive.any(axis=1).all() and (all_trees(words, projective, single_root) == best).all(axis=1).any()
        assert (heads is not None) == expected
        if heads is not None:
            assert (heads == best).all()
            found += 1
    assert 20 < found < 380


@pytest.mark.parametrize("single_root", [False, True])
@pytest.mark.parametrize("spread", [0, 2, 1000, 2**31 - 1])
def test_the_best_tree_by_edges_and_siblings_is_found(single_root: bool, spread: int) -> None:
    random = np.random.default_rng(spread + 1)
    for trial in range(120):
        words = 1 + trial % 6
        scores, alive = random_edges(random, words, spread, random.choice([0.5, 1.0]))
        parts = random.integers(-spread, spread + 1, (words + 1,) * 3, dtype=np.int32)
        trees = alive_trees(all_trees(words, True, single_root), alive)
        heads = graph.best_with_siblings(edges_of(scores, alive), parts, single_root)
        assert (heads is None) == (len(trees) == 0)
        if heads is None:
            continue
        assert any((heads == tree).all() for tree in trees)
        sums = edge_sums(trees, scores) + [part_sum(tuple(tree), parts) for tree in trees.tolist()]
        assert sum_of(heads, scores) + part_sum(tuple(heads.tolist()), parts) == sums.max()


@pytest.mark.parametrize("single_root", [False, True])
@pytest.mark.parametrize("words", [9, 30, 70])
def test_second_order_with_parts_of_zero_is_first_order(words: int, single_root: bool) -> None:
    random = np.random.default_rng(words)
    for _ in range(3):
        scores, alive = random_edges(random, words, 1000, 0.7)
        edges = edges_of(scores, alive)
        first = graph.best_projective(edges, single_root)
        second = graph.best_with_siblings(edges, np.zeros((words + 1,) * 3, np.int32), single_root)
        assert first is not None
        assert second is not None
        assert sum_of(first, scores) == sum_of(second, scores)


@pytest.mark.parametrize("words", [2, 7, 15, 30])
def test_crossing_trees_are_those_of_networkx(words: int) -> None:
    random = np.random.default_rng(words)
    for _ in range(6):
        scores, alive = random_edges(random, words, 50, 0.5)
        alive[:, 0] = True
        of = networkx.DiGraph()
        of.add_nodes_from(range(words + 1))
        for word in range(1, words + 1):
            for head in np.flatnonzero(alive[word - 1]):
                # A constant, so that no edge is left out for being negative: every arborescence has as many.
                of.add_edge(int(head), word, weight=int(scores[word - 1, head]) + 1000)
        best = networkx.maximum_spanning_arborescence(of)
        expected = sum(data["weight"] for *_, data in best.edges(data=True)) - 1000 * words
        heads = graph.best_arborescence(edges_of(scores, alive), single_root=False)
        assert heads is not None
        assert is_tree(tuple(heads.tolist()))
        assert sum_of(heads, scores) == expected


@pytest.mark.parametrize("words", [12, 40, 130])
@pytest.mark.parametrize("single_root", [False, True])
def test_longer_sentences_get_trees_that_keep_to_the_rules(words: int, single_root: bool) -> None:
    random = np.random.default_rng(words)
    scores, alive = random_edges(random, words, 100, 0.9)
    edges = edges_of(scores, alive)
    sums = {}
    for projective in (False, True):
        heads = decode(edges, projective, single_root)
        assert heads is not None
        tree = tuple(heads.tolist())
        assert is_tree(tree)
        assert alive[np.arange(words), heads].all()
        assert not single_root or tree.count(0) == 1
        assert not projective or is_projective(tree)
        sums[projective] = sum_of(heads, scores)
        # Adding a number to all edges into a word changes the sum by it and nothing else.
        shift = random.integers(-1000, 1000, (words, 1), dtype=np.int32)
        shifted = decode(edges_of(scores + shift, alive), projective, single_root)
        assert shifted is not None
        assert sum_of(shifted, scores) == sums[projective]
        # The bound of the projective decoder's 32-bit sums is passed: the same tree from 64 bits.
        wide = decode(edges_of(scores * np.int32(2**23), alive), projective, single_root)
        assert wide is not None
        assert sum_of(wide, scores) == sums[projective]
    assert sums[True] <= sums[False]


@pytest.mark.parametrize(("projective", "single_root"), RULES)
def test_rows_with_a_window_are_dense_rows_with_far_edges_dead(projective: bool, single_root: bool) -> None:
    random = np.random.default_rng(5)
    for words, reach in [(6, 1), (7, 3), (40, 5), (90, 30)]:
        scores, alive = random_edges(random, words, 60, 0.95)
        places = np.arange(words + 1)
        near = (np.abs(places[None, :] - places[1:, None]) <= reach) | (places[None, :] == 0)
        alive[np.arange(1, words), np.arange(1, words)] = True  # a chain, so that there is a tree
        alive[:, 0] = True
        window = edges_of(scores, alive, longest=5, reach=reach)
        assert not window.dense
        assert window.reach == reach
        assert window.columns == 2 * reach + 2
        heads = decode(window, projective, single_root)
        expected = decode(edges_of(scores, alive & near), projective, single_root)
        assert heads is not None
        assert expected is not None
        assert near[np.arange(words), heads].all()
        assert sum_of(heads, scores) == sum_of(expected, scores)


@pytest.mark.parametrize("single_root", [False, True])
def test_max_marginals_are_the_best_trees_with_each_edge(single_root: bool) -> None:
    random = np.random.default_rng(9)
    lowest = np.iinfo(np.int64).min
    for trial in range(80):
        words = 1 + trial % 6
        scores, alive = random_edges(random, words, [3, 2**31 - 1][trial % 2], [1.0, 0.6][trial % 3 == 0])
        trees = alive_trees(all_trees(words, True, single_root), alive)
        result = graph.max_marginals(edges_of(scores, alive), single_root)
        assert (result is None) == (len(trees) == 0)
        if result is None:
            continue
        sums = edge_sums(trees, scores)
        assert result[0] == sums.max()
        for word in range(words):
            for head in range(words + 1):
                having = sums[trees[:, word] == head]
                assert result[1][word, head] == (having.max() if len(having) else lowest)


@pytest.mark.parametrize("single_root", [False, True])
@pytest.mark.parametrize(("words", "limits"), [(60, {}), (60, {"longest": 20, "reach": 8})])
def test_max_marginals_of_the_best_tree_are_its_sum(words: int, limits: dict[str, int], single_root: bool) -> None:
    scores, alive = random_edges(np.random.default_rng(1), words, 100, 1.0)
    edges = edges_of(scores, alive, **limits)
    heads = graph.best_projective(edges, single_root)
    best, marginals = graph.max_marginals(edges, single_root)
    columns = edges.heads()
    assert best == sum_of(heads, scores) == marginals.max()
    assert (marginals[columns == heads[:, None]] == best).all()


@pytest.mark.parametrize("share", [0.0, 0.3, 0.9, 1.0])
def test_pruning_by_max_marginals_keeps_what_reaches_the_threshold(share: float) -> None:
    random = np.random.default_rng(4)
    for words in (1, 2, 5, 12, 30):
        scores, alive = random_edges(random, words, 100, 1.0)
        edges = edges_of(scores, alive)
        best, marginals = graph.max_marginals(edges)
        behind = best - marginals[marginals != np.iinfo(np.int64).min]
        expected = np.count_nonzero(behind <= (1 - share) * behind.mean())
        before = sum(map(len, edges.alive()))
        tree = graph.best_projective(edges)
        died = graph.prune(edges, share)
        assert before - died == sum(map(len, edges.alive())) == expected
        kept = graph.best_projective(edges)
        assert sum_of(kept, scores) == best == sum_of(tree, scores)


def test_pruning_leaves_edges_without_a_tree_alone() -> None:
    edges = edges_of(np.zeros((2, 3), np.int32), np.array([[False, False, True], [False, True, False]]))
    assert graph.prune(edges, 0.5) is None
    assert edges.alive() == [[2], [1]]
    with pytest.raises(ValueError, match="share"):
        graph.prune(edges, 1.5)


def test_portable_and_vectorised_charts_give_the_same_trees() -> None:
    random = np.random.default_rng(2)
    before = learn.instruction_set()
    for words in (1, 2, 5, 23, 60):
        scores, alive = random_edges(random, words, 4, 0.9)
        parts = random.integers(-3, 4, (words + 1,) * 3, dtype=np.int32)
        edges = edges_of(scores, alive)
        found = []
        try:
            for name in ("portable", "auto"):
                learn.use_instruction_set(name)
                heads = [graph.best_projective(edges), graph.best_with_siblings(edges, parts)]
                found.append([None if tree is None else tree.tolist() for tree in heads])
        finally:
            learn.use_instruction_set(before)
        assert found[0] == found[1]


def test_no_words_are_a_tree() -> None:
    edges = graph.Edges(0)
    for decoder in (graph.best_heads, graph.best_arborescence, graph.best_projective, graph.best_tree):
        assert decoder(edges).tolist() == []
    assert graph.best_with_siblings(edges, np.zeros((1, 1, 1), np.int32)).tolist() == []
    assert graph.max_marginals(edges)[0] == 0


def test_of_equal_heads_the_smaller_is_taken() -> None:
    assert graph.best_heads(graph.Edges(3), single_root=False).tolist() == [0, 0, 0]
    assert graph.best_projective(graph.Edges(3), single_root=False).tolist() == [0, 0, 0]
    assert graph.best_arborescence(graph.Edges(3), single_root=False).tolist() == [0, 0, 0]


@pytest.mark.parametrize("kind", ["random", "ties", "chain", "wide"])
def test_a_hundred_thousand_words_end(kind: str) -> None:
    words = 100_000
    edges = graph.Edges(words)
    assert edges.columns < 60, "memory has to stay linear"
    random = np.random.default_rng(0)
    shape = (words, edges.columns)
    if kind == "random":
        scores = random.integers(-1000, 1000, shape, dtype=np.int32)
    elif kind == "wide":
        scores = random.choice(np.array([-(2**31), 2**31 - 1], np.int32), shape)
    elif kind == "chain":
        scores = np.where(edges.heads() == np.arange(words)[:, None] + 2, 1000, 0).astype(np.int32)
    else:
        scores = np.zeros(shape, np.int32)
    edges.set_scores(scores)
    projective = graph.best_tree(edges, projective=True)
    crossing = graph.best_tree(edges, projective=False)
    columns = edges.heads()
    sums = []
    for heads in (projective, crossing):
        assert np.count_nonzero(heads == 0) == 1
        assert depths_end(heads)
        sums.append(int(scores[columns == heads[:, None]].astype(np.int64).sum()))
    assert sums[0] <= sums[1]


def depths_end(heads: Heads) -> bool:
    """Whether every word comes to the root: paths are halved until all of them end."""
    above = np.concatenate([[0], heads])
    for _ in range(18):
        above = above[above]
    return bool((above == 0).all())


def test_arrays_that_do_not_fit_are_refused() -> None:
    edges = graph.Edges(3)
    with pytest.raises(ValueError, match="3 by 4"):
        edges.set_scores(np.zeros((3, 3), np.int32))
    with pytest.raises(ValueError, match="3 by 4"):
        edges.set_alive(np.ones((4, 4), bool))
    with pytest.raises(ValueError, match="parts"):
        graph.best_with_siblings(edges, np.zeros((3, 4, 4), np.int32))
    with pytest.raises(ValueError, match="dense"):
        graph.best_with_siblings(graph.Edges(6, longest=5, reach=2), np.zeros((7, 7, 7), np.int32))
    with pytest.raises(ValueError, match="too many words"):
        graph.Edges(2**40)
