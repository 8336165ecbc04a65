"""What a strategy is and what it gives."""

from __future__ import annotations

import time
from collections.abc import Generator
from dataclasses import dataclass, field
from typing import Protocol

from laconic.search.trainable import PooledTrainable
from laconic.search.trials import TrialRunner


@dataclass(frozen=True)
class SearchProgress:
    """How far a search is."""

    what: str
    done: float
    of: float
    """Work in all; where a search may end early, the most it can be."""
    seconds_left: float | None
    """At the pace so far; None as long as nothing is known of it."""


@dataclass(frozen=True)
class Rank:
    """One template of the pool, and why it stands where it stands."""

    template: int
    reason: str


Ranking = tuple[Rank, ...]
Runner = TrialRunner[PooledTrainable]


def fixed_ranks(runner: Runner) -> Ranking:
    """The ranks of the templates that stand first by rule."""
    return tuple(Rank(template, "read at one go, before the others") for template in runner.trainable.fixed)


class Strategy(Protocol):
    """A method of ordering templates; a frozen dataclass, so that its settings can be written down."""

    @property
    def name(self) -> str: ...

    def rank(self, runner: Runner) -> Generator[SearchProgress, None, Ranking]:
        """The whole pool, best first."""


@dataclass
class Meter:
    """Counts work and estimates the time left."""

    of: float
    done: float = 0.0
    _fresh: float = 0.0
    _begin: float = field(default_factory=time.monotonic)

    def step(self, what: str, work: float, fresh: bool) -> SearchProgress:
        """Work was done: by this run, or else by one before it, which says nothing about the pace."""
        self.done = min(self.of, self.done + work)
        self._fresh += work if fresh else 0.0
        pace = (time.monotonic() - self._begin) / self._fresh if self._fresh > 0 else None
        left = None if pace is None else pace * (self.of - self.done)
        return SearchProgress(what, self.done, self.of, left)

    def skip(self, work: float) -> None:
        """Work that turns out not to be needed."""
        self.of = max(self.done, self.of - work)
