"""Decisions about words as something to search templates for: tags and lemmas."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any, TypeVar

import numpy as np

from laconic._core.learn import Examples
from laconic.corpus import Doc
from laconic.evaluate.score import Bools
from laconic.features import TemplateSet
from laconic.learn import Settings, TrainingData
from laconic.learn.component import Labels
from laconic.progress import finished
from laconic.search.trainable import DecisionTrainable, Pool, Trial, numbers, same_values
from laconic.tag import Lemmatizer, LemmatizerConfig, Tagger, TaggerConfig
from laconic.tag.dictionary import NO_LABEL
from laconic.tag.form_templates import form_template_count
from laconic.tag.lemmatizer import gold_scripts
from laconic.tag.tagger import gold_labels
from laconic.tag.words import WordClassifier

Config = TypeVar("Config", TaggerConfig, LemmatizerConfig)


@dataclass(frozen=True)
class WordTrainable(DecisionTrainable[Config]):
    """One decision about each word."""

    @cached_property
    def templates(self) -> TemplateSet:
        return self.config.template_set()

    @property
    def settings(self) -> Settings:
        return self.config.settings

    def facts(self) -> Any:
        config = asdict(replace(self.config, folds=0))
        del config["templates"], config["settings"]
        return [type(self).__name__, config]

    def configured(self, trial: Trial) -> Config:
        """The configuration with the templates and settings of the trial."""
        changes: dict[str, Any] = {"templates": str(trial.templates), "settings": trial.settings}
        return replace(self.config, folds=0, **changes)


@dataclass(frozen=True)
class TaggerTrainable(WordTrainable[TaggerConfig]):
    """A tagger's decisions. In a pool those to learn from have the gold tags to their left, as in training; those to be
    judged by have the tags that a tagger with all templates predicts there, so that no order profits from tags it will
    not see.
    """

    @property
    def fixed(self) -> int:
        return form_template_count(self.templates)

    def fit(self, train: Doc, trial: Trial) -> Tagger:
        return finished(Tagger.fit(self.configured(trial), TrainingData(train)))

    def correct(self, guess: Doc, gold: Doc) -> Bools:
        columns = self.config.column.split("+")
        return np.asarray(np.all([same_values(guess, gold, column) for column in columns], axis=0))

    def look_up(self) -> Pool:
        """Cost: one training with all templates, for the lexicon and the tags to the left."""
        tagger = finished(Tagger.fit(replace(self.config, folds=0), TrainingData(self.train)))
        examples = _collected(
            tagger.words, self.train, as_known(*gold_labels(self.train, tagger.columns), tagger.labels)
        )
        examples.finish(self.settings.cutoff)
        predicted, _ = tagger.predict(self.develop)
        judged = _collected(tagger.words, self.develop, predicted)
        judged.finish_like(examples)
        gold = as_known(*gold_labels(self.develop, tagger.columns), tagger.labels)
        gold = gold[tagger.words.has_choice(self.develop)]
        sets = numbers([judged.add_set([label]) for label in range(len(tagger.labels))])
        known = np.flatnonzero(gold != NO_LABEL)
        judged = judged.select(numbers(range(len(tagger.plan))), known.astype(np.uint32))
        judged.relabel(sets[gold[known]])
        return Pool(examples, judged)


@dataclass(frozen=True)
class LemmatizerTrainable(WordTrainable[LemmatizerConfig]):
    """A lemmatizer's decisions: in a pool one for each form with its tags and script, as for a word never seen."""

    def fit(self, train: Doc, trial: Trial) -> Lemmatizer:
        return finished(Lemmatizer.fit(self.configured(trial), TrainingData(train)))

    def correct(self, guess: Doc, gold: Doc) -> Bools:
        return same_values(guess, gold, "lemma")

    def look_up(self) -> Pool:
        """Cost: one training with all templates, for the lexicon and the scripts."""
        lemmatizer = finished(Lemmatizer.fit(replace(self.config, folds=0), TrainingData(self.train)))

        def collected(doc: Doc) -> Examples:
            gold, scripts = gold_scripts(doc, 1)  # those too rare in training are not among the known ones
            return _collected(lemmatizer.words, doc, as_known(gold, scripts, lemmatizer.scripts), types=True)

        examples, judged = collected(self.train), collected(self.develop)
        examples.finish(self.settings.cutoff)
        judged.finish_like(examples)
        return Pool(examples, judged)


def _collected(words: WordClassifier, doc: Doc, labels: Labels, *, types: bool = False) -> Examples:
    examples = Examples(len(words.plan), words.frozen.sets)
    words.collect(examples, doc, labels, types=types)
    return examples


def as_known(labels: Labels, own: Sequence[Any], known: Sequence[Any]) -> Labels:
    """Labels as a component numbers them; NO_LABEL for those that its training did not show."""
    numbers_of = {label: number for number, label in enumerate(known)}
    table = np.array([numbers_of.get(label, NO_LABEL) for label in own], np.uint16)
    return np.where(labels == NO_LABEL, NO_LABEL, table[np.where(labels == NO_LABEL, 0, labels)]).astype(np.uint16)
