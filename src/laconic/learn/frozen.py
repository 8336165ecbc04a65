"""A trained prefix classifier, frozen: immutable, shared by threads, saved as plain arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from laconic._core.features import Plan
from laconic._core.learn import LabelSets, Table
from laconic.errors import ModelError
from laconic.learn.stopping import EXIT, TOLERANCES, Stop, calibrate
from laconic.learn.tables import AnyTable, table_from, table_state

Atoms = npt.NDArray[np.uint32]


@dataclass(frozen=True)
class Trace:
    """One decision, step by step."""

    label: int
    depth: int
    """Templates computed; 0 if there was only one candidate."""
    scores: npt.NDArray[np.float64]
    """Real scores of every label after each computed template, ``depth`` rows: by hidden rows as at the exit where the
    decision stopped. Labels that are no candidates have -inf."""
    lead: float


@dataclass(frozen=True)
class Frozen:
    """Weights, candidate sets and calibrated margins of one classifier."""

    table: AnyTable
    sets: LabelSets
    stops: Mapping[float, Stop] = field(default_factory=dict)
    """Tolerance to the margins that hold it."""

    @property
    def linear(self) -> Table:
        """The table of a task that has linear rows only; ModelError if it is another."""
        if not isinstance(self.table, Table):
            raise ModelError("the model has hidden rows where linear ones are needed")
        return self.table

    def stop(self, tolerance: float = 0.0) -> Stop:
        """Margins for the largest calibrated tolerance that is not above the one asked for; 0 is the full model."""
        if not 0 <= tolerance < 1:
            raise ValueError(
                f"tolerance is the share of decisions that may differ from the full model's, not {tolerance}"
            )
        held = [known for known in self.stops if known <= tolerance]
        return self.stops[max(held)] if held else Stop.never(self.table.templates)

    def decide(
        self, plan: Plan, atoms: Atoms, stop: Stop, candidates: npt.NDArray[np.uint32] | None = None
    ) -> tuple[npt.NDArray[np.uint16], npt.NDArray[np.uint32], npt.NDArray[np.float64]]:
        """Label, templates computed and lead (real score) for each row of atoms."""
        chosen = np.zeros(len(atoms), np.uint32) if candidates is None else candidates
        labels, depths, leads = self.table.decide(plan, atoms, chosen, self.sets, stop.exits(self.table))
        return labels, depths, leads / self.table.scale

    def trace(self, plan: Plan, row: Atoms, stop: Stop, candidates: int = 0) -> Trace:
        """What one decision computed, and where it stopped."""
        atoms = np.ascontiguousarray(row, np.uint32).reshape(1, -1)
        (found,) = self.table.traces(plan, atoms, np.array([candidates], np.uint32), self.sets, stop.exits(self.table))
        scores = np.full((found.depth, self.table.labels), -np.inf)
        scores[:, found.candidates] = found.scores()[1:] / self.table.scale
        return Trace(found.label, found.depth, scores, found.margin / self.table.scale)

    def state(self) -> tuple[dict[str, npt.NDArray[Any]], dict[str, Any]]:
        """Arrays and JSON-able facts from which ``from_state`` builds an equal object."""
        arrays, facts = table_state(self.table)
        arrays |= {"set_begins": self.sets.begins(), "set_members": self.sets.members()}
        stops = [
            {
                "tolerance": tolerance,
                "depths": list(stop.depths),
                "margins": [None if np.isinf(m) else m for m in stop.margins],
                "temperatures": list(stop.temperatures),
                "certain": stop.certain,
                "slope": stop.slope,
                "shift": stop.shift,
            }
            for tolerance, stop in sorted(self.stops.items())
        ]
        return arrays, facts | {"stops": stops}

    @classmethod
    def from_state(cls, arrays: Mapping[str, npt.NDArray[Any]], facts: Mapping[str, Any]) -> Frozen:
        """Raises ModelError unless everything fits together."""
        try:
            table = table_from(arrays, facts)
            sets = LabelSets(facts["labels"], arrays["set_begins"], arrays["set_members"])
            stops = {
                float(stop["tolerance"]): Stop(
                    tuple(int(depth) for depth in stop["depths"]),
                    tuple(np.inf if margin is None else float(margin) for margin in stop["margins"]),
                    tuple(float(temperature) for temperature in stop["temperatures"]),
                    float(stop["certain"]),
                    float(stop.get("slope", 1.0)),
                    float(stop.get("shift", 0.0)),
                )
                for stop in facts["stops"]
            }
            for stop in stops.values():
                stop.exits(table)
                if stop.temperatures and len(stop.temperatures) != len(stop.depths):
                    raise ValueError("one temperature per depth is needed")
                if not all(np.isfinite(value) and value > 0 for value in (*stop.temperatures, stop.certain)):
                    raise ValueError("temperatures must be above 0")
                if not (np.isfinite(stop.slope) and np.isfinite(stop.shift)):
                    raise ValueError("slope and shift of confidences must be finite")
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise ModelError(f"the classifier in the model is damaged: {error}") from error
        return cls(table, sets, stops)


def calibrated(
    frozen: Frozen,
    leads: npt.NDArray[np.float32],
    agrees: npt.NDArray[np.bool_],
    depths: Sequence[int],
    tolerances: Sequence[float] = TOLERANCES,
    exit_cost: float = EXIT,
) -> Frozen:
    """The same classifier with margins for a grid of tolerances, from held-out decisions."""
    return Frozen(frozen.table, frozen.sets, calibrate(leads, agrees, depths, tolerances, exit_cost))
