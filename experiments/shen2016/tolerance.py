"""Right labels against nanoseconds a word, for every tolerance of three labelers: tolerance.md and tolerance.png beside
this file.

    python -m experiments.shen2016.tolerance [--data PATH] [--sentences N] [--rounds 5]

Gold trees and tags of UD English EWT. Needs the extra `bench` and the treebank.
"""

from __future__ import annotations

import copy
import statistics
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from experiments.common import arguments, command, folder, treebank, write_report
from experiments.curves import Point, accuracy_against_speed, measure_curves
from experiments.shen2016.labelers import FIRST, LINEAR, RECIPES, SECOND, AnyLabeler, scored
from experiments.tables import cell, change, header, line, ratio
from experiments.timing import turn
from laconic.corpus import Doc
from laconic.learn import TrainingData

HERE = Path(__file__).resolve().parent
FOLDS = 3
"""That tolerances are calibrated on."""
SHOWN = (0.0, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05)


def points(labeler: AnyLabeler, gold: Doc) -> Iterator[Point]:
    for tolerance in SHOWN:
        own = copy.copy(labeler)
        own.effort(tolerance)
        work = own.predict(gold)[1]
        scores = scored(own, gold, gold)
        values = {"LAS": scores["LAS"].f1}
        cost = (work.templates / len(gold), work.rows / len(gold))
        yield Point(f"{tolerance:g}", scores, values, *cost, partial(own.predict, gold))


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--sentences", type=int, default=None, help="of the training set, from its front")
    parser.add_argument("--rounds", type=int, default=5)
    chosen = parser.parse_args()
    train, dev = treebank(chosen.data, "en_ewt", chosen.sentences)
    gold = dev.sentences[len(dev.sentences) // 2 :]
    labelers = {name: RECIPES[name](folds=FOLDS).fitted(TrainingData(train)) for name in (LINEAR, FIRST, SECOND)}
    found = {name: list(points(labeler, gold)) for name, labeler in labelers.items()}
    measure_curves(found, chosen.rounds, turn)
    lines = [
        "# Tolerance against right labels and speed",
        "",
        f"Written by {command()}: {len(train.sentences):,} training sentences of UD English EWT, second half of the development",
        f"set ({len(gold):,} words), trees and tags of the treebank, tolerances calibrated {FOLDS} ways. Labels compared whole,",
        "punctuation counted, 95 % intervals by (paired) bootstrap over sentences; losses are against the same labeler at",
        "tolerance 0. Templates and rows of weights are per word. Nanoseconds a word of one thread's CPU time: all settings",
        f"of all labelers in turn, median of {chosen.rounds} rounds; speeds as ratios to linear rows at the same tolerance, median",
        "and spread.",
        "",
        *header(
            "labeler",
            "tolerance",
            "right labels",
            "loss",
            "templates",
            "rows",
            "ns/word",
            "times linear rows",
        ),
    ]
    for name, own in found.items():
        for point, base in zip(own, found[LINEAR], strict=True):
            lines.append(
                line(
                    name,
                    point.name,
                    cell(point.scores, "LAS"),
                    "" if point is own[0] else change(own[0].scores, point.scores, "LAS"),
                    f"{point.templates:.1f}",
                    f"{point.rows:.1f}",
                    f"{1e9 * statistics.median(point.seconds) / len(gold):,.0f}",
                    ratio(base.seconds, point.seconds),
                )
            )
    lines += ["", "![right labels against speed](tolerance.png)"]
    write_report(HERE / "tolerance.md", lines)
    path = folder(HERE / "tolerance.md") / "tolerance.png"
    accuracy_against_speed(found, len(gold), path, "right labels, gold trees")


if __name__ == "__main__":
    main()
