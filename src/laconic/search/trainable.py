"""What can be searched: anything that can show its decisions with the features of all templates looked up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from laconic._core.learn import Examples, shuffled
from laconic.features import TemplateSet
from laconic.learn import Settings

Numbers = npt.NDArray[np.uint32]


@dataclass(frozen=True)
class Pool:
    """Decisions to learn from and decisions to be judged by, with the features of the whole pool of templates."""

    train: Examples
    develop: Examples
    """Finished like ``train``: the same features have the same numbers."""

    def sample(self, share: float, seed: int) -> Numbers:
        """A share of the training decisions, drawn once per seed: a smaller share is a part of a larger one."""
        size = len(self.train)
        return np.sort(shuffled(size, seed)[: max(1, round(share * size))])

    def features(self) -> npt.NDArray[np.int64]:
        """How many features each template has."""
        return np.bincount(self.train.template_of(), minlength=self.train.templates)


class Trainable(Protocol):
    """One component on one corpus. It must survive pickling where processes cannot be forked."""

    @property
    def templates(self) -> TemplateSet:
        """The pool to order."""

    @property
    def head(self) -> int:
        """How many templates of the pool stand first, in the order of the pool: those that a decision reads at one go,
        as it reads what the form of a word says (0: none)."""

    @property
    def settings(self) -> Settings:
        """How the component is going to be trained; search trains the same way."""

    @property
    def digest(self) -> str:
        """Tells apart whatever can change a result: data, templates, configuration."""

    def pool(self) -> Pool:
        """Look all features up, once. The same at every call."""


def numbers(values: npt.ArrayLike) -> Numbers:
    return np.asarray(values, np.uint32)
