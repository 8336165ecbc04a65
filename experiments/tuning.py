"""Random search for settings, with a journal of what was tried."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict

from laconic.learn import Choice, LogUniform, Settings, random_search
from laconic.search.journal import Journal, key


def best(
    base: Settings,
    space: Mapping[str, LogUniform | Choice],
    score: Callable[[Settings], float],
    budget: int,
    tried: Journal,
    *about: str,
) -> Settings:
    """The best of so many random trials; those that were tried before, with the same settings and about the same,
    are not run again."""

    def known(settings: Settings) -> float:
        name = key(asdict(settings), *about)
        if name not in tried:
            tried.put(name, score(settings))
        return tried.decoded(name, float)

    trials = []
    for trial in random_search(base, space, known, budget):
        trials.append(trial)
        print(f"  {base.mode}: {trial.score:.2f} {trial.settings}", file=sys.stderr)
    return max(trials, key=lambda trial: trial.score).settings
