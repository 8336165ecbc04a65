"""The labelers that these experiments compare, and how right their labels are."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from experiments.common import kept
from experiments.tables import cell, change, line
from laconic.corpus import Doc
from laconic.evaluate import Scores, evaluate_conllx
from laconic.label import Labeler, LabelerConfig, TensorLabeler, TensorLabelerConfig, TensorSettings
from laconic.learn import TrainingData
from laconic.learn.folding import folds_of, select, words_in
from laconic.progress import finished
from laconic.transition import Parser, ParserConfig

AnyLabeler = Labeler | TensorLabeler
TREE_FOLDS = 2
"""Of the jackknife, for trees of a parser."""

LINEAR, FIRST, SECOND, BESIDE, PAPER = (
    "linear rows",
    "factors, first order",
    "factors, second order",
    "factors, second order, and linear rows",
    "the paper's loss and ranks",
)


@dataclass(frozen=True)
class Recipe:
    """A labeler that is yet to be trained."""

    kind: type[Labeler] | type[TensorLabeler]
    config: LabelerConfig | TensorLabelerConfig

    def fitted(self, data: TrainingData) -> AnyLabeler:
        return finished(self.kind.fit(self.config, data))  # type: ignore[arg-type]


def linear(seed: int = 1, folds: int = 0, **config: Any) -> Recipe:
    made = LabelerConfig(folds=folds, **config)
    return Recipe(Labeler, replace(made, settings=replace(made.settings, seed=seed)))


def factors(settings: TensorSettings | None = None, seed: int = 1, folds: int = 0, **config: Any) -> Recipe:
    own = replace(settings or TensorSettings(), seed=seed)
    return Recipe(TensorLabeler, TensorLabelerConfig(folds=folds, settings=own, **config))


RECIPES: dict[str, Callable[..., Recipe]] = {
    LINEAR: linear,
    FIRST: factors,
    SECOND: partial(factors, TensorSettings(second=32)),
    BESIDE: partial(factors, TensorSettings(second=32), sparse="labels"),
    PAPER: partial(factors, TensorSettings(first=50, second=30, loss="hinge", prior=False, epochs=10)),
}
"""By name, for a seed, folds and what else is configured."""


def jackknifed_trees(train: Doc, tags: Doc, given: Doc) -> tuple[Doc, Doc]:
    """Training set and given sentences with trees by a parser without labels that did not see them. Kept."""
    return kept("trees", _jackknifed_trees, train, tags, given)


def _jackknifed_trees(train: Doc, tags: Doc, given: Doc) -> tuple[Doc, Doc]:
    config = ParserConfig(scorer="linear", labels="none", folds=0)
    own, other = tags.sentences[:], given.sentences[:]
    for outside in folds_of(train, TREE_FOLDS):
        chosen = np.zeros(len(train.sentences), bool)
        chosen[outside] = True
        inside = TrainingData(select(train, ~chosen), select(tags, ~chosen))
        part = select(tags, chosen)
        finished(Parser.fit(config, inside)).apply(part)
        own.heads[words_in(train, outside)] = part.heads
    finished(Parser.fit(config, TrainingData(train, tags))).apply(other)
    return own, other


def twice(train: Doc, tags: Doc, trees: Doc) -> TrainingData:
    """The training set with its own trees and predicted tags, and with predicted trees and tags."""
    return TrainingData(Doc.concatenate([train] * 2), Doc.concatenate([tags, trees]))


def labelled(labeler: AnyLabeler, given: Doc) -> Doc:
    """The trees of a document with labels by a labeler, whatever they had before."""
    copy = given.sentences[:]
    copy.set_codes("deprel", np.zeros(len(copy), np.int32), ["_"])
    labeler.apply(copy)
    return copy


def scored(labeler: AnyLabeler, gold: Doc, given: Doc) -> Scores:
    """How right labels are on trees with the same words; punctuation counts."""
    return evaluate_conllx(gold, labelled(labeler, given), punctuation=True)


def taught(data: TrainingData, names: Sequence[str] = (LINEAR, FIRST, SECOND), **config: Any) -> dict[str, AnyLabeler]:
    """Labelers of linear rows, of first and of second order."""
    return {name: RECIPES[name](**config).fitted(data) for name in names}


def relabelled(name: str, gold: Doc, made: Doc, labelers: Mapping[str, AnyLabeler]) -> str:
    """A row of a table: UAS and LAS of a parser's trees, and what LAS gains by the labels of each labeler."""
    before = evaluate_conllx(gold, made, punctuation=True)
    gains = [change(before, scored(labeler, gold, made), "LAS") for labeler in labelers.values()]
    return line(name, cell(before, "UAS"), cell(before, "LAS"), *gains)
