"""Random search over hyper-parameters, with a budget."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from laconic.learn.settings import Settings


@dataclass(frozen=True)
class Uniform:
    low: float
    high: float

    def draw(self, source: random.Random) -> float:
        return source.uniform(self.low, self.high)


@dataclass(frozen=True)
class LogUniform:
    low: float
    high: float

    def draw(self, source: random.Random) -> float:
        return math.exp(source.uniform(math.log(self.low), math.log(self.high)))


@dataclass(frozen=True)
class Choice:
    options: Sequence[Any]

    def draw(self, source: random.Random) -> Any:
        return self.options[source.randrange(len(self.options))]


@dataclass(frozen=True)
class ScoredSettings:
    settings: Settings
    score: float


def random_search(
    base: Settings,
    space: Mapping[str, Uniform | LogUniform | Choice],
    score: Callable[[Settings], float],
    budget: int,
    seed: int = 1,
) -> Iterator[ScoredSettings]:
    """``budget`` trials: the first with ``base`` itself, the others with the named settings drawn. Higher is better."""
    source = random.Random(seed)
    for number in range(budget):
        drawn: dict[str, Any] = {name: space[name].draw(source) for name in sorted(space)} if number else {}
        settings = replace(base, **drawn)
        yield ScoredSettings(settings, score(settings))
