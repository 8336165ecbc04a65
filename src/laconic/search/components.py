"""Which components features can be discovered for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from laconic.corpus import Doc
from laconic.errors import ConfigError, choices
from laconic.features import Kind, Neighbours, TemplateSet, Term, kind
from laconic.search.hidden_source import HiddenParserTrainable, HiddenSource
from laconic.search.parser_source import ParserSource
from laconic.search.source import DiscoverSource
from laconic.search.tagger_source import TaggerSource
from laconic.search.tree_trainable import GraphTrainable, LabelerTrainable, TensorLabelerTrainable, TreeTrainable
from laconic.search.trial_source import TrialShares, TrialSource

RANDOM_MOVES = 0.1
"""Parsers learn from their mistakes; decisions along gold paths alone would flatter features that lean on them."""


@dataclass(frozen=True)
class Documents:
    """To learn from, to choose by, and to report on."""

    train: Doc
    develop: Doc
    others: Mapping[str, Doc]


@dataclass(frozen=True)
class Discoverable:
    """A component as discovery knows it."""

    scores: tuple[str, ...]
    """What sets can be ranked by; the first is the default."""
    kind: Callable[[Any], Kind]
    """Of the templates, by the configuration of the component."""
    made: Callable[[Any, Sequence[Term], str, Documents], DiscoverSource]
    """Of a configuration, the attributes that templates may read, a score and documents."""
    given: Mapping[str, str] = field(default_factory=dict)
    """Settings, by their full names, with which alone features can be discovered."""
    priced: bool = False
    """Is there a cost model for its sets?"""

    def source(
        self, config: Any, searched: Neighbours | TemplateSet, score: str, documents: Documents
    ) -> DiscoverSource:
        """What is searched in: what rules lead to, or the templates of a set. ConfigError for data that cannot be
        learned from or measured by, and for a score that the component does not have."""
        if score not in self.scores:
            raise ConfigError(f"no score {score!r}: there are {choices(score, self.scores)}")
        return self.made(config, searched.attributes(), score, documents)


def _parser(config: Any, attributes: Sequence[Term], score: Any, documents: Documents) -> DiscoverSource:
    if config.scorer == "hidden":
        learner = HiddenParserTrainable(config, documents.train, documents.develop, score)
        return HiddenSource(learner, config.kind, score, others=documents.others)
    return ParserSource(
        config,
        documents.train,
        documents.develop,
        attributes,
        score=score,
        random_moves=RANDOM_MOVES,
        others=documents.others,
    )


def _tagger(config: Any, attributes: Sequence[Term], score: str, documents: Documents) -> DiscoverSource:
    return TaggerSource(config, documents.train, documents.develop, others=documents.others)


def _by_trials(
    trainable: type[TreeTrainable[Any]], own: Kind, shares: TrialShares | None = None
) -> Callable[[Any, Sequence[Term], str, Documents], DiscoverSource]:
    """A component that every trial trains in the ordinary way."""

    def made(config: Any, attributes: Sequence[Term], score: str, documents: Documents) -> DiscoverSource:
        for doc in documents.others.values():
            trainable.component.check_dev(config, doc)
        learner = trainable(config, documents.train, documents.develop)
        return TrialSource(learner, own, score, others=documents.others, settings=shares)

    return made


FACTOR_SHARES = TrialShares(screen=0.3, screen_epochs=3, heat=0.6, heat_epochs=5)
"""Factors say nothing after one epoch of few sentences."""
TOKEN, EDGE, NODE, CANDIDATE = (kind(name) for name in ("token", "edge", "node", "candidate"))
DISCOVERABLE = {
    "tagger": Discoverable(("decisions",), lambda config: TOKEN, _tagger),
    "parser": Discoverable(
        ("las", "uas"), lambda config: config.kind, _parser, {"parser.scorer": "linear"}, priced=True
    ),
    "graph": Discoverable(
        ("uas",), lambda config: CANDIDATE, _by_trials(GraphTrainable, CANDIDATE), {"graph.scorer": "linear"}
    ),
    "labeler": Discoverable(("labels",), lambda config: EDGE, _by_trials(LabelerTrainable, EDGE)),
    "tensor_labeler": Discoverable(
        ("labels",), lambda config: NODE, _by_trials(TensorLabelerTrainable, NODE, FACTOR_SHARES)
    ),
}
"""The registry."""


def discoverable(component: str) -> Discoverable:
    """ConfigError, with what exists, if features cannot be discovered for the component."""
    if component not in DISCOVERABLE:
        raise ConfigError(
            f"features cannot be discovered for {component!r}: there are {choices(component, DISCOVERABLE)}"
        )
    return DISCOVERABLE[component]
