"""A classifier of a transition parser as something to search templates for."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np

from laconic.corpus import Doc
from laconic.errors import ConfigError
from laconic.evaluate.score import Bools
from laconic.features import TemplateSet
from laconic.learn import Settings, TrainingData, check_choices
from laconic.progress import finished
from laconic.search.trainable import DecisionTrainable, Pool, Trial, same_values
from laconic.transition import Parser, ParserConfig
from laconic.transition.parser import Prepared


@dataclass(frozen=True)
class ParserTrainable(DecisionTrainable[ParserConfig]):
    """The decisions of a parser with linear rows about moves, or about labels: for a pool those along the gold paths of
    the trees, for a trial those that the parser makes. A trial of moves is scored by heads, one of labels by heads and
    labels. The other classifier keeps the templates and settings of the configuration, but for the number of epochs."""

    part: Literal["moves", "labels"] = "moves"

    def __post_init__(self) -> None:
        check_choices(self, {"part": ("moves", "labels")})
        if self.config.scorer != "linear":
            raise ConfigError("an order is searched for linear rows: say so in the configuration")
        if self.part == "labels" and not self.config.second:
            raise ConfigError(f"with labels = {self.config.labels} there is no classifier of labels to search for")

    @cached_property
    def templates(self) -> TemplateSet:
        return self.config.template_set() if self.part == "moves" else self.config.label_template_set()

    @property
    def settings(self) -> Settings:
        return self.config.settings if self.part == "moves" else self.config.label_settings

    def facts(self) -> Any:
        moves, labels = str(self.config.template_set()), str(self.config.label_template_set())
        config = asdict(replace(self.config, templates=moves, label_templates=labels, folds=0))
        for name in self._varied:
            del config[name]
        return [self.part, config]

    @property
    def _varied(self) -> tuple[str, str]:
        """What of the configuration a trial replaces: templates and settings."""
        return ("templates", "settings") if self.part == "moves" else ("label_templates", "label_settings")

    def fit(self, train: Doc, trial: Trial) -> Parser:
        # Both classifiers learn in the same epochs, so the other one follows the trial in their number.
        epochs = trial.settings.epochs
        values: dict[str, Any] = {
            "settings": replace(self.config.settings, epochs=epochs),
            "label_settings": replace(self.config.label_settings, epochs=epochs),
        }
        values |= zip(self._varied, (str(trial.templates), trial.settings), strict=True)
        config = replace(self.config, folds=0, **values)
        return finished(Parser.fit(config, TrainingData(train)))

    def correct(self, guess: Doc, gold: Doc) -> Bools:
        heads = np.asarray(guess.heads == gold.heads)
        return heads if self.part == "moves" else heads & same_values(guess, gold, "deprel")

    def look_up(self) -> Pool:
        """Cost: one walk through the trees."""
        which = 0 if self.part == "moves" else 1
        prepared = Prepared.of(self.config, self.train)
        examples = prepared.examples(prepared.task)[which]
        examples.finish(self.settings.cutoff)
        judged = prepared.examples(prepared.like(self.develop))[which]
        judged.finish_like(examples)
        return Pool(examples, judged)
