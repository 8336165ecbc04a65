"""When a decision may stop: one margin for all depths (strubell2015), or one per depth, set on held-out decisions."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from laconic._core.learn import Exits, HiddenTable, Table

# Finer where taggers lose the first tenth of a point.
TOLERANCES = (0.0005, 0.001, 0.002, 0.005, 0.007, 0.01, 0.012, 0.02, 0.05)
EXIT = 2.0
"""What looking at an exit of linear rows costs, in templates."""
PRICES, HIGHEST = 1.25, 64
"""Prices of a disagreement: powers of the first number, up to the second."""
SHARE = 2.0
"""At any one exit so many times the tolerance may be wrong: a sample is not to be trusted with all of it in one
place."""
SWEEPS = 2
LARGEST = 100_000
LEAST = 1e-6
"""No confidence is nearer to 0 or 1 before its odds are taken."""


@dataclass(frozen=True)
class Stop:
    """Leads (in real scores) that end a decision after so many templates; at the last depth it ends anyway."""

    depths: tuple[int, ...]
    margins: tuple[float, ...]
    temperatures: tuple[float, ...] = ()
    """What makes scores at each of the depths into probabilities; empty: not known."""
    certain: float = 1.0
    """How often a decision with one candidate was right."""
    slope: float = 1.0
    shift: float = 0.0
    """What makes the log odds of decisions with a choice those of being right, where temperatures are not enough."""

    @classmethod
    def never(cls, depth: int) -> Stop:
        """Always compute the first ``depth`` templates."""
        return cls((depth,), (math.inf,))

    @classmethod
    def margin(cls, margin: float, depths: Sequence[int]) -> Stop:
        """The paper's rule: the same lead at every depth."""
        return cls(tuple(depths), (margin,) * len(depths))

    def exits(self, table: Table | HiddenTable) -> Exits:
        """The margins in the numbers of a table, without exits that no lead is enough for, which would cost a look;
        those of the last table are kept, since each call asks for them."""
        found: tuple[Table | HiddenTable, Exits] | None = self.__dict__.get("_exits")
        if found is None or found[0] is not table:
            table.exits(list(self.depths), list(self.margins))  # all of them must fit the table
            last = len(self.depths) - 1
            used = [i for i, margin in enumerate(self.margins) if i == last or margin < math.inf]
            found = table, table.exits([self.depths[i] for i in used], [self.margins[i] for i in used])
            object.__setattr__(self, "_exits", found)
        return found[1]

    def __getstate__(self) -> dict[str, object]:
        return {name: value for name, value in self.__dict__.items() if name != "_exits"}

    def probability(self, templates: int) -> npt.NDArray[np.float64]:
        """The confidence in a decision with one candidate, then a temperature for each of so many depths.

        ValueError if they are not known.
        """
        if not self.temperatures:
            raise ValueError("confidence was not calibrated: train with folds")
        values = np.ones(templates + 1, np.float64)
        values[0] = self.certain
        values[list(self.depths)] = self.temperatures
        return values

    def platt_scaled(
        self, confidences: npt.NDArray[np.float32], depths: npt.NDArray[np.uint32]
    ) -> npt.NDArray[np.float32]:
        """Confidences by temperature alone of decisions that ended at these depths, with slope and shift applied to
        their log odds (Platt 1999)."""
        odds = np.clip(confidences.astype(np.float64), LEAST, 1 - LEAST)
        odds = np.maximum(self.slope * np.log(odds / (1 - odds)) + self.shift, -700)  # exp overflows behind that
        return np.where(depths > 0, 1 / (1 + np.exp(-odds)), confidences).astype(np.float32)


def exits_of(stops: tuple[Stop, Stop], tables: tuple[Table | HiddenTable, Table | HiddenTable]) -> tuple[Exits, Exits]:
    """Of two kinds of decisions, each over its own table."""
    return stops[0].exits(tables[0]), stops[1].exits(tables[1])


