"""Intervals and significance: against a bootstrap written out, and by what must hold of any bootstrap."""

from __future__ import annotations

import numpy as np
import pytest

from laconic.errors import InputError
from laconic.evaluate import Counts, Scores, compare, intervals


def random_scores(seed: int, accuracy: float, sentences: int = 300) -> Scores:
    sizes = np.random.default_rng(0).integers(1, 40, sentences)
    random = np.random.default_rng(seed)
    correct = random.binomial(sizes, accuracy)
    system = sizes + random.integers(0, 2, sentences)
    return Scores({"LAS": Counts(correct, sizes, system, sizes), "Tokens": Counts(correct, sizes, system)})


def test_intervals_agree_with_sentences_drawn_one_by_one() -> None:
    scores = random_scores(1, 0.8)
    counts = scores.counts["LAS"]
    draws = np.random.default_rng(5).integers(0, 300, size=(10_000, 300))
    f1 = 200 * counts.correct[draws].sum(axis=1) / (counts.gold + counts.system)[draws].sum(axis=1)
    ours = intervals(scores, samples=10_000)["LAS"]
    assert ours.value == scores["LAS"].f1
    assert (ours.low, ours.high) == pytest.approx(tuple(np.percentile(f1, (2.5, 97.5))), abs=0.06)


@pytest.mark.parametrize("measure", ["f1", "precision", "recall", "aligned_accuracy"])
def test_the_point_estimate_is_the_score(measure: str) -> None:
    scores = random_scores(2, 0.7)
    found = intervals(scores, measure=measure)
    assert list(found) == (["LAS"] if measure == "aligned_accuracy" else ["LAS", "Tokens"])
    for name, interval in found.items():
        assert interval.value == pytest.approx(getattr(scores[name], measure))
        assert interval.low < interval.value < interval.high


def test_equal_systems_do_not_differ() -> None:
    scores = random_scores(3, 0.8)
    difference = compare(scores, scores)["LAS"]
    assert (difference.value, difference.low, difference.high, difference.p_value) == (0, 0, 0, 1)


def test_a_clear_difference_is_significant_and_swapping_turns_its_sign() -> None:
    worse, better = random_scores(4, 0.8), random_scores(5, 0.85)
    forth, back = compare(worse, better)["LAS"], compare(better, worse)["LAS"]
    assert forth.value == pytest.approx(better["LAS"].f1 - worse["LAS"].f1)
    assert forth.low > 0
    assert forth.p_value < 0.01
    assert (back.value, back.low, back.high) == pytest.approx((-forth.value, -forth.high, -forth.low))
    assert back.p_value == forth.p_value


def test_p_values_of_systems_of_equal_quality_are_spread_evenly() -> None:
    p_values = [
        compare(random_scores(2 * i, 0.8, 80), random_scores(2 * i + 1, 0.8, 80), samples=200, seed=i)["LAS"].p_value
        for i in range(10, 210)
    ]
    steps = np.arange(len(p_values) + 1) / len(p_values)
    ordered = np.sort(p_values)
    distance = max(np.max(steps[1:] - ordered), np.max(ordered - steps[:-1]))
    assert distance < 1.95 / np.sqrt(len(p_values))  # Kolmogorov and Smirnov, one in a thousand


def test_pairing_sees_a_small_difference_between_like_systems() -> None:
    scores = random_scores(6, 0.8)
    counts = scores.counts["LAS"]
    correct = np.minimum(counts.correct + (np.arange(300) % 10 == 0), counts.gold)
    improved = Scores({"LAS": Counts(correct, counts.gold, counts.system)})
    difference = compare(scores, improved)["LAS"]
    spread = intervals(scores)["LAS"]
    assert 0 < difference.low < difference.high < spread.high - spread.low
    assert difference.p_value < 0.01


def test_the_same_seed_gives_the_same_figures_and_another_seed_others() -> None:
    scores = random_scores(7, 0.8)
    assert intervals(scores, seed=4) == intervals(scores, seed=4)
    assert intervals(scores, seed=4) != intervals(scores, seed=5)


def test_other_gold_is_refused() -> None:
    with pytest.raises(InputError, match="same gold"):
        compare(random_scores(1, 0.8), random_scores(1, 0.8, 200))


def test_impossible_settings_are_refused() -> None:
    scores = random_scores(1, 0.8)
    with pytest.raises(ValueError, match="samples"):
        intervals(scores, samples=0)
    with pytest.raises(ValueError, match="confidence"):
        intervals(scores, confidence=1.0)
