"""The tagger as something to search an order for."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from laconic._core.learn import Examples
from laconic.corpus import Doc
from laconic.features import TemplateSet
from laconic.learn import Settings
from laconic.progress import finished
from laconic.search.trainable import Pool, numbers
from laconic.tag import Tagger, TaggerConfig
from laconic.tag.heads import head

Labels = npt.NDArray[np.uint16]


@dataclass(frozen=True)
class TaggerTrainable:
    """A tagger's decisions. Those to learn from have the gold tags to their left, as in training; those to be judged by
    have the tags that a tagger with all templates predicts there, so that no order profits from tags it will not see.
    """

    config: TaggerConfig
    train: Doc
    develop: Doc

    @cached_property
    def templates(self) -> TemplateSet:
        return self.config.template_set()

    @property
    def head(self) -> int:
        return head(self.templates)

    @property
    def settings(self) -> Settings:
        return self.config.settings

    @cached_property
    def digest(self) -> str:
        # How margins are calibrated and where templates lie changes no order.
        config = replace(self.config, templates=str(self.templates), folds=0)
        facts = json.dumps(asdict(config), sort_keys=True)
        parts = (self.train.to_conllu(), self.develop.to_conllu(), facts)
        return hashlib.sha256("".join(hashlib.sha256(part.encode()).hexdigest() for part in parts).encode()).hexdigest()

    def pool(self) -> Pool:
        """Cost: one training with all templates, for the lexicon and the tags to the left; nothing at later calls."""
        return self._pool

    @cached_property
    def _pool(self) -> Pool:
        tagger = finished(Tagger.fit(replace(self.config, folds=0), self.train))
        examples = self._collected(tagger, self.train, self._gold(tagger, self.train))
        examples.finish(self.settings.cutoff)
        predicted, _ = tagger.predict(self.develop)
        judged = self._collected(tagger, self.develop, predicted)
        judged.finish_like(examples)
        gold = self._gold(tagger, self.develop)[tagger.words.has_choice(self.develop)]
        sets = numbers([judged.add_set([label]) for label in range(len(tagger.labels))])
        known = np.flatnonzero(gold < len(sets))
        judged = judged.select(numbers(range(len(tagger.plan))), known.astype(np.uint32))
        judged.relabel(sets[gold[known]])
        return Pool(examples, judged)

    def _collected(self, tagger: Tagger, doc: Doc, labels: Labels) -> Examples:
        examples = Examples(len(tagger.plan), tagger.frozen.sets)
        tagger.words.collect(examples, doc, labels)
        return examples

    def _gold(self, tagger: Tagger, doc: Doc) -> Labels:
        """Label numbers; one past the last for labels that training did not show."""
        codes, values = doc.codes(self.config.column)
        places = {label: number for number, label in enumerate(tagger.labels)}
        return np.array([places.get(value, len(places)) for value in values], np.uint16)[codes]

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuilt, (self.config, self.train.to_conllu(), self.develop.to_conllu())


def _rebuilt(config: TaggerConfig, train: str, develop: str) -> TaggerTrainable:
    return TaggerTrainable(config, Doc.from_conllu(train), Doc.from_conllu(develop))