def calibrate(
    leads: npt.NDArray[np.float32],
    agrees: npt.NDArray[np.bool_],
    depths: Sequence[int],
    tolerances: Sequence[float],
    exit_cost: float = EXIT,
) -> dict[float, Stop]:
    """For each tolerance the cheapest margins at which all but that share of the decisions are the full model's.

    ``leads[i, e]`` is the lead of the best label of decision ``i`` after ``depths[e]`` templates, ``agrees[i, e]``
    whether it is the full model's answer. A disagreement has a price in templates; from the last exit to the first each
    margin is the one at which stopping costs least, given what going on would cost under the margins behind it. To look
    at an exit costs every decision that comes there ``exit_cost`` templates: where too few of them would stop, the
    margin is infinite, and nothing looks. The price is the lowest that keeps to the tolerance, counted with one
    disagreement and one standard error more than was seen.
    Cost: decisions (at most 100,000 are looked at) x exits x about a hundred passes.
    """
    step = 1 + len(leads) // LARGEST
    leads, agrees = leads[::step], agrees[::step]
    orders = [np.argsort(-leads[:, e], kind="stable") for e in range(len(depths) - 1)]
    stops = {}
    for tolerance in tolerances:

        @cache
        def at(price: int, tolerance: float = tolerance) -> tuple[tuple[float, ...], float]:
            return _margins(leads, agrees, depths, orders, PRICES**price, SHARE * tolerance, exit_cost)

        most = tolerance * len(leads) - 1
        price = bisect_left(range(HIGHEST), True, key=lambda price, most=most, at=at: at(price)[1] <= most)  # type: ignore[misc]
        margins = at(price)[0] if price < HIGHEST else (math.inf,) * len(orders)
        stops[tolerance] = Stop(tuple(depths), (*margins, math.inf))
    return stops


def _margins(
    leads: npt.NDArray[np.float32],
    agrees: npt.NDArray[np.bool_],
    depths: Sequence[int],
    orders: Sequence[npt.NDArray[np.int64]],
    price: float,
    share: float,
    exit_cost: float,
) -> tuple[tuple[float, ...], float]:
    """Margins at one price, and the disagreements they bring, by one standard error more than were seen. Which
    decisions come to an exit depends on the margins before it, so the whole is done twice."""
    margins = [math.inf] * len(orders)
    coming = [np.ones(len(leads), bool) for _ in depths]
    for _ in range(SWEEPS):
        later = np.full(len(leads), exit_cost)  # the last exit is always looked at
        for e in reversed(range(len(orders))):
            stop = price * ~agrees[:, e]
            go = later + (depths[e + 1] - depths[e])
            order = orders[e][coming[e][orders[e]]]
            margins[e] = _cheapest(leads[order, e], (stop - go)[order], ~agrees[order, e], share, exit_cost)
            later = go if math.isinf(margins[e]) else exit_cost + np.where(leads[:, e] >= margins[e], stop, go)
        for e, margin in enumerate(margins):
            coming[e + 1] = coming[e] & (leads[:, e] < margin)
    stopped = [here & ~there for here, there in pairwise(coming)]
    wrong = sum(int((here & ~agrees[:, e]).sum()) for e, here in enumerate(stopped))
    return tuple(margins), wrong + math.sqrt(wrong)


def _cheapest(
    leads: npt.NDArray[np.float32],
    changes: npt.NDArray[np.float64],
    wrong: npt.NDArray[np.bool_],
    share: float,
    exit_cost: float,
) -> float:
    """The margin at which the changes of all leads from it on sum to least, and no more than a share of these decisions
    is wrong, counted with one more than was seen; infinite if none saves what looking costs. Leads fall."""
    if not len(leads):
        return math.inf
    # A margin cannot separate equal leads: only the last of them is a place to cut.
    cut = np.append(leads[:-1] > leads[1:], True)
    cut &= np.cumsum(wrong) + 1 <= share * np.arange(1, len(leads) + 1)
    sums = np.where(cut, np.cumsum(changes), math.inf)
    best = int(np.argmin(sums))
    return float(leads[best]) if sums[best] + exit_cost * len(leads) < 0 else math.inf
