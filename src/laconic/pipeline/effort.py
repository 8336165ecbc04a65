"""Effort: one word for how much a model may skip. Profiles are chosen on development data and stored in the model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Self

from laconic.corpus import Doc
from laconic.errors import ModelError
from laconic.learn import Component

DEFAULT = "balanced"
"""Of every model that has it, in Python, on the command line and in the server."""
LOSSES = {"full": 0.0, "balanced": 0.1, "fast": 1.0}
"""Points of the component's metric that each effort may lose on the development set."""


@dataclass(frozen=True)
class Profile:
    """One effort, and what was measured at it. All figures are counts, so that equal trainings store equal bytes."""

    tolerance: float
    score: float
    """Of the component's metric on the development set, in percent."""
    templates: float
    """Computed per decision."""
    rows: float
    """Cache lines of weights read per decision."""

    def to_json(self) -> dict[str, float]:
        return asdict(self)

    @classmethod
    def from_json(cls, facts: Mapping[str, Any]) -> Self:
        try:
            profile = cls(**{name: float(facts[name]) for name in ("tolerance", "score", "templates", "rows")})
            if not 0 <= profile.tolerance < 1:
                raise ValueError(f"tolerance {profile.tolerance}")
            return profile
        except (KeyError, TypeError, ValueError) as error:
            raise ModelError(f"an effort profile of the model is damaged: {error}") from error


def by_accuracy(efforts: Mapping[str, Profile]) -> dict[str, Profile]:
    """From the most accurate to the fastest."""
    names = [*(name for name in LOSSES if name in efforts), *sorted(efforts.keys() - LOSSES.keys())]
    return {name: efforts[name] for name in names}


def measure(component: Component, gold: Doc, given: Doc, tolerance: float) -> Profile:
    """Score and cost on development data at one tolerance."""
    component.effort(tolerance)
    score, work = component.judge(gold, given)
    decisions = max(1, work.decisions)
    return Profile(tolerance, round(score, 4), round(work.templates / decisions, 4), round(work.rows / decisions, 4))


def profiles(component: Component, gold: Doc, given: Doc) -> dict[str, Profile]:
    """For each effort the cheapest tolerance whose loss on the development set stays below its bound."""
    full = measure(component, gold, given, 0.0)
    tried = [full, *(measure(component, gold, given, tolerance) for tolerance in component.tolerances)]
    component.effort(0.0)
    return {
        effort: min((one for one in tried if full.score - one.score <= loss), key=lambda one: (one.rows, one.tolerance))
        if loss
        else full
        for effort, loss in LOSSES.items()
    }
