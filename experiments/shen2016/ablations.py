"""What each part of the labels by low-rank factors is worth: ablations.md beside this file.

    python -m experiments.shen2016.ablations [--data PATH] [--sentences N] [--seeds 1]

Ranks, loss, prior, length and direction on gold trees of UD English EWT; what trees to learn from, on trees of a parser.
What was scored is kept in build/ablations.jsonl, so that a run that was stopped goes on. Needs the treebank.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from pathlib import Path
from unittest.mock import patch

import numpy as np
import numpy.typing as npt

from experiments.common import arguments, command, journal, remembered, tagged, treebank, write_report
from experiments.shen2016.labelers import (
    LINEAR,
    RECIPES,
    SECOND,
    TREE_FOLDS,
    Recipe,
    factors,
    jackknifed_trees,
    scored,
    twice,
)
from experiments.tables import cell, change, header, line, together
from laconic._core.label import pair_keys
from laconic.corpus import Doc
from laconic.evaluate import Scores
from laconic.label import TensorSettings
from laconic.label.candidates import LabelCounts
from laconic.learn import TrainingData
from laconic.learn.component import Labels, alphabetical
from laconic.search.journal import Journal

HERE = Path(__file__).resolve().parent
BASE = TensorSettings(first=32, second=32)
RANKS = [replace(BASE, first=first, second=second) for second, first in product((0, 16, 32, 64), (16, 32, 64))]
CHANGES: dict[str, TensorSettings] = {
    "length of the arc in vectors of labels": replace(BASE, length=True),
    "no prior": replace(BASE, prior=False),
    "start by decomposition": replace(BASE, start="decomposition"),
    "no dropout of rows": replace(BASE, row_dropout=0.0),
    "hinge, passive-aggressive steps, 10 epochs": replace(BASE, loss="hinge", epochs=10),
    "the same, no prior": replace(BASE, loss="hinge", epochs=10, prior=False),
}
UNDIRECTED = "candidates by tags without direction"
TREE_SENTENCES, TAG_FOLDS = 1500, 5


@dataclass(frozen=True)
class AblationData:
    """What is trained and measured on."""

    known: Journal
    seeds: range
    train: Doc
    gold: Doc

    def scores(
        self,
        recipe: Callable[..., Recipe],
        data: TrainingData,
        given: Doc,
        *about: str,
        during: Callable[[], AbstractContextManager[object]] = nullcontext,
    ) -> Scores:
        """Of all seeds together; ``during`` is entered for training."""

        def found(seed: int) -> list[Scores]:
            with during():
                labeler = recipe(seed=seed).fitted(data)
            return [scored(labeler, self.gold, given)]

        each = [
            remembered(self.known, (*about, recipe(seed=seed).config, len(self.train)), lambda seed=seed: found(seed))[
                0
            ]
            for seed in self.seeds
        ]
        return together(each)


def opposites(doc: Doc) -> dict[int, int]:
    """Keys of pairs of tags, each with the key of the same pair in the other direction."""
    tags = doc.codes("upos")[1]
    pairs = list(product(tags, tags))
    sides = []
    for head, modifier in ((2, 1), (1, 2)):
        upos = [[own, above] if head == 2 else [above, own] for own, above in pairs]
        trees = Doc.from_words(
            [["w", "w"]] * len(pairs), upos=upos, head=[[2, 0] if head == 2 else [0, 1]] * len(pairs)
        )
        sides.append(pair_keys(trees.columns, "upos")[modifier - 1 :: 2].tolist())
    return dict(zip(sides[0] + sides[1], sides[1] + sides[0], strict=True))


def undirected(other: dict[int, int]) -> AbstractContextManager[object]:
    """While this is entered, a pair of tags has in both directions the labels that it was seen with in either."""
    directed = LabelCounts.of

    def of(keys: npt.NDArray[np.uint64], gold: Labels, labels: int, minimum: int) -> LabelCounts:
        lower = np.array([min(key, other.get(key, key)) for key in keys.tolist()], np.uint64)
        counts = directed(lower, gold, labels, minimum)
        both = {key: seen for one, seen in counts.pairs.items() for key in dict.fromkeys((one, other.get(one, one)))}
        return LabelCounts(both, counts.labels)

    return patch.object(LabelCounts, "of", of)


def candidate_cells(train: Doc, gold: Doc) -> list[str]:
    """Labels per arc, arcs with a single one, and arcs whose right label is not among them."""
    codes, names = alphabetical(*train.codes("deprel"))
    counts = LabelCounts.of(pair_keys(train.columns, "upos"), codes, len(names), 20)
    every = dict.fromkeys(range(len(names)))
    sets = [counts.pairs.get(key, every) for key in pair_keys(gold.columns, "upos").tolist()]
    numbers = {name: number for number, name in enumerate(names)}
    missing = [numbers.get(label, -1) not in own for label, own in zip(gold.strings("deprel"), sets, strict=True)]
    sizes = np.array([len(own) for own in sets])
    return [f"{sizes.mean():.1f}", f"{100 * (sizes == 1).mean():.1f} %", f"{100 * np.mean(missing):.2f} %"]


def on_gold_trees(study: AblationData) -> list[str]:
    data, other = TrainingData(study.train), opposites(study.train)

    def found(settings: TensorSettings) -> Scores:
        return study.scores(partial(factors, settings), data, study.gold, "gold")

    base = found(BASE)
    lines = ["## Ranks", "", *header("first", "second", "right labels", "change")]
    for settings in RANKS:
        scores = found(settings)
        cells = (cell(scores, "LAS"), "" if settings == BASE else change(base, scores, "LAS"))
        lines.append(line(str(settings.first), str(settings.second), *cells))
    lines += ["", "## Other settings, with ranks 32 and 32", "", *header("what differs", "right labels", "change")]
    lines.append(line("nothing", cell(base, "LAS"), ""))
    for name, changed in CHANGES.items():
        scores = found(changed)
        lines.append(line(name, cell(scores, "LAS"), change(base, scores, "LAS")))
    scores = study.scores(partial(factors, BASE), data, study.gold, UNDIRECTED, during=lambda: undirected(other))
    lines.append(line(UNDIRECTED, cell(scores, "LAS"), change(base, scores, "LAS")))
    sets = header("candidates", "labels per arc", "arcs with one", "right label not among them")
    lines += ["", *sets, line("by tags and direction", *candidate_cells(study.train, study.gold))]
    with undirected(other):
        lines.append(line("by tags", *candidate_cells(study.train, study.gold)))
    return lines


def on_a_parsers_trees(study: AblationData, dev: Doc) -> list[str]:
    tags, predicted = tagged(study.train, dev, TAG_FOLDS)
    own, trees = jackknifed_trees(study.train, tags, predicted.sentences[len(dev.sentences) // 2 :])
    taught: dict[str, TrainingData] = {
        "gold": TrainingData(study.train, tags),
        "predicted": TrainingData(study.train, own),
        "both": twice(study.train, tags, own),
    }
    lines = ["", "## Trees to learn from", "", *header("labeler", "trees", "LAS", "change")]
    for name in (LINEAR, SECOND):
        scores = {
            kind: study.scores(partial(RECIPES[name], projective="head"), data, trees, "trees", kind)
            for kind, data in taught.items()
        }
        for kind, one in scores.items():
            lines.append(
                line(name, kind, cell(one, "LAS"), "" if kind == "gold" else change(scores["gold"], one, "LAS"))
            )
    return lines


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--sentences", type=int, default=None, help="of the training set, from its front")
    parser.add_argument("--seeds", type=int, default=1)
    chosen = parser.parse_args()
    train, dev = treebank(chosen.data, "en_ewt", chosen.sentences)
    study = AblationData(
        journal("ablations"), range(1, chosen.seeds + 1), train, dev.sentences[len(dev.sentences) // 2 :]
    )
    lines = [
        "# What the parts of the factors are worth",
        "",
        f"Written by {command()}: {len(train.sentences):,} training sentences of UD English EWT, second half of the",
        f"development set, labels compared whole, punctuation counted, {chosen.seeds} seed(s), 95 % intervals by (paired)",
        "bootstrap over sentences. Ranks and settings: trees and tags of the treebank. Trees to learn from: the first",
        f"{TREE_SENTENCES:,} sentences, with predicted tags, jackknifed {TAG_FOLDS} ways; predicted trees are by a parser of linear rows without labels,",
        f"jackknifed {TREE_FOLDS} ways, arcs with a wrong head having no label to learn; measured on that parser's trees.",
        "",
        *on_gold_trees(study),
    ]
    write_report(HERE / "ablations.md", lines)
    lines += on_a_parsers_trees(replace(study, train=train.sentences[:TREE_SENTENCES]), dev)
    write_report(HERE / "ablations.md", lines)


if __name__ == "__main__":
    main()
