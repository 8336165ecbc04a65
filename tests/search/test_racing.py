"""Racing by a source whose every set scores what was planted: no training, so that what a race drops is known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from laconic.errors import ConfigError
from laconic.features import KINDS, TemplateSet, parse_neighbours
from laconic.features.language import print_term
from laconic.progress import finished
from laconic.search import DiscoverSource, DiscoverySettings, TrialResult, discover
from laconic.search.source import Features, SetResult

KIND = KINDS["transition"]
WORDS = 4000
RULES = parse_neighbours(
    "start: POS(QUEUE0)\nQUEUE0: POS|LEX|LOWER|LEMMA(STACK0), POS|LEX|LOWER(self+1 | self+2), POS|LEX|FEATS(STACK1)\n",
    KIND,
)
WORTH = {"POS(STACK0)": 0.2, "POS(QUEUE1)": 0.15, "LEX(STACK0)": 0.1}
"""What a feature adds to the share of words that come out right; 0 for all others."""


@dataclass(frozen=True)
class NoSettings:
    """Nothing is trained."""


class PlantedSource(DiscoverSource):
    """Screening knows nothing, heats and finals know all but for noise that is the same for all sets."""

    def __init__(self) -> None:
        self.heats: list[tuple[str, float]] = []
        self._luck = np.random.default_rng(7).random(WORDS)

    kind = KIND  # type: ignore[assignment]
    metric = "uas"  # type: ignore[assignment]
    settings = NoSettings()  # type: ignore[assignment]
    digest = "planted"  # type: ignore[assignment]

    def prepare(self) -> None: ...

    def forget(self, kept: Sequence[TemplateSet] = ()) -> None: ...

    def _right(self, templates: TemplateSet, share: float = 1.0) -> TrialResult:
        names = {print_term(term, KIND) for template in templates for term in template.terms}
        chance = 0.3 + sum(WORTH.get(name, 0.0) for name in names)
        return TrialResult(self._luck[: int(share * WORDS)] < chance)

    def expected_losses(
        self, parent: TemplateSet, features: Features, candidates: Features, ridge: float
    ) -> list[float | None]:
        return [0.5] * len(candidates)

    def heat(self, parent: TemplateSet, added: TemplateSet, share: float) -> TrialResult:
        self.heats.append((str(added[0]), share))
        return self._right(TemplateSet(KIND, (*parent, *added)), share)

    def final(self, templates: TemplateSet, labels: bool) -> SetResult:
        return {"develop": {"uas": self._right(templates)}}

    def ablated(self, templates: TemplateSet) -> list[float]:
        raise NotImplementedError

    def template_gains(self, parent: TemplateSet, candidates: TemplateSet, ridge: float) -> list[float]:
        raise NotImplementedError


def run(source: PlantedSource, **settings: Any) -> Sequence[str]:
    chosen = DiscoverySettings(beam=1, finals=1.0, heats=100.0, audit=0, generations=4, threshold=-1.0, **settings)
    found = finished(discover(source, RULES, chosen, processes=1))
    return found.member(4).names


def test_a_race_finds_what_was_planted() -> None:
    source = PlantedSource()
    assert list(run(source, early=1.0)) == ["POS(QUEUE0)", *WORTH]
    assert {share for _, share in source.heats} == {1.0}


def test_who_is_clearly_behind_in_the_first_round_takes_no_part_in_the_second() -> None:
    once, twice = PlantedSource(), PlantedSource()
    assert run(twice, early=0.1) == run(once, early=1.0)
    first = [name for name, share in twice.heats if share == 0.1]
    second = [name for name, share in twice.heats if share == 1.0]
    assert len(first) == len(once.heats)
    # One winner a generation; what ties with it goes on.
    assert set(second) == set(WORTH)


def test_who_is_as_good_as_the_last_that_goes_on_is_not_rejected() -> None:
    class Even(PlantedSource):
        """All sets score the same."""

        def _right(self, templates: TemplateSet, share: float = 1.0) -> TrialResult:
            return TrialResult(self._luck[: int(share * WORDS)] < 0.5)

    source = Even()
    run(source, early=0.5)
    assert sum(share == 1.0 for _, share in source.heats) == sum(share == 0.5 for _, share in source.heats)


@pytest.mark.parametrize("early", [0.0, 1.5, -1.0])
def test_the_first_round_needs_a_share(early: float) -> None:
    with pytest.raises(ConfigError, match="first round"):
        DiscoverySettings(early=early)
