"""A tagger as something to discover features for, scored by its decisions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

import numpy as np

from laconic._core.learn import DecisionAtoms
from laconic._core.search import judge, score_hashed
from laconic.corpus import Doc
from laconic.errors import ConfigError
from laconic.features import Kind, TemplateSet, Term, compile_plan, kind
from laconic.search.column_source import NO_OFFSETS, ColumnSource, HashedSettings
from laconic.search.source import DEVELOP, SetResult, singles
from laconic.search.tagger_trainable import as_known
from laconic.search.trainable import TrialResult
from laconic.tag import TaggerConfig
from laconic.tag.dictionary import NO_LABEL
from laconic.tag.tagger import gold_labels
from laconic.tag.words import WordTask, untrained

TOKEN = kind("token")


class TaggerSource(ColumnSource):
    """The decisions of a tagger about words that have a choice, with the right tags to their left: the score is the
    share of these that come out right in the development document. Words with one candidate cost nothing and are not
    among them. A tag that training did not show counts as the first one."""

    def __init__(
        self, config: TaggerConfig, train: Doc, develop: Doc, *, settings: HashedSettings | None = None
    ) -> None:
        super().__init__(settings or HashedSettings())
        self.config = replace(config, folds=0)
        self.train, self.develop = train, develop
        if len(config.columns) != 1 or config.given:
            raise ConfigError("features are discovered for a tagger of one column that is given none")
        if not len(train) or not len(develop):
            raise ConfigError("there are no words to learn from, or none to be judged by")

    def __reduce__(self) -> tuple[Any, ...]:
        texts = (self.train.to_conllu(), self.develop.to_conllu())
        return _rebuilt, (self.config, *texts, self.settings, self.store)

    @property
    def kind(self) -> Kind:
        return TOKEN

    @property
    def parts(self) -> tuple[str, ...]:
        return ("words",)

    @property
    def metric(self) -> str:
        return "decisions"

    def facts(self) -> Any:
        return [type(self).__name__, asdict(replace(self.config, templates=""))]

    def texts(self) -> Sequence[str]:
        return [self.train.to_conllu(), self.develop.to_conllu()]

    def part_templates(self, part: str, templates: TemplateSet) -> TemplateSet:
        return templates

    def collect(self, terms: Mapping[str, Sequence[Term]]) -> Mapping[str, tuple[DecisionAtoms, DecisionAtoms]]:
        (wanted,) = terms.values()
        plan = compile_plan(singles(wanted, TOKEN))
        gold, labels = gold_labels(self.train, self.config.columns)
        task = WordTask(
            plan,
            self.train,
            gold,
            labels,
            self.config.settings,
            self.config.lexicon_minimum,
            self.config.dictionary_minimum,
            self.config.ambiguity_share,
        )
        sentences = np.arange(len(self.train.sentences), dtype=np.uint32)
        made = untrained(task, sentences)
        own = as_known(*gold_labels(self.develop, self.config.columns), labels)
        own = np.where(own == NO_LABEL, 0, own).astype(np.uint16)
        found = []
        for doc, right in ((self.train, gold), (self.develop, own)):
            atoms = DecisionAtoms(len(wanted), made.sets)
            every = np.arange(len(doc.sentences), dtype=np.uint32)
            made.handle.collect_atoms(atoms, doc.columns, right, every)
            found.append(atoms)
        return {"words": (found[0], found[1])}

    def final(self, templates: TemplateSet, labels: bool) -> SetResult:
        plan, table = compile_plan(templates), self.final_table("words", templates)
        judged = self.columns("words", templates)[1]
        numbers = judged.numbers()
        scores = score_hashed(table, judged.decisions, plan, judged.of(templates), numbers, NO_OFFSETS)
        right = judge(judged.decisions, numbers, scores)[1].astype(bool)
        return {DEVELOP: {self.metric: TrialResult(right)}}


def _rebuilt(config: TaggerConfig, train: str, develop: str, settings: HashedSettings, store: Any) -> TaggerSource:
    source = TaggerSource(config, Doc.from_conllu(train), Doc.from_conllu(develop), settings=settings)
    source.store = store
    return source
