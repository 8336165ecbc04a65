"""Table 6 of chang2007, which cites other people's parsers: their kinds of parser, trained here on the same data.

    python -m experiments.chang2007.table6 [--data PATH] [--sentences N] [treebank ...]

Steps back without WaitLeft and without look-ahead are the parser of Yamada & Matsumoto 2003, arc-eager that of Nivre &
Scholz 2004, the graph parser of first order with MIRA that of McDonald, Crammer & Pereira 2005; last the paper's own:
steps back, WaitLeft and look-ahead of depth 4. Writes table6.md beside this file.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from experiments.chang2007.stages import FEATURES, FOLDS, METRICS, fit_stages, options, parsed
from experiments.common import command, pos_of, tagged, treebank, write_report
from experiments.tables import cell, change, header, line
from laconic.corpus import Doc
from laconic.evaluate import Scores, evaluate_pipeline
from laconic.graph import GraphConfig, GraphParser
from laconic.graph.config import MiraSettings
from laconic.learn import TrainingData
from laconic.progress import finished
from laconic.transition import Parser, ParserConfig

LEARNER = "SNoW perceptron"
PAPER = {
    "Yamada & Matsumoto 2003": (90.3, 91.6, 38.4, 93.5),
    "Nivre & Scholz 2004": (87.3, 84.3, 30.4, None),
    "McDonald, Crammer & Pereira 2005": (90.9, 94.2, 37.5, None),
    "chang2007": (90.8, 92.3, 40.7, 94.0),
}
"""Dependencies, root, sentence and leaf, on section 23."""


def arc_eager(train: Doc, jackknifed: Doc, test: Doc) -> Doc:
    config = ParserConfig(
        scorer="linear",
        system="arc-eager",
        labels="none",
        pos=pos_of(train),  # type: ignore[arg-type]
        folds=0,
    )
    guess = test.sentences[:]
    finished(Parser.fit(config, TrainingData(train, jackknifed))).apply(guess)
    return guess


def first_order(train: Doc, jackknifed: Doc, test: Doc) -> Doc:
    config = GraphConfig(
        scorer="linear",
        training="mira",
        mira=MiraSettings(),
        pos=pos_of(train),  # type: ignore[arg-type]
        projective=True,
        folds=0,
    )
    guess = test.sentences[:]
    finished(GraphParser.fit(config, TrainingData(train, jackknifed))).apply(guess)
    return guess


def step_back(waits: str, depth: int) -> Callable[[Doc, Doc, Doc], Doc]:
    def run(train: Doc, jackknifed: Doc, test: Doc) -> Doc:
        return parsed(fit_stages(waits, LEARNER, train, jackknifed, FEATURES["no history"]), depth, test)

    return run


PARSERS = {
    "Yamada & Matsumoto 2003": ("steps back, no WaitLeft, no look-ahead", step_back("none", 1)),
    "Nivre & Scholz 2004": ("arc-eager", arc_eager),
    "McDonald, Crammer & Pereira 2005": ("graph, first order, MIRA", first_order),
    "chang2007": ("steps back, WaitLeft, depth 4", step_back("left", 4)),
}


def report(name: str, train: Doc, dev: Doc) -> list[str]:
    jackknifed, predicted = tagged(train, dev, FOLDS)
    found: dict[str, Scores] = {}
    for who, (what, run) in PARSERS.items():
        print(f"{name}: {what}", file=sys.stderr)
        found[who] = evaluate_pipeline(dev, run(train, jackknifed, predicted))
    rows = header("treebank", "kind of parser", "as", *METRICS.values(), "change of dependencies", "the cited figures")
    for who, scores in found.items():
        cited = ", ".join("n/a" if one is None else f"{one:.1f}" for one in PAPER[who])
        gap = "" if who == "chang2007" else change(found["chang2007"], scores, "Dependency")
        rows.append(line(name, PARSERS[who][0], who, *(cell(scores, metric) for metric in METRICS), gap, cited))
    return rows


def main() -> None:
    chosen = options(__doc__, ("en_ptb_sample",))
    lines = [
        "# Table 6: kinds of parsers",
        "",
        f"Written by {command()}: development sets, the paper's scores and punctuation, tags",
        f"predicted (jackknifed {FOLDS} ways in training). The two step-back parsers have the SNoW-like perceptron and the paper's",
        "features but for the last moves; arc-eager has the linear rows of this package, the graph parser he2013's templates",
        "and MIRA. 95 % intervals by bootstrap over sentences; the change is against the last row of the treebank, paired.",
        "The cited figures are of section 23 of the Penn Treebank, with ten times the training data.",
        "",
    ]
    for name in chosen.treebanks:
        lines += [*report(name, *treebank(chosen.data, name, chosen.sentences)), ""]
        write_report(Path(__file__).parent / "table6.md", lines[:-1])


if __name__ == "__main__":
    main()
