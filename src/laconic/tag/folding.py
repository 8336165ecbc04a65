"""What the components of this room share in training: progress over several trainings, margins from held-out folds."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from laconic.learn import TOLERANCES, Frozen, calibrated
from laconic.progress import Progress, told

Sentences = npt.NDArray[np.uint32]


@dataclass(frozen=True)
class HeldOut:
    """Decisions on sentences that a model was not trained on, those with a choice only."""

    leads: npt.NDArray[np.float32]
    """After each depth."""
    agrees: npt.NDArray[np.bool_]
    """Whether the prefix says what the full model says."""

    @classmethod
    def of(cls, leads: npt.NDArray[np.int32], labels: npt.NDArray[np.uint16], scale: float) -> HeldOut:
        """From integer leads, infinite where there was no choice, and the labels after each depth."""
        choice = leads[:, 0] < np.iinfo(np.int32).max
        return cls(np.asarray(leads[choice] / scale, np.float32), np.asarray(labels[choice] == labels[choice][:, -1:]))


Component = TypeVar("Component")


def fit_folds(
    fit: Callable[[Sentences], Generator[Progress, None, Component]],
    parts: Sequence[Sentences],
    what: str,
    done: int,
    of: int,
) -> Generator[Progress, None, list[Component]]:
    """For each part a component trained on the sentences of all others; trainings ``done + 1`` … among ``of``."""
    components = []
    for fold in range(len(parts)):
        rest = np.sort(np.concatenate([part for i, part in enumerate(parts) if i != fold]))
        components.append((yield from told(fit(rest), what, done + fold, of)))
    return components


def with_margins(
    frozen: Frozen, held: Sequence[HeldOut], depths: Sequence[int], tolerances: Sequence[float] = TOLERANCES
) -> Frozen:
    """The same weights with margins for all tolerances."""
    leads = np.concatenate([one.leads for one in held])
    return calibrated(frozen, leads, np.concatenate([one.agrees for one in held]), depths, tolerances)
