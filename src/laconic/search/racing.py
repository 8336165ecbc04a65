"""The tasks of a discovery: screening of candidate features, heats with little training, finals with all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from laconic.features import TemplateSet
from laconic.features.language import print_term
from laconic.search.source import DiscoverSource, Features, SetResult
from laconic.search.trainable import TrialResult


@dataclass(frozen=True)
class Screen:
    """The loss to be expected of a set with each of some features more; None for a feature with one value only."""

    parent: TemplateSet
    features: Features
    candidates: Features
    ridge: float

    @property
    def facts(self) -> list[Any]:
        names = [[print_term(one, self.parent.kind) for one in some] for some in (self.features, self.candidates)]
        return ["expected losses", str(self.parent), *names, self.ridge]

    def run(self, source: DiscoverSource) -> list[float | None]:
        return source.expected_losses(self.parent, self.features, self.candidates, self.ridge)

    def pack(self, result: list[float | None]) -> Any:
        return result

    def unpack(self, value: Any) -> list[float | None]:
        if len(value) != len(self.candidates):
            raise ValueError("one loss for each candidate")
        return [None if one is None else float(one) for one in value]


@dataclass(frozen=True)
class Heat:
    """What a set with templates added to it gets right in a share of the development document."""

    parent: TemplateSet
    added: TemplateSet
    share: float = 1.0

    @property
    def facts(self) -> list[Any]:
        return ["heat", str(self.parent), str(self.added), self.share]

    def run(self, source: DiscoverSource) -> TrialResult:
        return source.heat(self.parent, self.added, self.share)

    def pack(self, result: TrialResult) -> Any:
        return result.packed()

    def unpack(self, value: Any) -> TrialResult:
        return TrialResult.unpacked(value)


@dataclass(frozen=True)
class Final:
    """What a set scores when it is trained with all data; ``labels``: also where the search does not ask for them."""

    templates: TemplateSet
    labels: bool = False

    @property
    def facts(self) -> list[Any]:
        return ["final", str(self.templates), self.labels]

    def run(self, source: DiscoverSource) -> SetResult:
        return source.final(self.templates, self.labels)

    def pack(self, result: SetResult) -> Any:
        return {name: {measure: one.packed() for measure, one in measures.items()} for name, measures in result.items()}

    def unpack(self, value: Any) -> SetResult:
        return {
            name: {measure: TrialResult.unpacked(one) for measure, one in measures.items()}
            for name, measures in value.items()
        }
