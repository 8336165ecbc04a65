"""One decision per arc of a tree: what is to be learned of it, and what was learned."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from laconic._core import label as core
from laconic._core.features import Lexicon, Plan
from laconic._core.learn import Examples
from laconic.corpus import Doc
from laconic.errors import ModelError
from laconic.evaluate.score import Bools
from laconic.features import atoms, load_lexicon
from laconic.label.candidates import candidates_from, candidates_state
from laconic.label.trees import ArcsToLearn
from laconic.learn import FinalScores, Frozen, Settings, Stop, train_linear
from laconic.learn.component import Confidences, Labels, within
from laconic.learn.folding import (
    HeldOut,
    Sentences,
    fit_folded,
    folds_of,
    with_margins,
    with_temperatures,
    words_in,
)
from laconic.progress import Progress


@dataclass(frozen=True)
class ArcTask:
    """What is to be decided about arcs, and how that is learned."""

    plan: Plan
    arcs: ArcsToLearn
    order: str
    settings: Settings


@dataclass(frozen=True)
class ArcClassifier:
    """A trained decision. Nothing in it changes: threads share it."""

    plan: Plan
    lexicon: Lexicon
    pairs: core.LabelCandidates
    names: Sequence[str]
    pos: str
    order: str
    frozen: Frozen
    handle: core.ArcClassifier = field(init=False)

    def __post_init__(self) -> None:
        made = core.ArcClassifier(
            self.plan, self.lexicon, self.pairs, atoms(self.names), self.pos, self.order, self.frozen.table
        )
        object.__setattr__(self, "handle", made)

    def decide(
        self, doc: Doc, stop: Stop, confidence: bool = False
    ) -> tuple[Labels, npt.NDArray[np.uint32], int, Confidences]:
        """Label and templates computed of each arc, rows read in all, and confidences if asked for."""
        temperatures = stop.probability(len(self.plan)) if confidence else np.zeros(0)
        return self.handle.decide(doc.columns, stop.exits(self.frozen.table), temperatures)

    def held_out(self, doc: Doc, depths: Sequence[int], sentences: Sentences, right: Bools) -> HeldOut:
        """Leads after each depth, and whether the prefix agrees with the full model, for right arcs with a choice."""
        exits = Stop.never(len(self.plan)).exits(self.frozen.table)
        leads, found = self.handle.prefixes(doc.columns, exits, list(depths), sentences)
        return HeldOut.of(leads[right], found[right], self.frozen.table.scale)

    def final_scores(self, doc: Doc, gold: Labels, stop: Stop, sentences: Sentences, right: Bools) -> FinalScores:
        """How the decisions about the right arcs of these sentences end; ``gold`` and ``right`` are of their words."""
        exits = stop.exits(self.frozen.table)
        labels, depths, begins, gaps = self.handle.final_scores(doc.columns, exits, sentences)
        return FinalScores(depths, begins, gaps, labels == gold).where(right)

    def state(self) -> tuple[dict[str, npt.NDArray[Any]], dict[str, Any]]:
        """Arrays and JSON-able facts from which ``from_state`` builds an equal object."""
        arrays, facts = self.frozen.state()
        arrays |= {f"lexicon.{name}": array for name, array in self.lexicon.arrays().items()}
        return arrays | candidates_state(self.pairs), facts

    @classmethod
    def from_state(
        cls,
        plan: Plan,
        names: Sequence[str],
        pos: str,
        order: str,
        arrays: Mapping[str, npt.NDArray[Any]],
        facts: Mapping[str, Any],
    ) -> Self:
        """ModelError unless everything fits together."""
        lexicon = load_lexicon(plan, within(arrays, "lexicon"))
        frozen = Frozen.from_state(arrays, facts)
        pairs = candidates_from(frozen.sets, arrays, priors=False)
        if len(names) != frozen.table.labels or len(plan) != frozen.table.templates:
            raise ModelError("the parts of the model do not fit together")
        return cls(plan, lexicon, pairs, names, pos, order, frozen)


def fit_arcs(task: ArcTask, folds: int) -> Generator[Progress, None, ArcClassifier]:
    """Train, then set margins and temperatures on decisions of models that did not see them (0 folds: neither)."""
    sentences = np.arange(len(task.arcs.doc.sentences), dtype=np.uint32)
    arcs, models = yield from fit_folded(lambda some: _fit_on(task, some), sentences, folds_of(task.arcs.doc, folds))
    if not models:
        return arcs
    depths = task.settings.exits_for(len(task.plan))
    parts = [(part, outside, words_in(task.arcs.doc, outside)) for part, outside in models]
    held = [part.held_out(task.arcs.doc, depths, outside, task.arcs.right[chosen]) for part, outside, chosen in parts]

    def final_scores(stop: Stop) -> FinalScores:
        return FinalScores.concatenate(
            part.final_scores(task.arcs.doc, task.arcs.gold[chosen], stop, outside, task.arcs.right[chosen])
            for part, outside, chosen in parts
        )

    return replace(arcs, frozen=with_temperatures(with_margins(arcs.frozen, held, depths), final_scores))


def _fit_on(task: ArcTask, sentences: Sentences) -> Generator[Progress, None, ArcClassifier]:
    arcs = task.arcs
    chosen = words_in(arcs.doc, sentences)
    lexicon = arcs.lexicon(task.plan, chosen)
    pairs = arcs.counts(chosen).candidates()
    sets = pairs.sets()
    examples = Examples(len(task.plan), sets)
    untrained = core.ArcClassifier(task.plan, lexicon, pairs, atoms(arcs.names), arcs.pos, task.order)
    untrained.collect(examples, arcs.doc.columns, arcs.gold, sentences, arcs.right.view(np.uint8))
    examples.finish(task.settings.cutoff)
    learner = yield from train_linear(examples, len(task.plan), task.settings)
    frozen = Frozen(learner.freeze(examples, task.settings.floor), sets)
    return ArcClassifier(task.plan, lexicon, pairs, arcs.names, arcs.pos, task.order, frozen)
