"""Hyper-parameters of the one trainer."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, Protocol, Self, get_args

import numpy as np
import numpy.typing as npt

from laconic.errors import ConfigError, choices

Mode = Literal["full", "truncated", "every-exit", "stagewise", "fixed"]
Loss = Literal["hinge", "logistic", "snow"]
Update = Literal["adagrad", "perceptron"]
Items = npt.NDArray[np.uint32]
"""Numbers of examples or of sentences."""
WHOLE = (
    ("epochs", 1, 10_000),
    ("treebank_epochs", 0, 10_000),
    ("treebank_weight", 1, 1000),
    ("cutoff", 1, 2**31),
    ("snapshots", 1, 10_000),
    ("floor", 0, 126),
    ("depth", 0, 65_535),
    ("seed", 0, 2**32 - 1),
)
MAX_FOLDS = 100
REAL = (("margin", 0.0), ("l2", 0.0), ("rate", 1e-9), ("stability", 1e-9))


def check_counts(config: Any, names: Sequence[str]) -> None:
    """The named settings are whole numbers from 1 on."""
    for name in names:
        if not 1 <= getattr(config, name) < 2**31:
            raise ConfigError(f"{name} must be at least 1, not {getattr(config, name)}")


def check_whole(config: Any, limits: Sequence[tuple[str, int, int]]) -> None:
    """The named settings are whole numbers between two others."""
    for name, low, high in limits:
        value = getattr(config, name)
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise ConfigError(f"{name} must be a whole number from {low} to {high}, not {value!r}")


def check_shares(config: Any, names: Sequence[str]) -> None:
    """The named settings are shares of a whole, but not all of it."""
    for name in names:
        if not 0 <= getattr(config, name) < 1:
            raise ConfigError(f"{name} must be from 0 up to, but not, 1, not {getattr(config, name)!r}")


def falling_rate(last: float, epochs: int, epoch: int, first: float = 1.0) -> tuple[float, float]:
    """Which shares of the rate an epoch begins and ends with, if it falls evenly from one share to another."""
    fall = (first - last) / epochs
    return first - epoch * fall, first - (epoch + 1) * fall


def is_early(epoch: int, epochs: int, last: int) -> bool:
    """Does an epoch lie before the last ones? The first one always does."""
    return epoch == 0 or epoch < epochs - last


class MixedSettings(Protocol):
    """How often a treebank and text that a model has labelled are seen."""

    @property
    def epochs(self) -> int: ...
    @property
    def treebank_epochs(self) -> int: ...
    @property
    def treebank_weight(self) -> int: ...


def seen_items(settings: MixedSettings, epoch: int, treebank: Items, labelled: Items) -> Items:
    """The treebank alone in the last epochs; before them all of it, so often as it weighs, and the labelled text."""
    if not len(labelled) or not is_early(epoch, settings.epochs, settings.treebank_epochs):
        return treebank
    return np.concatenate((*[treebank] * settings.treebank_weight, labelled))


def check_folds(folds: int, name: str = "folds") -> None:
    """None at all, or at least two: one would leave nothing to train on."""
    if folds != 0 and not 2 <= folds <= MAX_FOLDS:
        raise ConfigError(f"{name} must be 0 or from 2 to {MAX_FOLDS}, not {folds}")


def check_choices(config: Any, words: Mapping[str, Sequence[str]]) -> None:
    """The named settings are each one of some words."""
    for name, known in words.items():
        if getattr(config, name) not in known:
            value = getattr(config, name)
            raise ConfigError(f"{name} is {value!r}: it must be one of {choices(str(value), known)}")


@dataclass(frozen=True)
class Settings:
    """How a prefix classifier is trained.

    ``mode`` says which prefixes of the templates carry a loss: the whole list (``full``), every prefix until the true
    label leads by the margin (``truncated``: strubell2015), every exit (``every-exit``), one template after another
    with those before it frozen (``stagewise``), or the first ``depth`` templates as a model of their own (``fixed``).
    """

    mode: Mode = "every-exit"
    loss: Loss = "hinge"
    update: Update = "adagrad"
    margin: float = 1.0
    rate: float = 0.1
    l2: float = 1e-6
    stability: float = 1.0
    epochs: int = 8
    treebank_epochs: int = 2
    """With text that a model has labelled: how many of the last epochs see the treebank alone."""
    treebank_weight: int = 1
    """In the other epochs, then: how often the treebank is seen for each time that the text is."""
    cutoff: int = 2
    average: bool = True
    snapshots: int = 4
    """How often per epoch, from the second on, the weights enter the average."""
    floor: int = 0
    """Features without a weight above so many steps of the quantised ones are dropped, for smaller models."""
    exits: tuple[int, ...] = ()
    """Depths that take a loss in ``truncated`` and ``every-exit``; empty: all of them."""
    depth: int = 0
    """For ``fixed``: how many templates. 0: all."""
    seed: int = 1

    def __post_init__(self) -> None:
        check_choices(self, {"mode": get_args(Mode), "loss": get_args(Loss), "update": get_args(Update)})
        check_whole(self, WHOLE)
        for name, least in REAL:
            value = getattr(self, name)
            if not (isinstance(value, int | float) and math.isfinite(value) and least <= value <= 1e6):
                raise ConfigError(f"{name} must be a number from {least:g} to 1000000, not {value!r}")
        if not all(isinstance(depth, int) for depth in self.exits):
            raise ConfigError(f"exits must be whole numbers, not {list(self.exits)}")
        if self.depth and self.mode != "fixed":
            raise ConfigError(f"depth is for the mode fixed, not for {self.mode}")
        if any(a >= b for a, b in zip((0, *self.exits), self.exits, strict=False)):
            raise ConfigError(f"exits must be ascending depths from 1 on, not {list(self.exits)}")

    def exits_for(self, templates: int) -> list[int]:
        """Depths that take a loss when there are so many templates; the last one always does."""
        return (
            [depth for depth in self.exits if depth < templates] + [templates]
            if self.exits
            else list(range(1, templates + 1))
        )

    def used(self, templates: int) -> int:
        """How many of so many templates decide: fewer than all in the mode ``fixed`` only."""
        return min(self.depth, templates) if self.depth else templates

    def stages(self, templates: int) -> list[tuple[int, int]]:
        """Which of so many templates learn at the same time: ranges, one after another."""
        if self.mode == "stagewise":
            return [(j, j + 1) for j in range(templates)]
        return [(0, self.used(templates))]

    def spelled_out(self, templates: int) -> Self:
        """As the core wants it: no mode that is a matter of stages, all exits of so many templates named."""
        mode = self.mode if self.mode in ("truncated", "every-exit") else "full"
        exits = tuple(depth for depth in self.exits_for(templates) if depth)
        return replace(self, mode=mode, depth=0, exits=exits)
