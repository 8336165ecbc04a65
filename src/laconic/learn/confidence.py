"""From scores to probabilities: scores of different depths are not comparable, so each depth has its temperature."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from laconic.learn.stopping import LEAST, Stop

FEW = 200
"""A depth at which fewer held-out decisions ended shares the temperature of all depths."""
RIDGE = 1e-6
"""Added to curvatures that may be 0."""
LOWEST, HIGHEST = math.exp(-6), math.exp(4)


@dataclass(frozen=True)
class FinalScores:
    """Decisions where they were taken: the depth, the scores of the candidates less the best one, and whether it was
    right."""

    depths: npt.NDArray[np.uint32]
    begins: npt.NDArray[np.uint64]
    """The gaps of decision i are ``gaps[begins[i]:begins[i + 1]]``."""
    gaps: npt.NDArray[np.float32]
    right: npt.NDArray[np.bool_]

    @classmethod
    def concatenate(cls, parts: Iterable[FinalScores]) -> FinalScores:
        every = list(parts)
        sizes = np.concatenate([np.diff(part.begins) for part in every])
        return cls(
            np.concatenate([part.depths for part in every]),
            np.concatenate(([0], np.cumsum(sizes))).astype(np.uint64),
            np.concatenate([part.gaps for part in every]),
            np.concatenate([part.right for part in every]),
        )

    def where(self, chosen: npt.NDArray[np.bool_]) -> FinalScores:
        sizes = np.diff(self.begins).astype(np.int64)
        return FinalScores(
            self.depths[chosen],
            np.concatenate(([0], np.cumsum(sizes[chosen]))).astype(np.uint64),
            self.gaps[np.repeat(chosen, sizes)],
            self.right[chosen],
        )

    def log_confidence(self, temperature: float) -> npt.NDArray[np.float64]:
        """The logarithm of the probability of the label of each decision. Others may lead it by any number, where a
        search took it."""
        if not len(self.depths):
            return np.zeros(0)
        begins = self.begins[:-1].astype(np.int64)
        scaled = self.gaps.astype(np.float64) / temperature
        highest = np.maximum.reduceat(scaled, begins)
        odds = np.exp(scaled - np.repeat(highest, np.diff(self.begins).astype(np.int64)))
        return np.asarray(-highest - np.log(np.add.reduceat(odds, begins)))

    def confidence(self, temperature: float) -> npt.NDArray[np.float64]:
        """The probability of the label of each decision."""
        return np.exp(self.log_confidence(temperature))

    def loss(self, temperature: float) -> float:
        """Mean log loss of being right, at one temperature."""
        confidences = np.clip(self.confidence(temperature), 1e-9, 1 - 1e-9)
        return float(-np.mean(np.log(np.where(self.right, confidences, 1 - confidences))))


def fit_temperature(finals: FinalScores) -> float:
    """The temperature of the least log loss, by golden-section search over its logarithm; 1 without decisions."""
    if not len(finals.depths):
        return 1.0
    low, high = math.log(LOWEST), math.log(HIGHEST)
    golden = (math.sqrt(5) - 1) / 2
    left, right = high - golden * (high - low), low + golden * (high - low)
    at_left, at_right = finals.loss(math.exp(left)), finals.loss(math.exp(right))
    for _ in range(30):
        if at_left <= at_right:
            high, right, at_right = right, left, at_left
            left = high - golden * (high - low)
            at_left = finals.loss(math.exp(left))
        else:
            low, left, at_left = left, right, at_right
            right = low + golden * (high - low)
            at_right = finals.loss(math.exp(right))
    return round(math.exp((low + high) / 2), 6)


def tempered(stop: Stop, finals: FinalScores, *, platt: bool = False) -> Stop:
    """The same margins with temperatures, from held-out decisions that ended at them, and on request with slope and
    shift. Cost: 30 passes over them."""
    choice = finals.depths > 0
    free = finals.where(choice)
    common = fit_temperature(free)
    temperatures = []
    for depth in stop.depths:
        here = free.depths == depth
        temperatures.append(fit_temperature(free.where(here)) if np.count_nonzero(here) >= FEW else common)
    single = finals.right[~choice]
    # One more right and one more wrong than was seen: certainty is never learned from a sample.
    certain = (np.count_nonzero(single) + 1) / (len(single) + 2)
    stop = replace(stop, temperatures=tuple(temperatures), certain=round(float(certain), 6))
    if not platt or len(free.depths) < FEW:
        return stop
    confidences = np.zeros(len(free.depths))
    for depth, temperature in zip(stop.depths, temperatures, strict=True):
        here = free.depths == depth
        confidences[here] = free.where(here).confidence(temperature)
    slope, shift = fit_odds(confidences, free.right)
    return replace(stop, slope=slope, shift=shift)


def fit_odds(confidences: npt.NDArray[np.float64], right: npt.NDArray[np.bool_]) -> tuple[float, float]:
    """Slope and shift of the log odds at the least log loss of being right, by Newton's method (Platt 1999)."""
    odds = np.clip(confidences, LEAST, 1 - LEAST)
    x = np.log(odds / (1 - odds))
    # One more right and one more wrong than was seen keep the answer finite where all are alike.
    target = np.where(right, 1 - 1 / (np.count_nonzero(right) + 2), 1 / (np.count_nonzero(~right) + 2))
    slope, shift = 1.0, 0.0
    for _ in range(20):
        chance = 1 / (1 + np.exp(-np.clip(slope * x + shift, -30, 30)))
        miss, weight = chance - target, chance * (1 - chance)
        # Plain sums, never a library of linear algebra: the same bytes on every machine.
        a, b, c = (float((weight * power).sum()) for power in (x * x, x, 1.0))
        u, v = float((miss * x).sum()), float(miss.sum())
        determinant = (a + RIDGE) * (c + RIDGE) - b * b
        slope -= ((c + RIDGE) * u - b * v) / determinant
        shift -= ((a + RIDGE) * v - b * u) / determinant
    return (round(slope, 6), round(shift, 6)) if math.isfinite(slope) and math.isfinite(shift) else (1.0, 0.0)


def expected_calibration_error(confidence: npt.ArrayLike, correct: npt.ArrayLike, bins: int = 15) -> float:
    """How far confidence and accuracy lie apart: the mean over equal-width bins of confidence, weighted by their size.

    0 is perfect. Guo et al. (2017), section 2.
    """
    stated, right = np.asarray(confidence, np.float64), np.asarray(correct, np.float64)
    if stated.shape != right.shape or stated.ndim != 1 or bins < 1:
        raise ValueError("confidence and correctness come in two arrays of one dimension and equal length")
    if not len(stated):
        return 0.0
    if not np.all((stated >= 0) & (stated <= 1)):
        raise ValueError("confidence lies between 0 and 1")
    bin_of = np.minimum((stated * bins).astype(np.int64), bins - 1)
    gaps = np.bincount(bin_of, weights=stated - right, minlength=bins)
    return float(np.abs(gaps).sum() / len(stated))
