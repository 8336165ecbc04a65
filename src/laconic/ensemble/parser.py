"""Agreement of parsers: a component that votes on the arcs of several parsers (Sagae & Lavie 2006)."""

from __future__ import annotations

from collections.abc import Collection, Generator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from laconic._core.graph import vote
from laconic.corpus import Doc
from laconic.ensemble.config import EnsembleConfig
from laconic.errors import ConfigError, ModelError
from laconic.graph import GraphParser
from laconic.learn import Component, Frozen
from laconic.learn.component import Confidences, State, TrainingData, Work, within
from laconic.learn.explain import Explanation
from laconic.progress import Progress, within_whole
from laconic.transition import Parser

BEST = "best"
"""The effort at which parsers vote."""
CERTAIN = 10_000
"""The weight of the vote of a parser that is certain."""


@dataclass(frozen=True)
class Ballot:
    """What a parser with labels says of the words of a document."""

    heads: npt.NDArray[np.int32]
    labels: npt.NDArray[np.int32]
    """Their numbers in ``names``; empty where labels are left to others."""
    names: Sequence[str]
    sure: Confidences
    """How probable each head is to be right."""
    label_sure: Confidences
    """How probable each label is to be right if the head is."""
    work: Work


class Ensemble(Component):
    """A transition parser and, for the effort ``best``, two more parsers that vote with it.

    Each parser votes for its arcs, as much as it is sure of them, and the graph parser also for those of the others, as
    probable as it finds them; the tree of the most votes is decoded, whose arcs may cross. The graph parser is asked
    about words about which the two transition parsers disagree. A label is that of the parser that has this arc and is
    surest of its label; where no parser with labels has the arc, of the surest of all.
    """

    name = "ensemble"
    config_type = EnsembleConfig
    needs = ("deprel",)
    writes = ("head", "deprel")
    instead_of = "parser"
    by_default = False
    uses_predicted = True
    uses_silver = True
    confidence_key = "ArcConf"
    parts: ClassVar[dict[str, type[Parser] | type[GraphParser]]] = {
        "forward": Parser,
        "backward": Parser,
        "graph": GraphParser,
    }
    """The parsers by their names in model files and settings."""

    def __init__(
        self, forward: Parser, backward: Parser, graph: GraphParser, tolerance: float, graph_tolerance: float
    ) -> None:
        self.forward, self.backward, self.graph = forward, backward, graph
        self.tolerance, self.graph_tolerance = tolerance, graph_tolerance
        self.voting = False
        self.voters: tuple[Parser, Parser] = (forward.shared_copy(), backward)
        for voter in self.voters:
            voter.effort(tolerance)
        graph.effort(graph_tolerance)

    @classmethod
    def fit(cls, config: EnsembleConfig, data: TrainingData) -> Generator[Progress, None, Self]:
        """Train one parser after the other; the generator returns the ensemble. The graph parser learns from the
        treebank alone. ConfigError for trees that cannot be learned from."""
        forward = yield from within_whole(Parser.fit(config.forward, data), "forward", 0, 3)
        backward = yield from within_whole(Parser.fit(config.backward, data), "backward", 1, 3)
        graph = yield from within_whole(GraphParser.fit(config.graph, data.treebank), "graph", 2, 3)
        return cls(forward, backward, graph, config.tolerance, config.graph_tolerance)

    @classmethod
    def check_dev(cls, config: EnsembleConfig, dev: Doc) -> None:
        super().check_dev(config, dev)
        GraphParser.check_dev(config.graph, dev)

    @property
    def columns(self) -> tuple[str, ...]:
        return self.forward.columns

    @property
    def reads(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*self.forward.reads, *self.backward.reads, *self.graph.reads)))

    @property
    def metrics(self) -> tuple[str, ...]:
        return self.forward.metrics

    @property
    def classifiers(self) -> tuple[Frozen, ...]:
        """Those of the parser that works at all efforts."""
        return self.forward.classifiers

    @property
    def templates(self) -> str:
        return "\n".join(parser.templates for parser in (self.forward, self.backward, self.graph))

    def effort(self, tolerance: float) -> None:
        self.voting = False
        self.forward.effort(tolerance)

    @property
    def search_efforts(self) -> tuple[str, ...]:
        return (BEST, *self.forward.search_efforts)

    def search_effort(self, name: str) -> None:
        if name not in self.search_efforts:
            super().search_effort(name)
        self.effort(0.0)
        self.voting = name == BEST
        if not self.voting:
            self.forward.search_effort(name)

    @property
    def explainable(self) -> bool:
        return not self.voting and self.forward.explainable

    def shared_copy(self) -> Self:
        other = super().shared_copy()
        other.forward = self.forward.shared_copy()
        return other

    def apply(self, doc: Doc, state: Any = None) -> Work:
        """Fill the heads of a document and, unless labels are left to others, its labels. Cost at ``best``: the two
        transition parsers, and in sentences about which they disagree a part of the graph parser and a decoding."""
        if not self.voting:
            return self.forward.apply(doc)
        ballots = [_parsed(parser, doc) for parser in self.voters]
        heads, graph_work = self._agreed(doc, ballots)
        doc.heads[:] = heads
        if "deprel" in self.columns:
            doc.set_codes("deprel", *_labels(heads, ballots))
        works = (*(one.work for one in ballots), graph_work)
        return sum((Work(one.decisions, one.templates, one.rows) for one in works), Work())

    def _agreed(self, doc: Doc, ballots: Sequence[Ballot]) -> tuple[npt.NDArray[np.int32], Work]:
        """The heads of the most votes. Where two agree about a word, the third is not asked: it could only outvote them
        where both are very unsure."""
        heads = ballots[0].heads.copy()
        starts = doc.sentence_starts.astype(np.int64)
        sizes = starts[1:] - starts[:-1]
        sentence_of = np.repeat(np.arange(len(sizes)), sizes)
        open_sentences = np.unique(sentence_of[ballots[0].heads != ballots[1].heads])
        if not len(open_sentences):
            return heads, Work()
        words = np.isin(sentence_of, open_sentences)
        agreed = np.where(ballots[0].heads == ballots[1].heads, ballots[0].heads, -1).astype(np.int32)
        third = self.graph.predict(doc, open_sentences.astype(np.uint32), agreed)
        first, second = (one.heads[words] for one in ballots)
        sure = [one.sure[words] for one in ballots]
        # The graph parser votes for what others have found, too: it knows how probable that is.
        sure[0] += np.where(first == third.heads, 0, third.probability(first))
        sure[1] += np.where((second == third.heads) | (second == first), 0, third.probability(second))
        heads[words] = vote(
            np.stack([first, second, third.heads]),
            np.concatenate([[0], np.cumsum(sizes[open_sentences])]).astype(np.uint32),
            np.rint(np.stack([*sure, third.confidence]) * CERTAIN).astype(np.int32).clip(1),
            self.forward.inventory.single_root,
        )
        return heads, third.work

    def confident(self, doc: Doc) -> Confidences:
        return self.confident_of(doc, self.columns)

    def confident_of(self, doc: Doc, columns: Collection[str]) -> Confidences:
        """As the parser that works alone; ConfigError while parsers vote."""
        if self.voting:
            raise ConfigError(f"there are no confidences at the effort {BEST}: choose another effort")
        return self.forward.confident_of(doc, columns)

    def explain(self, doc: Doc, sentences: Sequence[int] | None = None) -> list[Explanation]:
        """As the parser that works alone; ConfigError while parsers vote."""
        if self.voting:
            raise ConfigError("what parsers agree on cannot be explained: choose another effort")
        return [replace(one, component=self.name) for one in self.forward.explain(doc, sentences)]

    def state(self) -> State:
        arrays: dict[str, npt.NDArray[Any]] = {}
        facts: dict[str, Any] = {name: getattr(self, name) for name in TOLERANCES}
        for name in self.parts:
            own, facts[name] = getattr(self, name).state()
            arrays |= {f"{name}.{key}": array for key, array in own.items()}
        return arrays, facts

    @classmethod
    def from_state(cls, arrays: Mapping[str, npt.NDArray[Any]], facts: Mapping[str, Any]) -> Self:
        """ModelError unless everything fits together."""
        try:
            parsers = {name: kind.from_state(within(arrays, name), facts[name]) for name, kind in cls.parts.items()}
            if parsers["forward"].columns != parsers["backward"].columns:
                raise ValueError("one of the transition parsers has labels, the other has none")
            return cls(**parsers, **{name: _share(facts[name]) for name in TOLERANCES})  # type: ignore[arg-type]
        except (KeyError, TypeError, ValueError) as error:
            raise ModelError(f"the ensemble in the model is damaged: {error}") from error


