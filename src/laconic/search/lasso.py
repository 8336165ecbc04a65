"""The group lasso path: templates in the order in which they enter the model as the penalty falls."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Generator
from dataclasses import asdict, dataclass
from pathlib import Path
from zipfile import BadZipFile

import numpy as np

from laconic._core.learn import Examples
from laconic._core.search import GroupLasso as Descent
from laconic.errors import ConfigError
from laconic.evaluate.bootstrap import Floats
from laconic.search.ranking import Meter, Rank, Ranking, Runner, SearchProgress, fixed_ranks
from laconic.search.trainable import numbers

SECONDS_BETWEEN_CHECKPOINTS = 5.0


@dataclass(frozen=True)
class GroupLasso:
    """Logistic loss with the penalty ``strength * sum of c |w|`` over templates, c the root of the number of a
    template's features. The path starts where the first template enters and goes down in ``steps`` equal ratios to
    ``end`` times that strength, each solution being the start of the next.

    Templates that enter at the same strength are ordered by how hard the loss pulled at them before it; so are those
    that never enter, by how hard it pulls in the end.

    Cost: sweeps x templates in the model x decisions x labels. Paper: strubell2015, section 4.5.1.
    """

    share: float = 0.3
    """Of the training decisions."""
    steps: int = 60
    end: float = 0.01
    accuracy: float = 1e-2
    """A solution is good enough when no template's weights move by more than this share of their length."""
    sweeps: int = 30
    """The most that are made at one strength."""

    name = "lasso"

    def __post_init__(self) -> None:
        if not 0 < self.share <= 1 or not 0 < self.end < 1 or self.steps < 1 or self.sweeps < 1 or self.accuracy <= 0:
            raise ConfigError("the path needs a share above 0 and up to 1, an end between 0 and 1, steps and sweeps")

    def rank(self, runner: Runner) -> Generator[SearchProgress, None, Ranking]:
        pool, fixed = runner.trainable.pool, runner.trainable.fixed
        templates = pool.train.templates
        sample = pool.sample(self.share, runner.trainable.settings.seed)
        examples = pool.train.select(numbers(range(templates)), sample)
        model = Descent(examples, costs(examples).tolist())
        state = PathState((), model.pulls(), model.weights())
        strongest = float(state.pulls.max(initial=0.0))
        meter = Meter(self.steps * (self.steps + 1) / 2)
        kept = Checkpoint(runner.journal.beside(".lasso.npz"), runner.key(self.name, asdict(self)))
        state = kept.load(state)
        for step in range(self.steps):
            strength = strongest * self.end ** ((step + 1) / self.steps)
            fresh = step >= len(state.entered)
            if fresh:
                state = self._solve(model, strength, state)
                kept.save(state, now=step + 1 == self.steps)
            yield meter.step(f"strength {strength:.3g}", step + 1, fresh)
        ranks = [
            Rank(template, f"enters at {100 * self.end ** ((step + 1) / self.steps):.3g} % of the first strength")
            for step, entered in enumerate(state.entered)
            for template in entered
        ]
        inside = {rank.template for rank in ranks}
        outside = sorted(set(range(templates)) - inside, key=lambda template: (-state.pulls[template], template))
        ranks += [Rank(template, "does not enter") for template in outside]
        return (*fixed_ranks(runner), *(rank for rank in ranks if rank.template not in fixed))

    def _solve(self, model: Descent, strength: float, state: PathState) -> PathState:
        """The solution at one strength, from that at the strength before."""
        model.set_weights(state.weights)  # scores follow from weights alone, whether this run computed them or another
        pulls = state.pulls
        active = set(np.flatnonzero(model.norms() > 0).tolist())
        while pulled := set(np.flatnonzero(pulls > strength * (1 + self.accuracy)).tolist()) - active:
            active |= pulled
            for _ in range(self.sweeps):
                if model.sweep(sorted(active), strength) < self.accuracy:
                    break
            pulls = model.pulls()
        before = {template for entered in state.entered for template in entered}
        new = set(np.flatnonzero(model.norms() > 0).tolist()) - before
        entered = tuple(sorted(new, key=lambda template: (-state.pulls[template], template)))
        return PathState((*state.entered, entered), pulls, model.weights())


def costs(examples: Examples) -> Floats:
    """The root of the number of features of each template."""
    return np.sqrt(np.maximum(1, np.bincount(examples.template_of(), minlength=examples.templates)))


@dataclass(frozen=True)
class PathState:
    """How far along the path: which templates entered at each strength, and the solution at the last one."""

    entered: tuple[tuple[int, ...], ...]
    pulls: Floats
    weights: Floats


class Checkpoint:
    """The last state on the disk, whole or not at all; at most once in a few seconds, because weights are many."""

    def __init__(self, path: Path | None, name: str) -> None:
        self._path, self._name = path, name
        self._saved = time.monotonic()

    def load(self, fresh: PathState) -> PathState:
        """What was saved under the same name, else ``fresh``."""
        if self._path is None or not self._path.exists():
            return fresh
        try:
            with np.load(self._path, allow_pickle=False) as file:
                if str(file["name"]) != self._name:
                    return fresh
                entered = tuple(tuple(step) for step in json.loads(str(file["entered"])))
                weights = np.zeros_like(fresh.weights)
                weights[file["positions"]] = file["weights"]
                return PathState(entered, file["pulls"], weights)
        except (ValueError, KeyError, OSError, IndexError, BadZipFile):
            return fresh

    def save(self, state: PathState, *, now: bool) -> None:
        if self._path is None or (not now and time.monotonic() - self._saved < SECONDS_BETWEEN_CHECKPOINTS):
            return
        positions = np.flatnonzero(state.weights)
        half = self._path.with_name(self._path.name + ".part")
        with half.open("wb") as file:
            np.savez(
                file,
                name=np.array(self._name),
                entered=np.array(json.dumps(state.entered)),
                pulls=state.pulls,
                positions=positions,
                weights=state.weights[positions],
            )
            file.flush()
            os.fsync(file.fileno())
        half.replace(self._path)
        self._saved = time.monotonic()
