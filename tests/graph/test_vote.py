"""Voting of parsers: against all trees made of the arcs voted for."""

from __future__ import annotations

import numpy as np
import pytest

from graph.trees import Heads, all_trees
from laconic import Doc
from laconic.errors import InputError
from laconic.graph import vote


def doc_of(trees: list[list[int]]) -> Doc:
    return Doc.from_words([[f"w{i}" for i in range(len(tree))] for tree in trees], head=trees)


def votes(tree: Heads, parsers: Heads, weights: list[int]) -> int:
    return int(((parsers == tree).sum(axis=1) * weights).sum())


@pytest.mark.parametrize("single_root", [False, True])
def test_the_tree_has_the_most_votes(single_root: bool) -> None:
    random = np.random.default_rng(5)
    for words in range(1, 6):
        trees = all_trees(words, False, single_root)
        chosen = [trees[random.integers(len(trees), size=3)] for _ in range(15)]
        weights = [int(weight) for weight in random.integers(1, 4, 3)]
        docs = [doc_of([sentence[parser].tolist() for sentence in chosen]) for parser in range(3)]
        result = vote(docs, weights, single_root).reshape(15, words)
        for heads, parsers in zip(result, chosen, strict=True):
            assert any((heads == tree).all() for tree in trees)
            assert votes(heads, parsers, weights) == max(votes(tree, parsers, weights) for tree in trees)


def test_where_all_disagree_the_first_is_followed() -> None:
    docs = [doc_of([tree]) for tree in ([2, 0, 2], [0, 3, 1], [3, 1, 0])]
    assert vote(docs).tolist() == [2, 0, 2]
    assert vote(docs[::-1]).tolist() == [3, 1, 0]
    assert vote(docs, [1, 3, 1]).tolist() == [0, 3, 1]


def test_several_roots_stay_where_no_tree_with_one_was_voted_for() -> None:
    doc = doc_of([[0, 0, 2], [0]])
    assert vote([doc, doc]).tolist() == [0, 0, 2, 0]


def test_long_sentences_end_and_far_arcs_follow_the_heaviest() -> None:
    near = [0, *range(1, 3000)]
    far = [0, *[1] * 2999]
    assert vote([doc_of([near])] * 2).tolist() == near
    assert vote([doc_of([near]), doc_of([far])], [1, 2]).tolist() == far


def test_documents_that_do_not_fit_are_refused() -> None:
    doc = doc_of([[0, 1]])
    for docs, weights, reason in [
        ([], None, "at least one"),
        ([doc, doc_of([[0], [0]])], None, "document 2"),
        ([doc], [1, 1], "weight"),
        ([doc], [0], "weight"),
    ]:
        with pytest.raises(InputError, match=reason):
            vote(docs, weights)
    with pytest.raises(InputError, match="sentence 1 of document 2"):
        vote([doc, Doc.from_words([["a", "b"]])])


def test_arcs_may_have_weights_of_their_own() -> None:
    random = np.random.default_rng(7)
    trees = all_trees(4, False, True)
    for _ in range(30):
        parsers = trees[random.integers(len(trees), size=3)]
        weights = random.integers(1, 9, (3, 4))
        heads = vote([doc_of([tree.tolist()]) for tree in parsers], weights)

        def votes_of(tree: Heads, parsers: Heads = parsers, weights: Heads = weights) -> int:
            return int(((parsers == tree) * weights).sum())

        assert votes_of(heads) == max(votes_of(tree) for tree in trees)
    docs = [doc_of([[0, 1]])] * 2
    for wrong in ([[1, 1]], [[1, 0], [1, 1]], [[0.5, 1], [1, 1]]):
        with pytest.raises(InputError, match="weight"):
            vote(docs, wrong)
