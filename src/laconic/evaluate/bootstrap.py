"""Intervals and significance by the bootstrap: gold sentences are drawn with replacement, scores computed anew.

All that is needed are counts per sentence, so this works for every metric. A draw is a vector of how often each
sentence was taken; the sums of all metrics under many draws are one product of matrices of integers, exact in double
precision, so that the same seed gives the same figures on every machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from laconic.errors import InputError
from laconic.evaluate.score import Counts, Scores

Floats = NDArray[np.float64]
Measure = Literal["f1", "precision", "recall", "aligned_accuracy"]

_DRAWN_AT_ONCE = 2_000_000


@dataclass(frozen=True, slots=True)
class Interval:
    """A score in percent and the bounds between which it lies with the confidence asked for."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Difference:
    """How much better the second system is, in points, with its interval and two-sided p-value."""

    value: float
    low: float
    high: float
    p_value: float


def intervals(
    scores: Scores, *, measure: Measure = "f1", samples: int = 1000, seed: int = 1, confidence: float = 0.95
) -> dict[str, Interval]:
    """Percentile intervals of all metrics, from the same draws. O(samples * sentences).

    Metrics without the measure (not all have an aligned accuracy) are left out.
    """
    counts = _with_measure(scores, measure)
    points, draws = _resample(list(counts.values()), measure, samples, seed)
    rows = np.column_stack((points, _bounds(draws, confidence)))
    return {name: Interval(*map(float, row)) for name, row in zip(counts, rows, strict=True)}


def compare(
    first: Scores,
    second: Scores,
    *,
    measure: Measure = "f1",
    samples: int = 1000,
    seed: int = 1,
    confidence: float = 0.95,
) -> dict[str, Difference]:
    """Paired comparison of two systems scored against the same gold, for all metrics both have.

    The p-value is the share of draws whose difference is as far from the observed one as that is from zero (two-sided,
    one added to both counts): small if a difference as large as this would be rare among equal systems.
    Raises InputError if the scores are not over the same gold sentences.
    """
    one, two = _with_measure(first, measure), _with_measure(second, measure)
    names = [name for name in one if name in two]
    for name in names:
        if not np.array_equal(one[name].gold, two[name].gold):
            raise InputError(f"the systems were not scored against the same gold: {name} counts different things")
    points, draws = _resample([one[name] for name in names] + [two[name] for name in names], measure, samples, seed)
    change = points[len(names) :] - points[: len(names)]
    changes = draws[len(names) :] - draws[: len(names)]
    # Rounding must not decide whether a draw is as far away as the observed difference.
    far = np.abs(changes - change[:, None]) >= np.abs(change)[:, None] - 1e-9
    p_values = (1 + far.sum(axis=1)) / (1 + samples)
    rows = np.column_stack((change, _bounds(changes, confidence), p_values))
    return {name: Difference(*map(float, row)) for name, row in zip(names, rows, strict=True)}


def _with_measure(scores: Scores, measure: Measure) -> dict[str, Counts]:
    if measure != "aligned_accuracy":
        return scores.counts
    return {name: counts for name, counts in scores.counts.items() if counts.aligned is not None}


def _parts(counts: Counts, measure: Measure) -> tuple[Floats, Floats]:
    """The measure as a ratio of two sums over sentences."""
    correct = counts.correct.astype(np.float64)
    if measure == "f1":
        return 2 * correct, (counts.gold + counts.system).astype(np.float64)
    whole = {"precision": counts.system, "recall": counts.gold, "aligned_accuracy": counts.aligned}[measure]
    assert whole is not None
    return correct, whole.astype(np.float64)


def _resample(counts: Sequence[Counts], measure: Measure, samples: int, seed: int) -> tuple[Floats, Floats]:
    """The measure of each metric in percent: as observed, and in every draw (metrics x samples)."""
    if samples < 1:
        raise ValueError(f"samples must be at least 1, not {samples}")
    if not counts:
        return np.zeros(0), np.zeros((0, samples))
    ratios = [_parts(one, measure) for one in counts]
    parts = np.stack([part for ratio in ratios for part in ratio], axis=1)  # sentences x (2 per metric)
    sentences = len(parts)
    random = np.random.default_rng(seed)
    sums = np.empty((samples, parts.shape[1]))
    step = max(1, _DRAWN_AT_ONCE // sentences)
    for begin in range(0, samples, step):
        size = min(step, samples - begin)
        taken = random.integers(sentences, size=(size, sentences), dtype=np.int64)
        taken += np.arange(size)[:, None] * sentences
        weights = np.bincount(taken.ravel(), minlength=size * sentences).reshape(size, sentences)
        sums[begin : begin + size] = weights.astype(np.float64) @ parts
    return _percent(parts.sum(axis=0, keepdims=True))[:, 0], _percent(sums)


def _percent(sums: Floats) -> Floats:
    part, whole = sums[:, 0::2].T, sums[:, 1::2].T
    return 100 * np.divide(part, whole, out=np.zeros_like(part), where=whole > 0)


def _bounds(draws: Floats, confidence: float) -> Floats:
    if not 0 < confidence < 1:
        raise ValueError(f"confidence must lie between 0 and 1, not {confidence}")
    tail = (1 - confidence) / 2
    return np.quantile(draws, [tail, 1 - tail], axis=1).T
