"""Group orthogonal matching pursuit: the template that best fits what the model so far gets wrong comes next."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

import numpy as np

from laconic._core.search import fit_templates, residuals, scores
from laconic.errors import ConfigError
from laconic.evaluate.bootstrap import Floats
from laconic.search.ranking import Meter, Rank, Ranking, Runner, SearchProgress, fixed_ranks
from laconic.search.trainable import numbers, weights

Normalise = Literal["adjusted", "mean"]


@dataclass(frozen=True)
class Pursuit:
    """At each step every unused template is fitted to the negative gradient of the training loss by ridge-regularised
    least squares; the one that explains most of it joins, and the model is trained anew.

    ``normalise`` takes the degrees of freedom out of what is explained. ``mean`` divides by them. ``adjusted`` takes
    away what as many features without any meaning would explain, as in an adjusted coefficient of determination, which
    does not push large templates to the end.

    Cost: one training for each prefix, and two passes over the features. Paper: strubell2015, section 4.5.1.
    """

    epochs: int = 3
    share: float = 1.0
    """Of the training decisions."""
    ridge: float = 1.0
    normalise: Normalise = "adjusted"

    name = "pursuit"

    def __post_init__(self) -> None:
        if not 0 < self.share <= 1 or self.ridge < 0 or self.epochs < 1:
            raise ConfigError("pursuit needs a share above 0 and up to 1, a ridge from 0 on and epochs from 1 on")
        if self.normalise not in ("adjusted", "mean"):
            raise ConfigError(f"normalise must be adjusted or mean, not {self.normalise!r}")

    def rank(self, runner: Runner) -> Generator[SearchProgress, None, Ranking]:
        fixed = runner.trainable.fixed
        meter = Meter(self.work(len(fixed), len(runner.trainable.templates)))
        return (*fixed_ranks(runner), *(yield from self.rank_after(fixed, runner, meter)))

    def work(self, first: int, templates: int) -> float:
        """Of ranking all templates after the first so many."""
        return sum(self.share * self.epochs * max(1, depth) for depth in range(first, templates))

    def rank_after(
        self, prefix: Sequence[int], runner: Runner, meter: Meter
    ) -> Generator[SearchProgress, None, Ranking]:
        """The templates that the prefix leaves, best first."""
        order = list(prefix)
        ranks = []
        templates = len(runner.trainable.templates)
        for depth in range(len(order), templates):
            name = runner.key(self.name, order, asdict(self))
            fresh = name not in runner.journal
            if fresh:
                gains = self.gains(order, runner)
                chosen = int(np.argmax(gains))  # the first of the pool where several are best
                runner.journal.put(name, [chosen, float(gains[chosen])])
            chosen, gain = runner.journal.decoded(name, lambda value: _choice(value, templates))
            order.append(chosen)
            ranks.append(Rank(chosen, f"fits {100 * gain:.3g} % of what is left"))
            yield meter.step(f"template {depth + 1}", self.share * self.epochs * max(1, depth), fresh)
        return tuple(ranks)

    def gains(self, order: Sequence[int], runner: Runner) -> Floats:
        """The share of the squared gradient that each template explains, normalised; -inf for those in use."""
        pool, settings = runner.trainable.pool, replace(runner.trainable.settings, epochs=self.epochs)
        sample = pool.sample(self.share, settings.seed)
        used = pool.train.select(numbers(order), sample)
        now = scores(used, weights(used, settings))
        loss = "logistic" if settings.loss == "logistic" else "hinge"
        wrong = residuals(used, now, loss, settings.margin)
        rest = np.setdiff1d(np.arange(pool.train.templates, dtype=np.uint32), numbers(order))
        explained, freedom = fit_templates(pool.train.select(numbers(rest), sample), wrong, self.ridge)
        gains = np.full(pool.train.templates, -np.inf)
        gains[rest] = normalised(explained, freedom, float((wrong**2).sum()), len(sample), self.normalise)
        return gains


def _choice(value: Any, templates: int) -> tuple[int, float]:
    """A template and its gain as the journal has them; ValueError or TypeError for anything else."""
    chosen, gain = value
    if not isinstance(chosen, int) or not 0 <= chosen < templates:
        raise ValueError(f"no template {chosen}")
    return chosen, float(gain)


def normalised(explained: Floats, freedom: Floats, total: float, decisions: int, how: Normalise) -> Floats:
    """Shares of ``total``: per degree of freedom, or adjusted for what chance explains."""
    share = explained / total if total > 0 else np.zeros_like(explained)
    if how == "mean":
        return np.asarray(share / np.maximum(freedom, 1e-12))
    left = np.maximum(1.0, decisions - freedom)
    return np.asarray(1 - (1 - share) * decisions / left)
