"""Words a second of labelers, linear rows and low-rank factors in turns: speed.md beside this file.

    python -m experiments.shen2016.speed [--data PATH] [--rounds 3] [--second] [treebank ...]

Needs `ud/<treebank>/train.conllu` and `dev.conllu` under the data directory. Settings and limits were chosen on training
data and on the first half of the development set; all figures are of second halves. With `--second` the second order, too.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from experiments.common import arguments, command, pos_of, treebank, write_report
from experiments.tables import header, line
from experiments.timing import in_turns
from laconic.corpus import Doc
from laconic.label import Labeler, LabelerConfig, TensorLabeler, TensorLabelerConfig, TensorSettings
from laconic.label.stages import LEAST, STAGES, StageStop
from laconic.learn import TrainingData
from laconic.progress import finished

HERE = Path(__file__).resolve().parent
TOLERANCES = (0.0, 0.001, 0.01)
FOLDS = 2


@dataclass(frozen=True)
class TimedLabeler:
    """One labeler, trained once, at several tolerances."""

    title: str
    labeler: Labeler | TensorLabeler

    def run(self, doc: Doc, tolerance: float) -> object:
        self.labeler.effort(tolerance)
        return self.labeler.predict(doc)

    def right(self, doc: Doc, tolerance: float) -> float:
        self.labeler.effort(tolerance)
        labels, _ = self.labeler.predict(doc)
        return float(np.mean(np.array(self.labeler.labels)[labels] == np.array(doc.strings("deprel"))))

    def work(self, doc: Doc, tolerance: float) -> tuple[float, float, str]:
        """Per word: templates, cache lines of weights, and scores of labels with pairs of labels."""
        self.labeler.effort(tolerance)
        _, work = self.labeler.predict(doc)
        scores = ""
        if isinstance(self.labeler, TensorLabeler):
            single, pairs = self.labeler.classifier.scores(doc, self.labeler.stop)
            scores = f"{single / len(doc):.2f} + {pairs / len(doc):.2f}"
        return work.templates / len(doc), work.rows / len(doc), scores


def trained(train: Doc, second_order: bool) -> Iterator[TimedLabeler]:
    pos, data = pos_of(train), TrainingData(train)
    yield TimedLabeler("linear rows", finished(Labeler.fit(LabelerConfig(pos=pos, folds=FOLDS), data)))  # type: ignore[arg-type]
    for title, second in (("factors, first order", 0), ("factors, second order", 32))[: 2 if second_order else 1]:
        config = TensorLabelerConfig(pos=pos, folds=FOLDS, settings=TensorSettings(second=second))  # type: ignore[arg-type]
        yield TimedLabeler(title, finished(TensorLabeler.fit(config, data)))


def rows(name: str, made: list[TimedLabeler], half: Doc, rounds: int) -> Iterator[str]:
    actions: dict[str, Callable[[], object]] = {
        f"{kind.title} {tolerance}": partial(kind.run, half, tolerance) for tolerance in TOLERANCES for kind in made
    }
    times = in_turns(actions, rounds)
    for tolerance in TOLERANCES:
        base = times[f"{made[0].title} {tolerance}"]
        for kind in made:
            own = times[f"{kind.title} {tolerance}"]
            each = [a / b for a, b in zip(base, own, strict=True)]
            templates, lines, scores = kind.work(half, tolerance)
            yield line(
                name,
                f"{tolerance:g}",
                kind.title,
                f"{100 * kind.right(half, tolerance):.2f}",
                f"{len(half) / statistics.median(own):,.0f}",
                f"{1e9 * statistics.median(own) / len(half):.0f}",
                f"{statistics.median(each):.2f} ({min(each):.2f} to {max(each):.2f})",
                f"{templates:.1f}",
                f"{lines:.1f}",
                scores,
            )


ENDS = {
    "types of words, tree, candidates and their priors": StageStop((LEAST, math.inf, math.inf)),
    "the same and kinds of arcs, wherever training has seen the kind": StageStop((math.inf, LEAST, math.inf)),
    "the same without kinds, vectors of words and their products": StageStop(),
}
"""Limits that end every decision after a stage."""


def shares(name: str, first: TensorLabeler, half: Doc) -> Iterator[str]:
    """Which stage decides how many arcs."""
    for tolerance in TOLERANCES:
        _, stages, *_ = first.classifier.decide(half, first.classifier.stop(tolerance))
        found = np.bincount(stages, minlength=len(STAGES)) / len(half)
        yield line(name, f"{tolerance:g}", *(f"{100 * share:.1f} %" for share in found[: STAGES.index("second order")]))


def steps(name: str, first: TensorLabeler, half: Doc, rounds: int) -> Iterator[str]:
    """What the stages of the first order take of all words, whatever they would decide."""
    times = in_turns({title: partial(first.classifier.decide, half, stop) for title, stop in ENDS.items()}, rounds)
    for title, seconds in times.items():
        each = [1e9 * one / len(half) for one in seconds]
        yield line(name, title, f"{statistics.median(each):.0f} ({min(each):.0f} to {max(each):.0f})")


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--second", action="store_true")
    parser.add_argument("treebanks", nargs="*", default=["en_ewt"])
    chosen = parser.parse_args()
    lines = [
        "# How fast trees get their labels",
        "",
        f"Written by {command()}: the second half of each development set, heads and tags of the treebank. Of one thread's",
        "CPU time, labelers and tolerances in turns; speeds as ratios to linear rows at the same tolerance, median and range",
        "of rounds. Cache lines are those of weights, and of sums of rows kept for a type of words; label scores are those",
        "of single arcs and those of pairs of labels.",
        "",
        *header(
            "treebank",
            "tolerance",
            "labeler",
            "right labels",
            "words/s",
            "ns a word",
            "times linear rows",
            "templates a word",
            "lines a word",
            "label scores a word",
        ),
    ]
    ends = ["", "First order, every decision ended after a stage:", "", *header("treebank", "computed", "ns a word")]
    stages = ["", "First order, arcs by the stage that decides them:", ""]
    stages += header("treebank", "tolerance", *STAGES[: STAGES.index("second order")])
    for name in chosen.treebanks:
        train, dev = treebank(chosen.data, name)
        made, half = list(trained(train, chosen.second)), dev.sentences[len(dev.sentences) // 2 :]
        lines += rows(name, made, half, chosen.rounds)
        first = made[1].labeler
        assert isinstance(first, TensorLabeler)
        ends += steps(name, first, half, chosen.rounds)
        stages += shares(name, first, half)
        write_report(HERE / "speed.md", [*lines, *stages, *ends])


if __name__ == "__main__":
    main()
