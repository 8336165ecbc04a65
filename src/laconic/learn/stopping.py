"""When a decision may stop: one margin for all depths (strubell2015), or one per depth, set on held-out decisions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from laconic._core.learn import Exits, HiddenTable, Table

TOLERANCES = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05)


@dataclass(frozen=True)
class Stop:
    """Leads (in real scores) that end a decision after so many templates; at the last depth it ends anyway."""

    depths: tuple[int, ...]
    margins: tuple[float, ...]
    temperatures: tuple[float, ...] = ()
    """What makes scores at each of the depths into probabilities; empty: not known."""
    certain: float = 1.0
    """How often a decision with one candidate was right."""

    @classmethod
    def never(cls, depth: int) -> Stop:
        """Always compute the first ``depth`` templates."""
        return cls((depth,), (math.inf,))

    @classmethod
    def margin(cls, margin: float, depths: Sequence[int]) -> Stop:
        """The paper's rule: the same lead at every depth."""
        return cls(tuple(depths), (margin,) * len(depths))

    def exits(self, table: Table | HiddenTable) -> Exits:
        return table.exits(list(self.depths), list(self.margins))

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


def calibrate(
    leads: npt.NDArray[np.float32], agrees: npt.NDArray[np.bool_], depths: Sequence[int], tolerance: float
) -> Stop:
    """The smallest margins at which early decisions agree with the full model in all but ``tolerance`` of cases.

    ``leads[i, e]`` is the lead of the best label of decision ``i`` after ``depths[e]`` templates, ``agrees[i, e]``
    whether it is the full model's answer. Exits are set from the first to the last, each on the decisions that reach
    it, and each bears a disagreement of at most ``tolerance`` of those it stops, counted with one disagreement more
    than was seen. Cost: decisions x exits x log(decisions).
    """
    remaining = np.arange(len(leads))
    margins = []
    for e in range(len(depths) - 1):
        lead = leads[remaining, e]
        order = np.argsort(-lead, kind="stable")
        wrong = np.cumsum(~agrees[remaining[order], e])
        stopped = np.arange(1, len(order) + 1)
        # A margin cannot separate equal leads: only the last of them is a place to cut.
        cut = np.append(lead[order][:-1] > lead[order][1:], True) if len(order) else np.zeros(0, bool)
        good = np.flatnonzero(cut & (wrong + 1 <= tolerance * stopped))
        margin = float(lead[order][good[-1]]) if len(good) else math.inf
        margins.append(margin)
        remaining = remaining[lead < margin]
    return Stop(tuple(depths), (*margins, math.inf))
