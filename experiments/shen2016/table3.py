"""Labels of gold trees by low-rank factors and by linear rows (table 3 of shen2016): table3.md beside this file.

    python -m experiments.shen2016.table3 [--data PATH] [--seeds 1] [--rounds 5] [treebank ...]

Needs `ud/<treebank>/train.conllu` and `dev.conllu` under the data directory. Settings were chosen on the first half of the
development set of English, though the second was seen as well; all figures are of second halves.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np

from experiments.common import arguments, command, pos_of, treebank, write_report
from experiments.tables import cell, change, header, line, together
from experiments.timing import in_turns
from laconic.corpus import Doc
from laconic.evaluate import Scores, evaluate_conllx
from laconic.label import Labeler, LabelerConfig, TensorLabeler, TensorLabelerConfig, TensorSettings
from laconic.learn import TrainingData
from laconic.progress import finished

HERE = Path(__file__).resolve().parent
TREEBANKS = (
    "en_ewt",
    "es_ancora_small",
    "ca_ancora_small",
    "cs_mix",
    "de_mix",
    "zh_gsd",
    "ja_gsd",
    "sv_talbanken",
    "pt_bosque",
)
AnyLabeler = Labeler | TensorLabeler


def kinds(pos: str) -> dict[str, Callable[[int], tuple[type[AnyLabeler], LabelerConfig | TensorLabelerConfig]]]:
    """Labelers by name, for a seed."""

    def linear(seed: int) -> tuple[type[AnyLabeler], LabelerConfig]:
        config = LabelerConfig(pos=pos, folds=0)  # type: ignore[arg-type]
        return Labeler, replace(config, settings=replace(config.settings, seed=seed))

    def factors(second: int, seed: int) -> tuple[type[AnyLabeler], TensorLabelerConfig]:
        settings = TensorSettings(second=second, seed=seed)
        return TensorLabeler, TensorLabelerConfig(pos=pos, folds=0, settings=settings)  # type: ignore[arg-type]

    def paper(seed: int) -> tuple[type[AnyLabeler], TensorLabelerConfig]:
        settings = TensorSettings(first=50, second=30, loss="hinge", prior=False, epochs=10, seed=seed)
        return TensorLabeler, TensorLabelerConfig(pos=pos, folds=0, settings=settings)  # type: ignore[arg-type]

    return {
        "linear rows": linear,
        "factors, first order": partial(factors, 0),
        "factors, second order": partial(factors, 32),
        "the paper's loss and ranks": paper,
    }


def scored(labeler: AnyLabeler, doc: Doc) -> Scores:
    copy = doc.sentences[:]
    copy.set_codes("deprel", np.zeros(len(copy), np.int32), ["_"])
    labeler.apply(copy)
    return evaluate_conllx(doc, copy, punctuation=True)


def rows(name: str, train: Doc, dev: Doc, seeds: Sequence[int], rounds: int) -> Iterator[str]:
    half = dev.sentences[len(dev.sentences) // 2 :]
    made = {
        title: [finished(kind.fit(config, TrainingData(train))) for kind, config in map(labelers, seeds)]  # type: ignore[arg-type]
        for title, labelers in kinds(pos_of(train)).items()
    }
    scores = {title: together([scored(one, half) for one in some]) for title, some in made.items()}
    times = in_turns({title: partial(some[0].predict, half) for title, some in made.items()}, rounds)
    base = next(iter(made))
    for title in made:
        each = [a / b for a, b in zip(times[base], times[title], strict=True)]
        seconds = statistics.median(times[title])
        yield line(
            name,
            title,
            cell(scores[title], "LAS"),
            "" if title == base else change(scores[base], scores[title], "LAS"),
            f"{len(half) / seconds:,.0f}",
            f"{len(half.sentences) / seconds:,.0f}",
            f"{statistics.median(each):.2f} ({min(each):.2f} to {max(each):.2f})",
        )


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("treebanks", nargs="*", default=list(TREEBANKS))
    chosen = parser.parse_args()
    lines = [
        "# Labels of gold trees",
        "",
        f"Written by {command()}: the second half of each development set, heads and tags of the treebank, labels compared",
        "whole, punctuation counted, with 95 % intervals by bootstrap over sentences; changes are against linear rows, by",
        "paired bootstrap. Words and sentences per second of one thread's CPU time at full effort, labelers in turn;",
        "speeds as ratios to linear rows, median and range of rounds.",
        "",
        *header("treebank", "labeler", "right labels", "change", "words/s", "sentences/s", "times linear rows"),
    ]
    for name in chosen.treebanks:
        lines += rows(name, *treebank(chosen.data, name), range(1, chosen.seeds + 1), chosen.rounds)
        write_report(HERE / "table3.md", lines)


if __name__ == "__main__":
    main()
