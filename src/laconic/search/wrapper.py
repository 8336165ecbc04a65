"""Forward selection on development data."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass, field, replace

from laconic.errors import ConfigError
from laconic.search.pursuit import Pursuit
from laconic.search.ranking import Meter, Rank, Ranking, Runner, SearchProgress, fixed_ranks
from laconic.search.trainable import TrialResult


@dataclass(frozen=True)
class Wrapper:
    """The list grows by the template whose addition helps most on development decisions.

    A step is a race: every template left is tried with ``heat`` of the training decisions, and the best ``finalists``
    again with all of ``share``. Templates that stand first by rule take part in no race. When the winner's gain is
    nothing, or below ``least_gain``, the rest is left to ``tail``.

    Cost: at each step one training for every template left. Paper: strubell2015, section 4.5.2.
    """

    epochs: int = 3
    share: float = 1.0
    """Of the training decisions."""
    heat: float = 0.2
    """The share in the first round; at least ``share``: there is only one round."""
    finalists: int = 6
    least_gain: float = 1.0
    """In standard errors of the gain. With 0 every gain counts, chance or not, as in the paper."""
    tail: Pursuit = field(default_factory=Pursuit)

    name = "wrapper"

    def __post_init__(self) -> None:
        if not 0 < self.share <= 1 or not 0 < self.heat <= 1 or self.finalists < 1 or self.epochs < 1:
            raise ConfigError("the wrapper needs shares above 0 and up to 1, finalists and epochs from 1 on")
        if not self.least_gain >= 0:
            raise ConfigError(f"least_gain must be at least 0, not {self.least_gain}")

    def rank(self, runner: Runner) -> Generator[SearchProgress, None, Ranking]:
        size = len(runner.trainable.templates)
        ranks = list(fixed_ranks(runner))
        meter = Meter(sum(self._work(depth, size - depth) for depth in range(len(ranks), size)))
        (now,) = yield from self._results([runner.trainable.fixed], self.share, runner, meter)
        while len(ranks) < size:
            order = tuple(rank.template for rank in ranks)
            winner, result = yield from self._race(order, runner, meter)
            gain, error = result.gain(now)
            if gain <= 0 or gain < self.least_gain * error:
                meter.skip(meter.of - meter.done - self.tail.work(len(order), size))
                rest = yield from self.tail.rank_after(order, runner, meter)
                return (*ranks, *rest)
            ranks.append(Rank(winner, f"{100 * gain:+.2f} points (standard error {100 * error:.2f})"))
            now = result
        return tuple(ranks)

    def _work(self, depth: int, left: int) -> float:
        heats = left * self.heat if self._races(left) else 0.0
        return (depth + 1) * self.epochs * (heats + min(left, self.finalists) * self.share)

    def _races(self, left: int) -> bool:
        return self.heat < self.share and left > self.finalists

    def _race(
        self, order: tuple[int, ...], runner: Runner, meter: Meter
    ) -> Generator[SearchProgress, None, tuple[int, TrialResult]]:
        """The template that helps most after ``order``; of equals the first in the pool."""
        left = [template for template in range(len(runner.trainable.templates)) if template not in order]
        if self._races(len(left)):
            heats = yield from self._results([(*order, t) for t in left], self.heat, runner, meter)
            best = sorted(range(len(left)), key=lambda i: (-heats[i].score, left[i]))[: self.finalists]
            left = [left[i] for i in sorted(best)]
        finals = yield from self._results([(*order, t) for t in left], self.share, runner, meter)
        winner = min(range(len(left)), key=lambda i: (-finals[i].score, left[i]))
        return left[winner], finals[winner]

    def _results(
        self, orders: Sequence[tuple[int, ...]], share: float, runner: Runner, meter: Meter
    ) -> Generator[SearchProgress, None, list[TrialResult]]:
        settings = replace(runner.trainable.settings, epochs=self.epochs)
        run = runner.results([runner.trainable.trial(order, share, settings) for order in orders])
        while True:
            try:
                trial, fresh = next(run)
            except StopIteration as stop:
                results: list[TrialResult] = stop.value
                return results
            yield meter.step(f"template {len(trial.templates)}", trial.work, fresh)
