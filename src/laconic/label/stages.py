"""When a label is dropped: limits after the prior, by the kind of the arc and after first order, set on trees that a
model did not see."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from laconic.learn.stopping import TOLERANCES

ArcNumbers = npt.NDArray[np.float32]
"""A number per arc."""
LEAST = 1e-3
"""The lowest limit."""
TIGHTER = 0.7
"""Share of the tolerance that is tried next where labels differ more often than that in the whole tree."""
STAGES = ("one candidate", "prior", "counts", "first order", "second order")
COUNTS, FIRST, SECOND = 0.1, 3.0, 4.0
"""What an arc takes that is still open: to look up its kind, of the first order, of the second order."""
SHARES = (0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 1.0)
"""Shares of what the tolerance leaves that are tried for a stage."""


@dataclass(frozen=True)
class StageStop:
    """Labels that trail the best one of their arc by so much are dropped after a stage; infinite: none."""

    limits: tuple[float, float, float] = (math.inf, math.inf, math.inf)
    """After the prior, by the kind of the arc, after first order."""
    temperatures: tuple[float, ...] = ()
    """How often an only candidate was right, and what makes the scores of each stage into probabilities; empty: not
    known."""

    def to_json(self) -> dict[str, Any]:
        return {
            "limits": [None if limit == math.inf else limit for limit in self.limits],
            "temperatures": list(self.temperatures),
        }

    @classmethod
    def from_json(cls, facts: Mapping[str, Any]) -> Self:
        """ValueError, TypeError or KeyError for what is none."""
        prior, counts, first = (math.inf if limit is None else float(limit) for limit in facts["limits"])
        temperatures = tuple(float(value) for value in facts["temperatures"])
        if not all(limit > 0 for limit in (prior, counts, first)):
            raise ValueError("limits must be above 0")
        if temperatures and len(temperatures) != len(STAGES):
            raise ValueError("one temperature per stage is needed")
        if not all(math.isfinite(value) and value > 0 for value in temperatures):
            raise ValueError("temperatures must be above 0")
        return cls((prior, counts, first), temperatures)


@dataclass(frozen=True)
class HeldOutArcs:
    """Arcs that have a choice, of trees that a model was not trained on: a row for each stage that can drop labels."""

    gaps: ArcNumbers
    """By how much the full model's label trails after the stage; 0: it is the best."""
    leads: ArcNumbers
    """By how much the best one leads."""


def calibrate_stages(
    arcs: HeldOutArcs,
    second_order: bool,
    disagreements: Callable[[StageStop], int],
    tolerances: Sequence[float] = TOLERANCES,
) -> dict[float, StageStop]:
    """For each tolerance the limits at which least is computed and no more than that share of the labels differs from
    the full model's, counted with one and one standard error more than was seen. ``disagreements`` counts them in whole
    trees: a label that is dropped changes the scores of its neighbours."""
    return {tolerance: _stop(arcs, second_order, disagreements, tolerance) for tolerance in tolerances}


def _stop(
    arcs: HeldOutArcs, second_order: bool, disagreements: Callable[[StageStop], int], tolerance: float
) -> StageStop:
    most = tolerance * arcs.gaps.shape[1] - 1
    allowed = most
    while allowed >= 1:
        # So many wrong ones, and their standard error, are within what is allowed.
        wrong = int((math.sqrt(allowed + 0.25) - 0.5) ** 2)
        stop = _cheapest(arcs, second_order, wrong)
        found = disagreements(stop)
        if found + math.sqrt(found) <= most:
            return stop
        allowed *= TIGHTER
    return StageStop()


def _cheapest(arcs: HeldOutArcs, second_order: bool, wrong: int) -> StageStop:
    """The limits that leave least to compute when so many labels may be dropped wrongly."""
    tried = {}
    for prior in sorted({int(wrong * share) for share in (0.0, *SHARES)}):
        for counts in sorted({int((wrong - prior) * share) for share in (0.0, *SHARES)}):
            limits = (
                _limit(arcs.gaps[0], prior),
                _limit(arcs.gaps[1], counts) if counts else math.inf,  # kinds are not looked up then
                _limit(arcs.gaps[2], wrong - prior - counts) if second_order else math.inf,
            )
            tried[limits] = _cost(arcs.leads, limits, second_order)
    return StageStop(min(tried, key=tried.__getitem__))


def _cost(leads: ArcNumbers, limits: Sequence[float], second_order: bool) -> float:
    is_open = leads[0] < limits[0]
    total = COUNTS * int(is_open.sum()) if math.isfinite(limits[1]) else 0.0
    is_open &= leads[1] < limits[1]
    total += FIRST * int(is_open.sum())
    is_open &= leads[2] < limits[2]
    return total + (SECOND * int(is_open.sum()) if second_order else 0.0)


def _limit(gaps: ArcNumbers, wrong: int) -> float:
    """The lowest limit that no more than so many gaps reach."""
    if wrong >= len(gaps):
        return LEAST
    largest = np.partition(gaps, len(gaps) - 1 - wrong)[len(gaps) - 1 - wrong]
    return max(float(np.nextafter(largest, np.float32(np.inf))), LEAST)


def fit_temperatures(
    confident: Callable[[float], tuple[ArcNumbers, npt.NDArray[np.uint8]]], right: npt.NDArray[np.bool_]
) -> tuple[float, ...]:
    """Temperatures of the least log loss, each stage by itself, among some. ``confident`` gives confidences and stages
    of held-out arcs with one temperature for all stages."""
    grid = [0.5, 0.7, 0.85, 1.0, 1.2, 1.5, 2.0, 3.0]
    best = [1.0] * len(STAGES)
    lowest = [math.inf] * len(STAGES)
    for temperature in grid:
        confidences, stages = confident(temperature)
        for stage in range(1, len(STAGES)):
            here = stages == stage
            if not here.any():
                continue
            chances = np.clip(confidences[here].astype(np.float64), 1e-6, 1 - 1e-6)
            loss = float(-np.mean(np.log(np.where(right[here], chances, 1 - chances))))
            if loss < lowest[stage]:
                best[stage], lowest[stage] = temperature, loss
    single = right[stages == 0]
    # One more right and one more wrong than was seen: certainty is never learned from a sample.
    best[0] = round((int(single.sum()) + 1) / (len(single) + 2), 6)
    return tuple(best)
