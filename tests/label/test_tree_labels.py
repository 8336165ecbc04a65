"""The decoder of labels over whole trees, against enumeration of all labelings."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from laconic._core.label import tree_labels


def random_heads(source: np.random.Generator, words: int) -> list[int]:
    """Any tree: crossing arcs and several roots are possible."""
    order = source.permutation(words) + 1
    heads = [0] * words
    for i, word in enumerate(order):
        heads[word - 1] = int(source.choice([0, *order[:i]])) if i else 0
    return heads


def total(heads: list[int], single: list[list[float]], pairs: list[list[float]], chosen: tuple[int, ...]) -> float:
    score = 0.0
    for m, head in enumerate(heads):
        score += single[m][chosen[m]]
        if head and pairs[m]:
            score += pairs[m][chosen[head - 1] * len(single[m]) + chosen[m]]
    return score


@pytest.mark.parametrize("seed", range(40))
def test_best_labels_and_probabilities_are_those_of_all_labelings(seed: int) -> None:
    source = np.random.default_rng(seed)
    words = int(source.integers(1, 7))
    heads = {0: list(range(words)), 1: [0] + [1] * (words - 1)}.get(seed, random_heads(source, words))
    sizes = source.integers(1, 4, words).tolist()
    # Numbers that floats hold exactly.
    single = [(source.integers(-20, 20, size) / 8).tolist() for size in sizes]
    pairs = [
        (source.integers(-20, 20, sizes[head - 1] * sizes[m]) / 8).tolist() if head and source.random() < 0.8 else []
        for m, head in enumerate(heads)
    ]
    every = list(itertools.product(*(range(size) for size in sizes)))
    scores = np.array([total(heads, single, pairs, one) for one in every])
    chosen, chances, of_pairs, log_sum = tree_labels(heads, single, pairs)
    assert total(heads, single, pairs, tuple(chosen)) == scores.max()
    weights = np.exp(scores - scores.max())
    assert log_sum == pytest.approx(scores.max() + math.log(weights.sum()), abs=1e-6)
    weights /= weights.sum()
    begins = np.cumsum([0, *sizes])
    for m, size in enumerate(sizes):
        wanted = [sum(w for w, one in zip(weights, every, strict=True) if one[m] == q) for q in range(size)]
        assert chances[begins[m] : begins[m + 1]] == pytest.approx(wanted, abs=1e-5)
        if of_pairs[m]:
            head = heads[m] - 1
            both = [
                sum(w for w, one in zip(weights, every, strict=True) if (one[head], one[m]) == (p, q))
                for p in range(sizes[head])
                for q in range(size)
            ]
            assert of_pairs[m] == pytest.approx(both, abs=1e-5)


def test_without_pairs_each_arc_has_its_own_best_label_and_the_first_of_equal_ones() -> None:
    chosen, chances, _, _ = tree_labels([0, 1, 1], [[1.0, 1.0], [0.0, 3.0, 3.0], [2.0]], [[], [], []])
    assert chosen == [0, 1, 0]
    assert chances[:2] == pytest.approx([0.5, 0.5])
    assert chances[5] == 1


def test_a_constant_added_to_all_labels_of_an_arc_changes_no_answer() -> None:
    heads, pairs = [2, 0, 2], [[0.5, 0.0, 0.0, 1.0], [], [0.0, 2.0, 1.0, 0.0]]
    single = [[0.0, 1.0], [0.25, 0.0], [1.0, 0.5]]
    chosen, chances, _, _ = tree_labels(heads, single, pairs)
    shifted, others, _, _ = tree_labels(heads, [[s + 8 for s in single[0]], *single[1:]], pairs)
    assert shifted == chosen
    assert others == pytest.approx(chances, abs=1e-5)


@pytest.mark.parametrize("shape", ["chain", "star"])
def test_a_chain_and_a_star_of_many_words_are_labelled(shape: str) -> None:
    words = 20_000
    heads = list(range(words)) if shape == "chain" else [0] + [1] * (words - 1)
    single = [[0.0, 0.5 if m % 2 else -0.5] for m in range(words)]
    chosen, chances, _, _ = tree_labels(heads, single, [[1.0, 0.0, 0.0, 1.0]] * words)
    assert len(chosen) == words
    assert all(math.isfinite(chance) for chance in chances)
    if shape == "star":
        # The label of the head draws the labels of all its children.
        assert len(set(chosen[1:])) == 1


def test_what_is_no_tree_is_refused() -> None:
    for heads in ([], [2, 1], [5]):
        with pytest.raises(ValueError, match="tree"):
            tree_labels(heads, [[0.0]] * len(heads), [[]] * len(heads))
