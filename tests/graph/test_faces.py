"""What locked arcs rule out, against all trees of up to six words."""

from __future__ import annotations

import numpy as np
import pytest

from graph.trees import Heads, all_trees
from laconic._core import graph

RULES = [(projective, single) for projective in (False, True) for single in (False, True)]


def having(trees: Heads, locked: dict[int, int]) -> Heads:
    """Trees that contain all locked arcs, given by modifier."""
    for word, head in locked.items():
        trees = trees[trees[:, word - 1] == head]
    return trees


def candidates(faces: graph.Faces) -> list[list[int]]:
    return [faces.candidates(word) for word in range(1, faces.words + 1)]


@pytest.mark.parametrize(("projective", "single_root"), RULES)
def test_candidates_are_the_heads_of_all_trees_with_the_locked_arcs(projective: bool, single_root: bool) -> None:
    random = np.random.default_rng(7)
    for trial in range(250):
        words = 1 + trial % (6 if projective else 5)
        trees = all_trees(words, projective, single_root)
        target = trees[random.integers(len(trees))]
        faces = graph.Faces(words, single_root, projective)
        locked: dict[int, int] = {}
        for word in [0, *(random.permutation(words) + 1)]:
            before = candidates(faces)
            if word:
                locked[int(word)] = int(target[word - 1])
                affected = faces.lock(locked[int(word)], int(word))
                assert faces.locked == len(locked)
                others = set(range(1, words + 1)) - set(affected) - {int(word)}
                assert all(faces.candidates(other) == before[other - 1] for other in others)
                assert len(set(affected)) == len(affected)
                assert not set(affected) & locked.keys()
            trees = having(trees, locked)
            for other in range(1, words + 1):
                assert faces.candidates(other) == np.unique(trees[:, other - 1]).tolist(), (target, locked, other)


@pytest.mark.parametrize(("projective", "single_root"), RULES)
def test_any_order_of_the_same_locks_leaves_the_same_candidates(projective: bool, single_root: bool) -> None:
    random = np.random.default_rng(8)
    for _ in range(60):
        trees = all_trees(5, projective, single_root)
        target = trees[random.integers(len(trees))]
        words = random.choice(5, 3, replace=False) + 1
        found = []
        for order in (words, words[::-1], np.roll(words, 1)):
            faces = graph.Faces(5, single_root, projective)
            for word in order:
                faces.lock(int(target[word - 1]), int(word))
            found.append(candidates(faces))
        assert found[0] == found[1] == found[2]


@pytest.mark.parametrize(("projective", "single_root"), RULES)
@pytest.mark.parametrize("words", [20, 63, 64, 65, 150])
def test_locking_candidates_at_random_ends_in_a_tree(projective: bool, single_root: bool, words: int) -> None:
    random = np.random.default_rng(words)
    for _ in range(6):
        faces = graph.Faces(words, single_root, projective)
        heads = [0] * words
        for word in random.permutation(words) + 1:
            heads[word - 1] = int(random.choice(faces.candidates(int(word))))
            faces.lock(heads[word - 1], int(word))
        scores = np.zeros((words, words + 1), np.int32)
        scores[np.arange(words), heads] = 1
        edges = graph.Edges(words)
        edges.set_scores(scores)
        assert graph.best_heads(edges, single_root, projective).tolist() == heads


@pytest.mark.parametrize("single_root", [False, True])
def test_completions_are_the_product_of_the_completions_of_faces(single_root: bool) -> None:
    random = np.random.default_rng(11)
    for _ in range(120):
        words = int(random.integers(2, 7))
        trees = all_trees(words, True, single_root)
        target = trees[random.integers(len(trees))]
        faces = graph.Faces(words, single_root, True)
        locked = {}
        for word in random.choice(words, random.integers(1, words), replace=False) + 1:
            locked[int(word)] = int(target[word - 1])
            faces.lock(locked[int(word)], int(word))
        completions = having(trees, locked)
        product = 1
        seen: set[int] = set()
        for places, head in faces.regions():
            ends = {places[0], places[-1]} if head >= 0 else set()
            inside = [place for place in places if place not in ends and place not in locked]
            assert not seen & set(inside)
            seen |= set(inside)
            if inside:
                product *= len(np.unique(completions[:, np.array(inside) - 1], axis=0))
        assert seen == set(range(1, words + 1)) - locked.keys()
        assert product == len(completions)


def test_arcs_that_are_ruled_out_cannot_be_locked() -> None:
    faces = graph.Faces(4)
    faces.lock(1, 3)
    for head, word, reason in [(2, 1, "rule"), (3, 1, "rule"), (4, 2, "rule"), (1, 3, "already"), (5, 2, "no such")]:
        with pytest.raises(ValueError, match=reason):
            faces.lock(head, word)
    with pytest.raises(ValueError, match="no such"):
        faces.candidates(5)
