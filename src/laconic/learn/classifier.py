"""The prefix classifier by itself, on plain integer arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from laconic._core.features import Plan, Slot
from laconic._core.learn import Examples
from laconic.learn.frozen import Atoms, Frozen, Trace, calibrated
from laconic.learn.settings import Settings
from laconic.learn.stopping import TOLERANCES, Stop
from laconic.learn.training import train_linear
from laconic.progress import finished

MAX_COLUMNS = 32_767
Columns = int | range
"""A column, or several whose values form a set."""


def column_plan(columns: int, templates: Sequence[Sequence[Columns]] | None = None) -> Plan:
    """A plan over the columns of an array: by default one template per column, otherwise one per tuple, joined.

    A ``range`` among the columns of a template is a set: the template then has one feature per member.
    """
    if columns > MAX_COLUMNS:
        raise ValueError(f"X has {columns} columns: at most {MAX_COLUMNS} can be read")
    joined = (
        [(column,) for column in range(columns)] if templates is None else [tuple(template) for template in templates]
    )
    read = list(dict.fromkeys(part for template in joined for part in template))
    for part in read:
        last = part if isinstance(part, int) else part.stop - 1
        first = part if isinstance(part, int) else part.start
        if not 0 <= first <= last < columns or (isinstance(part, range) and part.step != 1):
            raise ValueError(f"a template reads {part}, but X has {columns} columns")
    slots = [
        Slot(attribute=0, node=0, index=part)
        if isinstance(part, int)
        else Slot(attribute=0, node=0, index=part.start, argument=len(part), many=True)
        for part in read
    ]
    names = [" & ".join(f"COLUMN({part})" for part in template) for template in joined]
    return Plan(slots, [[read.index(part) for part in template] for template in joined], names)


def as_atoms(values: npt.ArrayLike) -> Atoms:
    """Integers from 0 on become atoms; a negative number means unknown, and templates that look at it are skipped."""
    array = np.asarray(values)
    if array.ndim != 2 or not np.issubdtype(array.dtype, np.integer):
        raise ValueError("X must be an array of integers with two dimensions, one row per decision")
    if array.size and array.max() > np.iinfo(np.uint32).max - 2:
        raise ValueError("X must hold values below 2**32 - 2")
    return np.ascontiguousarray(np.where(array < 0, 0, array.astype(np.int64) + 2), dtype=np.uint32)


@dataclass
class PrefixClassifier:
    """Decides with the first templates where they suffice.

    >>> model = PrefixClassifier(Settings(cutoff=1)).fit([[0, 1], [0, 2], [1, 1], [1, 2]], ["a", "a", "b", "b"])
    >>> list(model.predict([[0, 1], [1, 2]]))
    ['a', 'b']
    """

    settings: Settings = field(default_factory=Settings)
    templates: Sequence[Sequence[Columns]] | None = None
    """Which columns each template joins, in order; None: one template per column."""

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """As scikit-learn asks for it, so that ``clone`` works."""
        return {"settings": self.settings, "templates": self.templates}

    def set_params(self, **params: Any) -> Self:
        for name, value in params.items():
            if name not in ("settings", "templates"):
                raise ValueError(f"no parameter {name!r}: there are settings and templates")
            setattr(self, name, value)
        return self

    def fit(self, x: npt.ArrayLike, y: npt.ArrayLike) -> Self:
        """Train and freeze. ``x``: integers, one row per decision; ``y``: one label of any sortable kind per row."""
        atoms = as_atoms(x)
        self.classes_, numbers = np.unique(np.asarray(y), return_inverse=True)
        if len(numbers) != len(atoms) or not len(atoms):
            raise ValueError(f"fit needs one label per row, and at least one: {len(atoms)} rows, {len(numbers)} labels")
        self.plan_ = column_plan(atoms.shape[1], self.templates)
        examples = Examples(len(self.plan_), len(self.classes_))
        sets = np.array([examples.add_set([label]) for label in range(len(self.classes_))], np.uint32)
        examples.add_rows(self.plan_, atoms, sets[numbers], np.zeros(len(atoms), np.uint32))
        examples.finish(self.settings.cutoff)
        learner = finished(train_linear(examples, len(self.plan_), self.settings))
        self.frozen_ = Frozen(learner.freeze(examples, self.settings.floor), examples.label_sets())
        self.stop = Stop.never(self.settings.used(len(self.plan_)))
        return self

    def calibrate(self, x: npt.ArrayLike, tolerances: Sequence[float] = TOLERANCES) -> Self:
        """Set the margins of each depth on decisions that ``fit`` did not see, for ``effort``."""
        depths = self.settings.exits_for(len(self.plan_))
        scores = self.frozen_.table.prefix_scores(self.plan_, as_atoms(x), depths)
        best = scores.argmax(axis=2)
        top = np.sort(scores, axis=2)[:, :, -2:].astype(np.float32) / self.frozen_.table.scale
        leads = top[:, :, 1] - top[:, :, 0] if scores.shape[2] > 1 else np.full(best.shape, np.inf, np.float32)
        self.frozen_ = calibrated(self.frozen_, leads, best == best[:, -1:], depths, tolerances)
        return self

    def effort(self, tolerance: float) -> Self:
        """Let decisions stop early, so that about this share of them differs from the full model's; 0: never."""
        self.stop = self.frozen_.stop(tolerance)
        return self

    def predict(self, x: npt.ArrayLike) -> npt.NDArray[Any]:
        return self.classes_[self.frozen_.decide(self.plan_, as_atoms(x), self.stop)[0]]

    def depths(self, x: npt.ArrayLike) -> npt.NDArray[np.uint32]:
        """How many templates each decision computes."""
        return self.frozen_.decide(self.plan_, as_atoms(x), self.stop)[1]

    def decision_function(self, x: npt.ArrayLike) -> npt.NDArray[np.float64]:
        """Scores of all labels after all templates, whatever the effort."""
        scores = self.frozen_.table.prefix_scores(self.plan_, as_atoms(x), [len(self.plan_)])
        return np.asarray(scores[:, 0, :] / self.frozen_.table.scale)

    def trace(self, row: npt.ArrayLike) -> Trace:
        return self.frozen_.trace(self.plan_, as_atoms(np.asarray(row).reshape(1, -1)), self.stop)
