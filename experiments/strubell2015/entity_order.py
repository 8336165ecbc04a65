"""The order of templates for strubell2015's own entity recogniser: the wrapper under the paper's truncated loss.

    python -m experiments.strubell2015.entity_order [--data DIR] [--margin 5] [--rate 0.1]

Orders the 46 templates of the shipped set `entities` on Universal NER's English data, searching with one half of the
documents of its development set, and writes order-paper-entities.templates beside itself. Every word is asked, as in the
paper. What was computed stays in build/entity_order.jsonl. Needs the directories `ner` and `ud`.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from experiments.common import arguments
from experiments.strubell2015.table3 import EVERY_WORD, PAPER_ORDER, english_halves
from laconic._core.learn import Examples
from laconic.corpus import Doc
from laconic.evaluate.score import Bools
from laconic.features import TemplateSet
from laconic.learn import Settings, TrainingData
from laconic.learn.component import Labels
from laconic.progress import finished
from laconic.search import SearchProgress, Wrapper, order
from laconic.search.trainable import DecisionTrainable, Pool, Trial, numbers
from laconic.tag import EntityConfig, EntityTagger
from laconic.tag.entities import present
from laconic.tag.entity_spans import annotated_sentences, bilou_labels, entity_spans


def labels_of(doc: Doc, types: Sequence[str]) -> Labels:
    """BILOU labels, numbered by types that are known."""
    found = entity_spans(doc)
    assert found.types == list(types), "the halves of the data have the same types"
    return bilou_labels(found, len(doc))


@dataclass(frozen=True)
class EntityTrainable(DecisionTrainable[EntityConfig]):
    """An entity recogniser's decisions. Those of a pool have the true labels to their left; what was said of the same word
    before is the truth in training, and in those to be judged by what a recogniser with all templates says."""

    @cached_property
    def templates(self) -> TemplateSet:
        return present(self.config.template_set(), self.train)

    @property
    def settings(self) -> Settings:
        return self.config.settings

    def facts(self) -> Any:
        config = asdict(replace(self.config, folds=0))
        del config["templates"], config["settings"]
        return [type(self).__name__, config]

    def fit(self, train: Doc, trial: Trial) -> EntityTagger:
        assert isinstance(trial.settings, Settings)
        config = replace(self.config, folds=0, templates=str(trial.templates), settings=trial.settings)
        return finished(EntityTagger.fit(config, TrainingData(train)))

    def correct(self, guess: Doc, gold: Doc) -> Bools:
        types = entity_spans(gold).types
        return np.asarray(labels_of(guess, types) == labels_of(gold, types))

    def look_up(self) -> Pool:
        """Cost: one training with all templates."""
        tagger = finished(EntityTagger.fit(replace(self.config, folds=0), TrainingData(self.train)))
        predicted, _ = tagger.predict(self.develop)
        examples, judged = (Examples(len(tagger.plan), tagger.transitions.sets) for _ in range(2))
        for some, doc, noted in ((examples, self.train, None), (judged, self.develop, predicted)):
            gold = labels_of(doc, tagger.types)
            sentences = numbers(annotated_sentences(doc))
            tagger.handle.collect(some, doc.columns, gold, sentences, gold if noted is None else noted)
        examples.finish(self.settings.cutoff)
        judged.finish_like(examples)
        return Pool(examples, judged)


def show(step: SearchProgress) -> None:
    print(f"\r{step.what}, {100 * step.done / step.of:.0f} %        ", end="", file=sys.stderr, flush=True)


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--margin", type=float, default=5.0, help="of the truncated loss")
    parser.add_argument("--rate", type=float, default=0.1)
    chosen = parser.parse_args()
    train, half, _ = english_halves(chosen.data)
    settings = Settings(mode="truncated", margin=chosen.margin, rate=chosen.rate)
    config = EntityConfig(settings=settings, outside_minimum=EVERY_WORD, history_folds=0, folds=0)
    journal = Path("build") / "entity_order.jsonl"
    journal.parent.mkdir(exist_ok=True)
    run = order(
        EntityTrainable(config, train, half),
        Wrapper(),
        journal=journal,
        command="python -m experiments.strubell2015.entity_order",
    )
    found = finished(run, show)
    print(file=sys.stderr)
    found.write(PAPER_ORDER, "Named entities by strubell2015's own loss.")


if __name__ == "__main__":
    main()
