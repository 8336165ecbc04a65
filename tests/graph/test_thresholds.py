"""Thresholds behind groups: what they cost, against plain counting."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from laconic.graph.training import MOST_LOST, _Behind

Floats = npt.NDArray[np.float64]
Numbers = npt.NDArray[np.intp]

WORDS = 200
COST = 7.0


def words_with_candidates(seed: int) -> tuple[Floats, Numbers, Floats]:
    """How far candidates trail the best one of their word, their words, and how far each word's final head trails."""
    rng = np.random.default_rng(seed)
    counts = rng.integers(1, 6, WORDS)
    words = np.repeat(np.arange(WORDS), counts)
    trailing = rng.integers(1, 40, len(words)) / 4
    starts = np.cumsum(counts) - counts
    trailing[starts + rng.integers(0, counts)] = 0
    heads = trailing[starts + rng.integers(0, counts)]
    return trailing, words, heads


def counted(trailing: Floats, words: Numbers, templates: Floats, threshold: float) -> float:
    """What is added to the heads that are left to words with more than one."""
    left = trailing < threshold
    is_open = np.bincount(words[left], minlength=WORDS) > 1
    return float(templates[left & is_open[words]].sum())


@pytest.mark.parametrize("price", [1.0, 30.0, 100.0, 1000.0])
@pytest.mark.parametrize("later", [False, True])
def test_a_threshold_is_the_best_of_those_that_lose_few_words(price: float, later: bool) -> None:
    for seed in range(5):
        trailing, words, heads = words_with_candidates(seed)
        behind = np.where(trailing < 3, 11.0, 0.0) if later else np.zeros(len(words))
        templates, chosen = _Behind.of(trailing, words, COST).best(price, behind, np.sort(heads))
        assert np.array_equal(templates, np.where(trailing < chosen, COST + behind, 0))

        most = int(MOST_LOST * WORDS)
        values = {
            one: price * float((heads >= one).sum()) + counted(trailing, words, COST + behind, one)
            for one in (chosen, *np.nextafter(heads, np.inf).tolist())
            if (heads >= one).sum() <= most
        }
        assert values[chosen] == min(values.values())
