"""Random search for settings, with a journal of what was tried."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace

from laconic.learn import Choice, LogUniform, Settings, random_search
from laconic.search.journal import Journal, key

ROUNDS = ((1 / 16, 1.0), (1 / 4, 1 / 5), (1.0, 1 / 15))
"""Of many trials: which share of the training data each round has, and which share of the trials reaches it."""
FEW = 8
"""Up to so many trials there is one round."""


def for_share(settings: Settings, share: float) -> Settings:
    """The settings for a share of the data that stand for these with all of it: under AdaGrad a weight grows with the root
    of how often its feature is seen, and a margin is reached with so much less data only at a rate so much higher. Decay by
    l2, which is the rate times the number of steps, keeps its proportion."""
    return replace(settings, rate=settings.rate / math.sqrt(share))


def best(
    base: Settings,
    space: Mapping[str, LogUniform | Choice],
    score: Callable[[Settings, float], float],
    budget: int,
    tried: Journal,
    *about: str,
    rounds: Sequence[tuple[float, float]] = ROUNDS,
) -> Settings:
    """The best of so many random trials; those that were tried before, with the same settings and about the same,
    are not run again. ``score`` trains with a share of the data. Of many trials all are run with a part of the data, the
    best of them with more, and the best of those with all of it (successive halving)."""

    def known(settings: Settings, share: float) -> float:
        name = key(asdict(for_share(settings, share)), *about, *([] if share == 1 else [share]))
        if name not in tried:
            tried.put(name, score(for_share(settings, share), share))
        found = tried.decoded(name, float)
        print(f"  {base.mode}, {share:g} of the data: {found:.2f} {settings}", file=sys.stderr)
        return found

    if budget <= FEW:
        return max(random_search(base, space, lambda one: known(one, 1), budget), key=lambda one: one.score).settings
    (share, _), *later = rounds
    drawn = list(random_search(base, space, lambda one: known(one, share), budget))
    left = [one.settings for one in sorted(drawn, key=lambda one: -one.score)]
    for share, part in later:
        left = sorted(left[: max(1, round(part * budget))], key=lambda one, share=share: -known(one, share))
    return left[0]
