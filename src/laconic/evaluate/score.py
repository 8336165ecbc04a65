"""Scores, and the per-sentence counts from which every one of them is computed.

A metric is four integers per gold sentence: what is correct, what gold and system hold, what could be aligned.
Whatever this package reports (a score, a breakdown, a bootstrap interval) is a function of sums of these counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


def _percent(part: int, whole: int) -> float:
    return 100.0 * part / whole if whole else 0.0


@dataclass(frozen=True, slots=True)
class Score:
    """One metric over a whole document. A ratio whose whole is empty is 0, as in the official scorers."""

    correct: int
    gold: int
    system: int
    aligned: int | None = None

    @property
    def precision(self) -> float:
        """Share of what the system holds that is correct, in percent."""
        return _percent(self.correct, self.system)

    @property
    def recall(self) -> float:
        """Share of what gold holds that the system got right, in percent."""
        return _percent(self.correct, self.gold)

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall, in percent."""
        return _percent(2 * self.correct, self.gold + self.system)

    @property
    def aligned_accuracy(self) -> float | None:
        """Share of the aligned words that is correct, in percent; None where the metric is not one of aligned words."""
        return None if self.aligned is None else _percent(self.correct, self.aligned)


@dataclass(frozen=True, slots=True)
class Counts:
    """The sufficient statistics of one metric: an integer per gold sentence for each of the four sums."""

    correct: Ints
    gold: Ints
    system: Ints
    aligned: Ints | None = None

    def total(self) -> Score:
        aligned = None if self.aligned is None else int(self.aligned.sum())
        return Score(int(self.correct.sum()), int(self.gold.sum()), int(self.system.sum()), aligned)


class Scores(Mapping[str, Score]):
    """Scores by metric name, in the order in which they are printed. A metric that cannot be computed is absent."""

    HEADER = ("metric", "precision", "recall", "f1", "aligned accuracy")

    def __init__(self, counts: Mapping[str, Counts]) -> None:
        self.counts: dict[str, Counts] = dict(counts)
        self._scores = {name: one.total() for name, one in self.counts.items()}

    def __getitem__(self, name: str) -> Score:
        return self._scores[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._scores)

    def __len__(self) -> int:
        return len(self._scores)

    def __repr__(self) -> str:
        return f"Scores({', '.join(f'{name}={score.f1:.2f}' for name, score in self.items())})"

    def to_json(self) -> dict[str, dict[str, float]]:
        """An object keyed by metric: ``precision``, ``recall``, ``f1`` and, where known, ``aligned_accuracy``."""
        return {name: _object(score) for name, score in self.items()}

    def table(self) -> list[tuple[str, str, str, str, str]]:
        """One row per metric under ``HEADER``, percentages with two decimals, empty where there is no value."""
        return [
            (name, f"{one.precision:.2f}", f"{one.recall:.2f}", f"{one.f1:.2f}", _cell(one.aligned_accuracy))
            for name, one in self.items()
        ]


def _cell(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"


def _object(score: Score) -> dict[str, float]:
    values = {"precision": score.precision, "recall": score.recall, "f1": score.f1}
    if score.aligned_accuracy is not None:
        values["aligned_accuracy"] = score.aligned_accuracy
    return values
