"""Hyper-parameters of the one trainer."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, get_args

from laconic.errors import ConfigError

Mode = Literal["full", "truncated", "every-exit", "stagewise", "fixed"]
Loss = Literal["hinge", "logistic", "snow"]
Update = Literal["adagrad", "perceptron"]


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
    cutoff: int = 2
    average: bool = True
    snapshots: int = 4
    """How often per epoch, from the second on, the weights enter the average."""
    exits: tuple[int, ...] = ()
    """Depths that take a loss in ``truncated`` and ``every-exit``; empty: all of them."""
    depth: int = 0
    """For ``fixed``: how many templates. 0: all."""
    seed: int = 1

    def __post_init__(self) -> None:
        for name, kind in (("mode", Mode), ("loss", Loss), ("update", Update)):
            if getattr(self, name) not in get_args(kind):
                raise ConfigError(f"{name} must be one of {', '.join(get_args(kind))}, not {getattr(self, name)!r}")
        for name, low in (
            ("margin", 0.0),
            ("l2", 0.0),
            ("epochs", 1),
            ("cutoff", 1),
            ("snapshots", 1),
            ("depth", 0),
            ("seed", 0),
        ):
            if not (math.isfinite(getattr(self, name)) and getattr(self, name) >= low):
                raise ConfigError(f"{name} must be at least {low}, not {getattr(self, name)}")
        for name in ("rate", "stability"):
            if not (math.isfinite(getattr(self, name)) and getattr(self, name) > 0):
                raise ConfigError(f"{name} must be greater than 0, not {getattr(self, name)}")
        if any(a >= b for a, b in zip((0, *self.exits), self.exits, strict=False)):
            raise ConfigError(f"exits must be ascending depths from 1 on, not {list(self.exits)}")

    def exits_for(self, templates: int) -> list[int]:
        """Depths that take a loss when there are so many templates; the last one always does."""
        return (
            [depth for depth in self.exits if depth < templates] + [templates]
            if self.exits
            else list(range(1, templates + 1))
        )
