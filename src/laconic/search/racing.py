"""The tasks of a discovery: screening of candidate features without training, heats with little, finals with all."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from laconic._core.search import Screening
from laconic.features import Template, TemplateSet, Term, compile_plan
from laconic.features.language import print_term
from laconic.search.source import DiscoverSource, Features, SetResult
from laconic.search.trainable import TrialResult


def joined(*terms: Term) -> tuple[Term, ...]:
    return tuple(dict.fromkeys(terms))


def added_templates(feature: Term, features: Sequence[Term], like: TemplateSet) -> TemplateSet:
    """What a feature brings to a set that is expanded to pairs: itself, and itself with each of the others."""
    kind = like.kind
    return TemplateSet(kind, tuple(Template(kind, joined(one, feature)) for one in (feature, *features)))


@dataclass(frozen=True)
class Screen:
    """How much each of some features would lower the loss of a set's model, by one step on decisions that it did not
    see; None for a feature with one value only. In log loss per decision of the first classifier."""

    parent: TemplateSet
    features: Features
    candidates: Features
    ridge: float

    @property
    def facts(self) -> list[Any]:
        names = [print_term(one, self.parent.kind) for one in self.candidates]
        return ["screen", str(self.parent), [print_term(f, self.parent.kind) for f in self.features], names, self.ridge]

    def run(self, source: DiscoverSource) -> list[float | None]:
        state = source.state(self.parent)
        kind = self.parent.kind
        singles = TemplateSet(kind, tuple(Template(kind, (one,)) for one in (*self.candidates, *self.features)))
        gains = [0.0] * len(self.candidates)
        first = 0
        for part in source.parts:
            train, _ = source.columns(part, source.part_templates(part, singles))
            _, outside = train.split(source.settings.held)
            first = first or len(outside)
            screening = Screening(train.decisions, outside, state.held[part])
            for number, candidate in enumerate(self.candidates):
                added = source.part_templates(part, added_templates(candidate, self.features, self.parent))
                source.columns(part, added)
                gain = screening.gain(compile_plan(added), train.of(added), self.ridge)
                gains[number] += gain * len(outside) / max(1, first)
        return [gain if source.varies(one) else None for one, gain in zip(self.candidates, gains, strict=True)]

    def pack(self, result: list[float | None]) -> Any:
        return result

    def unpack(self, value: Any) -> list[float | None]:
        if len(value) != len(self.candidates):
            raise ValueError("one gain for each candidate")
        return [None if one is None else float(one) for one in value]


@dataclass(frozen=True)
class Heat:
    """How good a set is with one feature more, the higher the better: only what it brings is trained."""

    parent: TemplateSet
    features: Features
    candidate: Term

    @property
    def facts(self) -> list[Any]:
        return ["heat", str(self.parent), str(self.added)]

    @property
    def added(self) -> TemplateSet:
        return added_templates(self.candidate, self.features, self.parent)

    def run(self, source: DiscoverSource) -> float:
        return source.heat(self.parent, self.added)

    def pack(self, result: float) -> Any:
        return result

    def unpack(self, value: Any) -> float:
        if not math.isfinite(value):
            raise ValueError("no score")
        return float(value)


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
