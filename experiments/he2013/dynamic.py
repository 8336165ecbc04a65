"""The graph parser with all templates for all arcs, and with templates only where heads are open, and what vectors,
templates of arcs and siblings each add: dynamic.md beside this file.

    python -m experiments.he2013.dynamic [--data PATH] [--sentences N] [--scorers factored linear] [treebank ...]

Needs `ud/<treebank>/train.conllu` and `dev.conllu` under the data directory. Settings were chosen on the first half of
the development set of en_ewt; figures are of the second half. What was trained is kept in build/models.
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path

import numpy as np

from experiments.common import arguments, command, tagged, treebank, write_report
from experiments.he2013.table1 import interval
from experiments.kept import KeptModels
from experiments.tables import header, line
from experiments.timing import cpu
from laconic.corpus import Doc
from laconic.evaluate.score import Bools
from laconic.graph import GraphConfig, GraphParser
from laconic.graph.training import NEVER
from laconic.learn import TrainingData, expected_calibration_error

HERE = Path(__file__).resolve().parent
EFFORTS = (0.0, 0.001, 0.002, 0.005, 0.01, 0.02)
ROUNDS = 5
FOLDS = 5


def second_half(doc: Doc) -> Doc:
    return doc.sentences[len(doc.sentences) // 2 :]


@dataclass(frozen=True)
class Trained:
    """A parser, and what it is measured by."""

    treebank: str
    tags: str
    scorer: str
    parser: GraphParser
    seconds: float
    """That training took."""
    gold: Doc
    doc: Doc

    def rows(self) -> Iterator[str]:
        """One row per effort; speeds are medians of rounds in turn."""
        times: dict[float, list[float]] = {effort: [] for effort in EFFORTS}
        for _ in range(ROUNDS):
            for effort in EFFORTS:
                self.parser.effort(effort)
                times[effort].append(cpu(partial(self.parser.apply, self.doc.sentences[:])))
        every = None
        for effort in EFFORTS:
            self.parser.effort(effort)
            made = self.doc.sentences[:]
            work = self.parser.apply(made)
            every = every or work.templates
            sure = self.parser.confident(self.doc.sentences[:])
            right = np.asarray(made.heads == self.gold.heads)
            speed = [full / own for full, own in zip(times[0.0], times[effort], strict=True)]
            yield line(
                self.treebank,
                self.tags,
                self.scorer,
                f"{effort:g}",
                f"{100 * right.mean():.2f}",
                f"{100 * work.templates / every:.1f}",
                f"{statistics.median(speed):.2f} ({min(speed):.2f} to {max(speed):.2f})",
                f"{len(self.doc) / statistics.median(times[effort]):,.0f}",
                f"{100 * expected_calibration_error(sure, right):.1f}",
                f"{self.seconds:.0f}",
            )

    def steps(self) -> str:
        """UAS by vectors alone, with all templates of arcs, and with siblings, nothing dropped."""
        model, rules = self.parser.model, self.parser.frame.rules
        every = np.arange(len(self.doc.sentences), dtype=np.uint32)

        def right(groups: int) -> Bools:
            found = model.parse(
                self.doc.columns,
                every,
                [NEVER] * (model.groups - 1),
                rules.projective,
                rules.single_root,
                "none",
                groups=groups,
            )
            return np.asarray(found.heads == self.gold.heads)

        starts = self.gold.sentence_starts.tolist()
        parts = [right(1)] if self.scorer == "factored" else []
        parts += [right(model.edge_groups), right(model.groups)]
        cells = [f"{100 * parts[0].mean():.2f}"]
        for before, after in pairwise(parts):
            low, high = interval(after, before, starts)
            cells.append(
                f"{100 * after.mean():.2f}, {100 * (after.mean() - before.mean()):+.2f} ({low:+.2f} to {high:+.2f})"
            )
        return line(self.treebank, self.tags, self.scorer, *([""] * (3 - len(cells))), *cells)


def trained(chosen: argparse.Namespace, name: str) -> Iterator[Trained]:
    train, dev = treebank(chosen.data, name)
    train = train.sentences[: chosen.sentences]
    gold = second_half(dev)
    sources = {"treebank": (TrainingData(train), gold)}
    if not chosen.given:
        read, given = tagged(train, dev, FOLDS)
        sources["predicted"] = (TrainingData(train, read), second_half(given))
    for scorer in chosen.scorers:
        for tags, (data, doc) in sources.items():
            kept = KeptModels(f"{name}-{len(train.sentences)}-{tags}")
            parser, seconds = kept.component("graph", GraphParser, GraphConfig(scorer=scorer), data)
            yield Trained(name, tags, scorer, parser, seconds, gold, doc)


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--sentences", type=int, help="of the training set; default: all")
    parser.add_argument("--scorers", nargs="+", default=["factored", "linear"])
    parser.add_argument("--given", action="store_true", help="tags of the treebank only")
    parser.add_argument("treebanks", nargs="*", default=["en_ewt"])
    chosen = parser.parse_args()
    lines = [
        "# Dynamic features in a graph parser",
        "",
        f"Written by {command()}: heads in the second half of the development set,",
        "punctuation included. `predicted` tags come from `Morphology`; the parser is then trained on jackknifed ones. The",
        "tolerance is the share of words that may get another head than by all templates (0). Cost: templates computed, of",
        "those that tolerance 0 computes. Speed-up: CPU time of the row with tolerance 0 over that of the row, median and",
        "extremes of five rounds in turn. ECE: expected calibration error of the confidence, in points.",
        "",
        *header(
            "treebank", "tags", "scorer", "tolerance", "UAS", "cost %", "speed-up", "words/s", "ECE", "training, CPU s"
        ),
    ]
    steps = [
        "",
        "What each step adds, nothing dropped: UAS, change, and its 95 % interval by a paired bootstrap over sentences.",
        "",
        *header("treebank", "tags", "scorer", "vectors of words", "templates of arcs", "siblings"),
    ]
    for one in (found for name in chosen.treebanks for found in trained(chosen, name)):
        lines += one.rows()
        steps.append(one.steps())
        write_report(HERE / "dynamic.md", lines + steps)


if __name__ == "__main__":
    main()
