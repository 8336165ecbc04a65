"""Discovery by trials: candidate sets are trained in the ordinary way, with little data at first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from laconic.corpus import Doc
from laconic.errors import ConfigError
from laconic.features import Kind, TemplateSet, Term
from laconic.learn import Component
from laconic.learn.component import has_values
from laconic.search.journal import key
from laconic.search.source import DEVELOP, DiscoverSource, Features, SetResult
from laconic.search.trainable import CorpusTrainable, Trial, TrialResult, digest_of, first_share


@dataclass(frozen=True)
class TrialShares:
    """Which share of the training sentences candidates learn from, and for how many epochs, before finals: all of them
    in screening, the best of these in heats."""

    screen: float = 0.15
    screen_epochs: int = 1
    heat: float = 0.4
    heat_epochs: int = 2

    def __post_init__(self) -> None:
        if not 0 < self.screen <= self.heat <= 1 or min(self.screen_epochs, self.heat_epochs) < 1:
            raise ConfigError("screening and heats need shares above 0, not falling and up to 1, and epochs from 1 on")


class TrialSource(DiscoverSource):
    """Any component that can be trained with a template set and scored. Everything that its templates can say can be
    searched for, sets of values too; each trial is a training.

    ``others`` are documents to report on.
    """

    def __init__(
        self,
        trainable: CorpusTrainable[Any],
        kind: Kind,
        metric: str,
        *,
        others: Mapping[str, Doc] | None = None,
        settings: TrialShares | None = None,
    ) -> None:
        self.trainable = trainable
        self._kind, self._metric = kind, metric
        self._settings = settings or TrialShares()
        self.others = dict(others or {})
        if DEVELOP in self.others:
            raise ConfigError(f"no other document can be called {DEVELOP}")
        self._scores: dict[str, float] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        texts = {name: doc.to_conllu() for name, doc in self.others.items()}
        return _rebuilt, (type(self), self.trainable, self._kind, self._metric, texts, self._settings)

    @property
    def kind(self) -> Kind:
        return self._kind

    @property
    def metric(self) -> str:
        return self._metric

    @property
    def settings(self) -> TrialShares:
        return self._settings

    @property
    def digest(self) -> str:
        if not hasattr(self, "_digest"):
            texts = [self.others[name].to_conllu() for name in sorted(self.others)]
            how = key(asdict(self.trainable.settings), asdict(self._settings), sorted(self.others))
            self._digest = digest_of(self.trainable.digest, *texts, how)
        return self._digest

    def prepare(self) -> None:
        """Trials share nothing but the documents."""
        self.trainable.prepare()

    def forget(self, kept: Sequence[TemplateSet] = ()) -> None:
        self._scores.clear()

    def expected_losses(
        self, parent: TemplateSet, features: Features, candidates: Features, ridge: float
    ) -> list[float | None]:
        """The share of development words that a small trial gets wrong; nothing is fitted that needs the ridge."""
        return [
            1 - self._screened(self.expanded((*features, one))) if self._has_values(one) else None for one in candidates
        ]

    def _has_values(self, feature: Term) -> bool:
        """Has any word of the training document what the feature reads?"""
        columns = self._kind.attributes[feature.attribute].columns
        return not columns or any(has_values(self.trainable.train, column) for column in columns)

    def _screened(self, templates: TemplateSet) -> float:
        """The score of a small trial, which all sets but the whole one of a round have their own of."""
        name = str(templates)
        if name not in self._scores:
            settings = replace(self.trainable.settings, epochs=self._settings.screen_epochs)
            self._scores[name] = self.trainable.run(Trial(templates, self._settings.screen, settings)).score
        return self._scores[name]

    def heat(self, parent: TemplateSet, added: TemplateSet, share: float) -> TrialResult:
        """A training with a share of the sentences that heats have."""
        whole = TemplateSet(self._kind, (*parent, *added))
        settings = replace(self.trainable.settings, epochs=self._settings.heat_epochs)
        component = self.trainable.fitted(Trial(whole, share * self._settings.heat, settings))
        return self.trainable.judged(component, first_share(self.trainable.develop, share))

    def fitted(self, templates: TemplateSet) -> Component:
        """The component, trained with everything."""
        return self.trainable.fitted(Trial(templates, 1.0, self.trainable.settings))

    def final(self, templates: TemplateSet, labels: bool) -> SetResult:
        trainable = self.trainable
        component = self.fitted(templates)
        documents = {DEVELOP: trainable.develop, **self.others}
        return {name: {self._metric: trainable.judged(component, doc)} for name, doc in documents.items()}

    def ablated(self, templates: TemplateSet) -> list[float]:
        """What small trials score less without each template. Cost: a small trial for each."""
        if len(templates) == 1:
            return [0.0]
        whole = self._screened(templates)
        without = (tuple(one for one in templates if one is not left_out) for left_out in templates)
        return [whole - self._screened(TemplateSet(self._kind, some)) for some in without]

    def template_gains(self, parent: TemplateSet, candidates: TemplateSet, ridge: float) -> list[float]:
        """What small trials score more with each candidate. Cost: a small trial for each."""
        before = self._screened(parent)
        return [self._screened(TemplateSet(self._kind, (*parent, one))) - before for one in candidates]


def _rebuilt(
    made: type[TrialSource],
    trainable: CorpusTrainable[Any],
    kind: Kind,
    metric: str,
    texts: dict[str, str],
    settings: TrialShares,
) -> TrialSource:
    others = {name: Doc.from_conllu(text) for name, text in texts.items()}
    return made(trainable, kind, metric, others=others, settings=settings)
