"""A transition parser with hidden rows as something to find templates for: trials train it in the ordinary way, and
what its templates are worth is read off one network."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

import numpy as np

from laconic._core.learn import DecisionAtoms, HiddenTable, LabelSets, merged_templates
from laconic._core.search import ablate
from laconic._core.transition import collect_joint
from laconic.corpus import Doc
from laconic.errors import ConfigError
from laconic.evaluate.score import Bools
from laconic.features import Template, TemplateSet, Term, compile_plan
from laconic.learn import TrainingData, check_choices
from laconic.learn.component import has_values
from laconic.learn.hidden import HiddenSettings
from laconic.progress import finished
from laconic.search.source import reads_one_value, singles
from laconic.search.trainable import CorpusTrainable, Trial, same_values
from laconic.search.trial_source import TrialSource
from laconic.transition import Parser, ParserConfig
from laconic.transition.inventory import check_heads
from laconic.transition.training import RANDOM_MOVES


@dataclass(frozen=True)
class HiddenParserTrainable(CorpusTrainable[ParserConfig]):
    """A parser with hidden rows: a word is right if its head is and, for LAS, its label. Exits of the settings are
    depths of the set of the configuration; in a part of that set they stand behind what is left of the same
    templates."""

    score: Literal["las", "uas"] = "las"

    def __post_init__(self) -> None:
        check_choices(self, {"score": ("las", "uas")})
        if self.config.scorer != "hidden":
            raise ConfigError("templates of hidden rows are searched for with hidden rows: say so in the configuration")
        for data, doc in (("training data", self.train), ("development data", self.develop)):
            check_heads(doc, data)
            if self.score == "las" and not has_values(doc, "deprel"):
                raise ConfigError(f"the {data} has no labels (deprel) to score by: choose uas")

    @property
    def settings(self) -> HiddenSettings:
        return self.config.hidden

    def facts(self) -> Any:
        config = asdict(replace(self.config, templates="", label_templates="", folds=0))
        del config["hidden"], config["settings"], config["label_settings"]
        return ["hidden rows", self.score, config | {"hidden_templates": str(self.config.template_set())}]

    def fit(self, train: Doc, trial: Trial) -> Parser:
        assert isinstance(trial.settings, HiddenSettings)
        exits = exits_within(self.config.template_set(), trial.templates, trial.settings.exits)
        hidden = replace(trial.settings, exits=exits)
        config = replace(self.config, hidden_templates=str(trial.templates), hidden=hidden, folds=0)
        return finished(Parser.fit(config, TrainingData(train)))

    def correct(self, guess: Doc, gold: Doc) -> Bools:
        heads = np.asarray(guess.heads == gold.heads)
        return heads & same_values(guess, gold, "deprel") if self.score == "las" else heads


class HiddenSource(TrialSource):
    """Templates of a parser with hidden rows. Their worth is read off the network that was trained with all of them:
    how much the loss of development decisions rises where what a template adds is replaced by its mean."""

    trainable: HiddenParserTrainable

    _fitted: tuple[str, Parser] | None = None

    def can_judge(self, template: Template) -> bool:
        """As for columns of decisions, which its templates are judged by."""
        return reads_one_value(template)

    def blocks(self, templates: TemplateSet) -> list[range]:
        """Templates about the form of one word have one row where the form is known: one of them costs as much as
        all."""
        merged = merged_templates(compile_plan(templates, shared=True))
        firsts, first = [], 0
        while first < len(templates):
            firsts.append(range(first, first + int(merged[first])))
            first = firsts[-1].stop
        return firsts

    def expanded(self, features: Sequence[Term]) -> TemplateSet:
        """Single features: hidden units join them by themselves."""
        return singles(features, self.kind)

    def added(self, feature: Term, features: Sequence[Term]) -> TemplateSet:
        return singles((feature,), self.kind)

    def forget(self, kept: Sequence[TemplateSet] = ()) -> None:
        super().forget(kept)
        self._fitted = None

    def fitted(self, templates: TemplateSet) -> Parser:
        """Trained with everything; the last parser is kept, so that a round of the backward phase trains once."""
        name = str(templates)
        if self._fitted is None or self._fitted[0] != name:
            parser = self.trainable.fitted(Trial(templates, 1.0, self.trainable.settings))
            assert isinstance(parser, Parser)
            self._fitted = name, parser
        return self._fitted[1]

    def ablated(self, templates: TemplateSet) -> list[float]:
        """Per decision, moves and labels together, along gold paths with random moves. Cost: one training, if the set
        was not the last, and for each decision an output layer for each block of templates."""
        parser = self.fitted(templates)
        (table, _), task = parser.tables, parser.task(self.trainable.develop)
        assert isinstance(table, HiddenTable)
        plan = parser.plans[0]
        decisions = DecisionAtoms(len(plan.slots), LabelSets(table.labels))
        sentences = np.arange(len(task.doc.sentences), dtype=np.uint32)
        collect_joint(
            task.model,
            task.doc.columns,
            task.trees.heads,
            task.trees.relations,
            sentences,
            decisions,
            RANDOM_MOVES,
            self.trainable.settings.seed,
        )
        columns = [decisions.column(slot) for slot in range(decisions.slots)]
        rises = ablate(table, decisions, plan, columns, np.arange(len(decisions), dtype=np.uint32))
        return [float(rise) / max(1, len(decisions)) for rise in rises]


def exits_within(whole: TemplateSet, part: TemplateSet, exits: Sequence[int]) -> tuple[int, ...]:
    """Depths in a part of a set behind which the same templates are left as in front of depths of the whole."""
    places = {str(template): depth for depth, template in enumerate(whole)}
    kept = [places.get(str(template), len(whole)) for template in part]
    return tuple(sorted({sum(place < depth for place in kept) for depth in exits} - {0}))
