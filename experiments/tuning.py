"""Random search for settings, with a journal of what was tried."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict

from laconic.learn import Choice, LogUniform, Settings, random_search
from laconic.search.journal import Journal, key

SHARE = 0.25
"""Of the training data in a first round of many trials, and of the trials that reach the second."""
FEW = 8
"""Up to so many trials there is one round."""


def best(
    base: Settings,
    space: Mapping[str, LogUniform | Choice],
    score: Callable[[Settings, float], float],
    budget: int,
    tried: Journal,
    *about: str,
) -> Settings:
    """The best of so many random trials; those that were tried before, with the same settings and about the same,
    are not run again. ``score`` trains with a share of the data. Of many trials all are run with a part of the data
    and the best of them again with all of it (successive halving in two rounds)."""

    def known(settings: Settings, share: float) -> float:
        name = key(asdict(settings), *about, *([] if share == 1 else [share]))
        if name not in tried:
            tried.put(name, score(settings, share))
        found = tried.decoded(name, float)
        print(f"  {base.mode}, {share:g} of the data: {found:.2f} {settings}", file=sys.stderr)
        return found

    if budget <= FEW:
        return max(random_search(base, space, lambda one: known(one, 1), budget), key=lambda one: one.score).settings
    first = sorted(random_search(base, space, lambda one: known(one, SHARE), budget), key=lambda one: -one.score)
    return max((one.settings for one in first[: round(SHARE * budget)]), key=lambda one: known(one, 1))
