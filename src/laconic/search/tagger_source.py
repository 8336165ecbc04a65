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
from laconic.learn.component import has_values
from laconic.search.column_source import NO_OFFSETS, ColumnSource, DecisionColumns, HashedSettings, terms_of
from laconic.search.source import DEVELOP, SetResult, singles
from laconic.search.tagger_trainable import as_known
from laconic.search.trainable import TrialResult
from laconic.tag import Tagger, TaggerConfig
from laconic.tag.dictionary import NO_LABEL
from laconic.tag.tagger import gold_labels
from laconic.tag.words import WordTask, untrained

TOKEN = kind("token")


class TaggerSource(ColumnSource):
    """The decisions of a tagger about words that have a choice, with the right tags to their left: the score is the
    share of these that come out right in the development document. Words with one candidate cost nothing and are not
    among them. A tag that training did not show counts as the first one."""

    def __init__(
        self,
        config: TaggerConfig,
        train: Doc,
        develop: Doc,
        *,
        others: Mapping[str, Doc] | None = None,
        settings: HashedSettings | None = None,
    ) -> None:
        super().__init__(settings or HashedSettings())
        self.config = replace(config, folds=0)
        self.train, self.documents = train, {DEVELOP: develop, **(others or {})}
        if len(config.columns) != 1 or config.given:
            raise ConfigError("features are discovered for a tagger of one column that is given none")
        if len(self.documents) != 1 + len(others or {}):
            raise ConfigError(f"no other document can be called {DEVELOP}")
        if not has_values(train, config.column):
            raise ConfigError(f"the training data has no {config.column} to learn from")
        for doc in self.documents.values():
            Tagger.check_dev(config, doc)

    def __reduce__(self) -> tuple[Any, ...]:
        texts = {name: doc.to_conllu() for name, doc in self.documents.items()}
        return _rebuilt, (self.config, self.train.to_conllu(), texts, self.settings, self.store)

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
        return [type(self).__name__, asdict(replace(self.config, templates="")), sorted(self.documents)]

    def texts(self) -> Sequence[str]:
        return [self.train.to_conllu(), *(self.documents[name].to_conllu() for name in sorted(self.documents))]

    def part_templates(self, part: str, templates: TemplateSet) -> TemplateSet:
        return templates

    def collect(self, terms: Mapping[str, Sequence[Term]]) -> Mapping[str, tuple[DecisionAtoms, DecisionAtoms]]:
        (wanted,) = terms.values()
        train, develop = self._collected(wanted, [self.train, self.documents[DEVELOP]])
        return {"words": (train, develop)}

    def _collected(self, terms: Sequence[Term], documents: Sequence[Doc]) -> list[DecisionAtoms]:
        """The decisions about documents, with a slot for each of the terms."""
        plan = compile_plan(singles(terms, TOKEN))
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
        found = []
        for doc in documents:
            right = gold if doc is self.train else as_known(*gold_labels(doc, self.config.columns), labels)
            right = np.where(right == NO_LABEL, 0, right).astype(np.uint16)
            atoms = DecisionAtoms(len(terms), made.sets)
            every = np.arange(len(doc.sentences), dtype=np.uint32)
            made.handle.collect_atoms(atoms, doc.columns, right, every)
            found.append(atoms)
        return found

    def final(self, templates: TemplateSet, labels: bool) -> SetResult:
        plan, table = compile_plan(templates), self.final_table("words", templates)
        sides = {DEVELOP: self.columns("words", templates)[1]}
        terms = terms_of(templates)
        others = [name for name in self.documents if name != DEVELOP]
        for name, atoms in zip(others, self._collected(terms, [self.documents[name] for name in others]), strict=True):
            sides[name] = DecisionColumns(atoms, {term: atoms.column(slot) for slot, term in enumerate(terms)})
        found: SetResult = {}
        for name, side in sides.items():
            scores = score_hashed(table, side.decisions, plan, side.of(templates), side.numbers(), NO_OFFSETS)
            right = judge(side.decisions, side.numbers(), scores)[1].astype(bool)
            found[name] = {self.metric: TrialResult(right)}
        return found


def _rebuilt(
    config: TaggerConfig, train: str, texts: dict[str, str], settings: HashedSettings, store: Any
) -> TaggerSource:
    others = {name: Doc.from_conllu(text) for name, text in texts.items()}
    develop = others.pop(DEVELOP)
    source = TaggerSource(config, Doc.from_conllu(train), develop, others=others, settings=settings)
    source.store = store
    return source
