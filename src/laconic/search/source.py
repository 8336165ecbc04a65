"""What discovery searches in: a component on a corpus that foretells and says what feature sets score."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from laconic.features import Kind, Template, TemplateSet, Term, compile_plan, expand_pairs
from laconic.search.trainable import TrialResult

Features = tuple[Term, ...]
SetResult = dict[str, dict[str, TrialResult]]
"""By document (``develop`` and others), then by measure."""
DEVELOP = "develop"


def joined(*terms: Term) -> tuple[Term, ...]:
    return tuple(dict.fromkeys(terms))


def reads_one_value(template: Template) -> bool:
    """Not where it reads a set of values: a column holds one for a decision."""
    return not compile_plan(TemplateSet(template.kind, (template,))).many(0)


def singles(features: Sequence[Term], kind: Kind) -> TemplateSet:
    return TemplateSet(kind, tuple(Template(kind, (one,)) for one in features))


class DiscoverSource(ABC):
    """One component on one corpus, as discovery needs it. All that it says depends on itself and the arguments alone.
    It must survive pickling where processes cannot be forked."""

    store: Path | None = None
    """A folder through which processes share what they computed; nothing in it needs to be kept."""

    @property
    @abstractmethod
    def kind(self) -> Kind:
        """Of the templates that are searched for."""

    @property
    @abstractmethod
    def metric(self) -> str:
        """The measure that finals are ranked by."""

    @property
    @abstractmethod
    def settings(self) -> Any:
        """How sets are trained: a dataclass of numbers."""

    @property
    @abstractmethod
    def digest(self) -> str:
        """Tells apart whatever can change a result, but for templates: data, configuration and settings."""

    @abstractmethod
    def prepare(self) -> None:
        """Compute what all tasks share, so that processes that are forked after it share it too."""

    @abstractmethod
    def forget(self, kept: Sequence[TemplateSet] = ()) -> None:
        """What was kept of all sets but these can go: another generation has other parents."""

    def expanded(self, features: Sequence[Term]) -> TemplateSet:
        """The templates of a feature set: single features and all their pairs, as linear rows need them."""
        return expand_pairs(singles(features, self.kind))

    def added(self, feature: Term, features: Sequence[Term]) -> TemplateSet:
        """What a feature brings to the templates of others: itself, and itself with each of them."""
        kind = self.kind
        return TemplateSet(kind, tuple(Template(kind, joined(one, feature)) for one in (feature, *features)))

    def can_judge(self, template: Template) -> bool:
        """Can it be said what a template is worth?"""
        return True

    def blocks(self, templates: TemplateSet) -> list[range]:
        """Neighbours in a set that are dropped together, because one of them costs as much as all."""
        return [range(number, number + 1) for number in range(len(templates))]

    @abstractmethod
    def expected_losses(
        self, parent: TemplateSet, features: Features, candidates: Features, ridge: float
    ) -> list[float | None]:
        """Screening: a loss that is to be expected with each of the candidates added to the features, whose templates
        are the parent, comparable between parents; None for a candidate that has one value only."""

    @abstractmethod
    def heat(self, parent: TemplateSet, added: TemplateSet, share: float) -> TrialResult:
        """What a set with templates added to it gets right, trained with less effort than a final: judged by the first
        sentences of the development document, and where it saves something trained with as small a share."""

    @abstractmethod
    def final(self, templates: TemplateSet, labels: bool) -> SetResult:
        """Train with all data and score on all documents; ``labels``: also what the search does not need."""

    @abstractmethod
    def ablated(self, templates: TemplateSet) -> list[float]:
        """How much is lost without each of the templates, all others kept."""

    @abstractmethod
    def template_gains(self, parent: TemplateSet, candidates: TemplateSet, ridge: float) -> list[float]:
        """How much each of the candidates alone would bring to a set."""
