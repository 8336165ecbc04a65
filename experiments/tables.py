"""Cells and rows of the tables in reports: scores with intervals, changes, ratios of times."""

from __future__ import annotations

import statistics
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from laconic.evaluate import Counts, Scores, compare, intervals


def line(*cells: str) -> str:
    """A row of a table."""
    return f"| {' | '.join(cells)} |"


def header(*names: str) -> list[str]:
    return [line(*names), line(*["---"] * len(names))]


def cell(scores: Scores, metric: str) -> str:
    """A score with its 95 % interval by bootstrap over sentences."""
    found = intervals(scores)[metric]
    return f"{found.value:.2f} ({found.low:.2f} to {found.high:.2f})"


def change(first: Scores, second: Scores, metric: str, digits: int = 2) -> str:
    """What the second has more than the first, with its 95 % interval by paired bootstrap over sentences."""
    found = compare(first, second, samples=2000)[metric]
    return f"{found.value:+.{digits}f} ({found.low:+.{digits}f} to {found.high:+.{digits}f})"


def ratio(slow: Sequence[float], fast: Sequence[float]) -> str:
    """How many times as long the first took as the second: median and spread of alternating rounds."""
    each = sorted(a / b for a, b in zip(slow, fast, strict=True))
    return f"{statistics.median(each):.1f} ({each[0]:.1f} to {each[-1]:.1f})"


def together(several: Sequence[Scores]) -> Scores:
    """The sentences of several runs over the same gold, each counted as often as there are runs."""

    def summed(metric: str) -> Counts:
        parts = zip(*(sums(scores.counts[metric]) for scores in several), strict=True)
        return Counts(*(np.sum(part, axis=0) for part in parts))

    return Scores({metric: summed(metric) for metric in several[0].counts})


def joined(several: Sequence[Scores]) -> Scores:
    """The sentences of several data sets as those of one."""
    metrics = set.intersection(*(set(scores.counts) for scores in several))

    def appended(metric: str) -> Counts:
        parts = zip(*(sums(scores.counts[metric]) for scores in several), strict=True)
        return Counts(*(np.concatenate(part) for part in parts))

    return Scores({metric: appended(metric) for metric in several[0].counts if metric in metrics})


def sums(counts: Counts) -> tuple[npt.NDArray[np.int64], ...]:
    """What a score is computed from, for each sentence."""
    return counts.correct, counts.gold, counts.system
