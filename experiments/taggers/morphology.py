"""UPOS, XPOS and FEATS together or one after the other: morphology.md beside this file.

    python -m experiments.taggers.morphology [--data PATH] [--epochs 4] [treebank ...]

Needs `ud/<treebank>/train.conllu` and `dev.conllu` under the data directory.
"""

from __future__ import annotations

import statistics
import time
from dataclasses import dataclass, field
from pathlib import Path

from experiments.common import arguments, blank, command, treebank, write_report
from experiments.tables import header, line, ratio
from experiments.timing import cpu
from laconic.corpus import Doc
from laconic.evaluate import Score, evaluate
from laconic.features import load_set
from laconic.learn import Settings, TrainingData
from laconic.progress import finished
from laconic.tag import Tagger, TaggerConfig
from laconic.tag.words import EXITS

HERE = Path(__file__).resolve().parent

ORDERS = {
    "UPOS, then XPOS and FEATS": (("upos", ""), ("xpos+feats", "upos")),
    "UPOS, then XPOS, then FEATS": (("upos", ""), ("xpos", "upos"), ("feats", "xpos+upos")),
    "XPOS, then UPOS and FEATS": (("xpos", ""), ("upos+feats", "xpos")),
    "all three together": (("upos+xpos+feats", ""),),
}
METRICS = ("UPOS", "XPOS", "UFeats", "AllTags")
ROUNDS = 7


@dataclass
class TaggerRun:
    name: str
    taggers: list[Tagger]
    training: float
    score: Score
    templates: float
    seconds: list[float] = field(default_factory=list)


def train_in_order(name: str, train: Doc, dev: Doc, epochs: int) -> TaggerRun:
    """One order of decisions. Later decisions read what was decided before in place of UPOS."""
    settings = Settings(epochs=epochs, exits=EXITS)
    start = time.process_time()
    taggers = []
    for column, given in ORDERS[name]:
        first = given.split("+")[0].upper()
        templates = str(load_set("features")).replace("UPOS(", f"{first}(") if given else "tagger"
        config = TaggerConfig(column=column, given=given, templates=templates, settings=settings, folds=0)
        taggers.append(finished(Tagger.fit(config, TrainingData(train))))
    training = time.process_time() - start
    guess = blank(dev)
    templates_read = sum(tagger.apply(guess).templates for tagger in taggers)
    return TaggerRun(name, taggers, training, evaluate(dev, guess, single_root=False), templates_read / len(dev))


def compared(name: str, train: Doc, dev: Doc, epochs: int) -> list[str]:
    runs = [train_in_order(order, train, dev, epochs) for order in ORDERS]
    for _ in range(ROUNDS):
        for run in runs:
            guess = blank(dev)
            run.seconds.append(cpu(lambda: [tagger.apply(guess) for tagger in run.taggers]))  # noqa: B023
    lines = [f"## {name}", ""]
    lines += header("order", "labels", *METRICS, "templates", "tokens/s", "speed", "training, CPU s", "MB")
    for run in runs:
        size = sum(array.nbytes for tagger in run.taggers for array in tagger.state()[0].values()) / 1e6
        lines.append(
            line(
                run.name,
                " + ".join(str(len(tagger.labels)) for tagger in run.taggers),
                *(f"{run.score[metric].f1:.2f}" for metric in METRICS),
                f"{run.templates:.1f}",
                f"{len(dev) / statistics.median(run.seconds):,.0f}",
                ratio(runs[-1].seconds, run.seconds),
                f"{run.training:.0f}",
                f"{size:.1f}",
            )
        )
    return [*lines, ""]


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("treebanks", nargs="*", default=("en_ewt", "sl_ssj500k"))
    chosen = parser.parse_args()
    lines = [
        "# UPOS, XPOS and FEATS: together or one after the other",
        "",
        f"Written by {command()}: development sets, gold tokens, every later",
        f"decision on predicted earlier ones, all templates, {chosen.epochs} epochs, F1 of the official scorer.",
        f"Speed: against all three together, median of {ROUNDS} alternating rounds of CPU time and their spread.",
        "A later decision is given what was decided before: with the form it narrows the candidates, mostly to one.",
        "",
    ]
    for name in chosen.treebanks:
        lines += compared(name, *treebank(chosen.data, name), chosen.epochs)
        write_report(HERE / "morphology.md", lines[:-1])


if __name__ == "__main__":
    main()
