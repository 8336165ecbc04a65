"""Labels on gold trees, with the tags of the treebank and with predicted ones: labeler.md beside this file.

    python -m experiments.parsers.labeler [--data PATH] [--folds 5] [treebank ...]

Needs `ud/<treebank>/train.conllu` and `dev.conllu` under the data directory.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np

from experiments.common import arguments, command, tagged, treebank, write_report
from experiments.tables import cell, header, line
from experiments.timing import cpu
from laconic.corpus import Doc
from laconic.evaluate import evaluate_conllx
from laconic.label import Labeler, LabelerConfig
from laconic.learn import TrainingData, expected_calibration_error
from laconic.progress import finished

HERE = Path(__file__).resolve().parent

TREEBANKS = ("en_ewt", "cs_mix", "de_mix", "sv_talbanken")
EFFORTS = (0.0, 0.001, 0.01)
ROUNDS = 5


def labelled(labeler: Labeler, doc: Doc) -> Doc:
    copy = doc.sentences[:]
    copy.set_codes("deprel", np.zeros(len(copy), np.int32), ["_"])
    labeler.apply(copy)
    return copy


def rows(name: str, tags: str, labeler: Labeler, gold: Doc, doc: Doc) -> Iterator[str]:
    """One row per effort; speeds are medians of rounds in turn."""
    times: dict[float, list[float]] = {effort: [] for effort in EFFORTS}
    for _ in range(ROUNDS):
        for effort in EFFORTS:
            labeler.effort(effort)
            times[effort].append(cpu(partial(labeler.predict, doc)))
    for effort in EFFORTS:
        labeler.effort(effort)
        _, work, sure = labeler.predict(doc, confidence=True)
        made = labelled(labeler, doc)
        right = np.array(made.strings("deprel")) == np.array(gold.strings("deprel"))
        yield line(
            name,
            tags,
            f"{effort:g}",
            cell(evaluate_conllx(gold, made, punctuation=True), "LAS"),
            f"{work.templates / work.decisions:.1f}",
            f"{work.rows / work.decisions:.1f}",
            f"{len(doc) / statistics.median(times[effort]):,.0f}",
            f"{100 * expected_calibration_error(sure, right):.2f}",
        )


def labeler_table(name: str, train: Doc, dev: Doc, folds: int) -> Iterator[str]:
    config = replace(LabelerConfig(), folds=folds)
    yield from rows(name, "gold", finished(Labeler.fit(config, TrainingData(train))), dev, dev)
    jackknifed, predicted = tagged(train, dev, folds)
    yield from rows(name, "predicted", finished(Labeler.fit(config, TrainingData(train, jackknifed))), dev, predicted)


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("treebanks", nargs="*", default=list(TREEBANKS))
    chosen = parser.parse_args()
    lines = [
        "# Labels on gold trees",
        "",
        f"Written by {command()}: the development set, heads given, labels compared whole,",
        "subtypes and punctuation included, with 95 % intervals by bootstrap over sentences. `predicted` tags come from",
        "`Morphology`; the labeler is then trained on jackknifed ones. Templates and cache lines are per word, tokens per",
        "second of one thread's CPU time, efforts in turn. ECE: expected calibration error of the confidence, in points.",
        "",
        *header("treebank", "tags", "tolerance", "right labels", "templates", "lines", "tokens/s", "ECE"),
    ]
    for name in chosen.treebanks:
        lines += labeler_table(name, *treebank(chosen.data, name), chosen.folds)
        write_report(HERE / "labeler.md", lines)


if __name__ == "__main__":
    main()
