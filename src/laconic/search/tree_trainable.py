"""Labelers of given trees and the graph parser as something to search templates for."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any, ClassVar, TypeVar

import numpy as np

from laconic.corpus import Doc
from laconic.errors import ConfigError
from laconic.evaluate.score import Bools
from laconic.graph import GraphConfig, GraphParser
from laconic.label import Labeler, LabelerConfig, TensorLabeler, TensorLabelerConfig
from laconic.learn import Component, TrainingData
from laconic.progress import finished
from laconic.search.trainable import CorpusTrainable, Trial, TrialSettings, same_values

Config = TypeVar("Config", LabelerConfig, TensorLabelerConfig, GraphConfig)


@dataclass(frozen=True)
class TreeTrainable(CorpusTrainable[Config]):
    """A component that learns from trees, whose configuration has one template set and one group of settings."""

    component: ClassVar[type[Component]]

    def __post_init__(self) -> None:
        self.component.check_dev(self.config, self.develop)

    @property
    def settings(self) -> TrialSettings:
        return self.config.settings

    def facts(self) -> Any:
        config = asdict(replace(self.config, folds=0))
        del config["templates"], config["settings"]
        return [self.component.name, config]

    def fit(self, train: Doc, trial: Trial) -> Component:
        changes: dict[str, Any] = {"templates": str(trial.templates), "settings": trial.settings}
        config = replace(self.config, folds=0, **changes)
        return finished(self.component.fit(config, TrainingData(train)))


@dataclass(frozen=True)
class LabelerTrainable(TreeTrainable[LabelerConfig]):
    """A labeler with linear rows, on the trees of the treebank: a word is right if its label is."""

    component = Labeler

    def correct(self, guess: Doc, gold: Doc) -> Bools:
        return same_values(guess, gold, "deprel")


@dataclass(frozen=True)
class TensorLabelerTrainable(TreeTrainable[TensorLabelerConfig]):
    """A labeler by low-rank factors, on the trees of the treebank."""

    component = TensorLabeler

    def correct(self, guess: Doc, gold: Doc) -> Bools:
        return same_values(guess, gold, "deprel")


@dataclass(frozen=True)
class GraphTrainable(TreeTrainable[GraphConfig]):
    """A graph parser with templates of arcs alone: a word is right if its head is."""

    component = GraphParser

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.config.scorer != "linear":
            raise ConfigError("templates of arcs are searched for with linear rows: say so in the configuration")
        if self.config.training != "selection":
            raise ConfigError(
                "templates of arcs are searched for with graph.training=selection, whose settings trials change"
            )
        object.__setattr__(self, "config", replace(self.config, policy="drop"))  # nothing is calibrated in trials

    def correct(self, guess: Doc, gold: Doc) -> Bools:
        return np.asarray(guess.heads == gold.heads)