TOLERANCES = ("tolerance", "graph_tolerance")


def _share(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 1:
        raise ValueError(f"a tolerance must be at least 0 and below 1, not {value!r:.60}")
    return float(value)


def _parsed(parser: Parser, doc: Doc) -> Ballot:
    """Without calibration every arc counts the same."""
    found = parser.predict(doc, confidence=parser.calibrated)
    sure, label_sure = found.head_confidence, found.label_confidence
    if not parser.calibrated:
        sure = label_sure = np.ones(len(found.heads), np.float32)
    return Ballot(*parser.decoded(doc, found), sure, label_sure, found.work)


def _labels(heads: npt.NDArray[np.int32], ballots: Sequence[Ballot]) -> tuple[npt.NDArray[np.int32], list[str]]:
    """A label for each word, and the names of the labels."""
    numbers: dict[str, int] = {}
    chosen = np.zeros(len(heads), np.int32)
    surest = np.full(len(heads), -1.0)
    for one in ballots:
        own = np.array([numbers.setdefault(name, len(numbers)) for name in one.names], np.int32)
        sure = one.label_sure + (one.heads == heads)  # whoever has the arc is surer than all who have not
        better = sure > surest
        chosen[better] = own[one.labels[better]]
        surest[better] = sure[better]
    return chosen, list(numbers)
