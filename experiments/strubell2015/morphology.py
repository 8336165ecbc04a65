"""UPOS, XPOS and FEATS together or one after the other: morphology.md beside this file.

    python experiments/strubell2015/morphology.py [--data PATH] [--epochs 4] [treebank ...]

Needs `ud/<treebank>/train.conllu` and `dev.conllu` under the data directory.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from laconic.corpus import Doc, read
from laconic.evaluate import Score, evaluate
from laconic.features import load_set
from laconic.learn import Settings
from laconic.progress import finished
from laconic.tag import Tagger, TaggerConfig
from laconic.tag.words import EXITS

ORDERS = {
    "UPOS, then XPOS and FEATS": (("upos", ""), ("xpos+feats", "upos")),
    "UPOS, then XPOS, then FEATS": (("upos", ""), ("xpos", "upos"), ("feats", "xpos+upos")),
    "XPOS, then UPOS and FEATS": (("xpos", ""), ("upos+feats", "xpos")),
    "all three together": (("upos+xpos+feats", ""),),
}
METRICS = ("UPOS", "XPOS", "UFeats", "AllTags")
ROUNDS = 7


@dataclass
class Run:
    name: str
    taggers: list[Tagger]
    training: float
    score: Score
    templates: float
    seconds: list[float] = field(default_factory=list)


def blank(doc: Doc) -> Doc:
    copy = doc.sentences[:]
    for column in ("upos", "xpos", "feats"):
        copy.set_codes(column, np.zeros(len(copy), np.int32), ["_"])
    return copy


def trained(name: str, train: Doc, dev: Doc, epochs: int) -> Run:
    """One order of decisions. Later decisions read what was decided before in place of UPOS."""
    settings = Settings(epochs=epochs, exits=EXITS)
    start = time.process_time()
    taggers = []
    for column, given in ORDERS[name]:
        first = given.split("+")[0].upper()
        templates = str(load_set("features")).replace("UPOS(", f"{first}(") if given else "tagger"
        config = TaggerConfig(column=column, given=given, templates=templates, settings=settings, folds=0)
        taggers.append(finished(Tagger.fit(config, train)))
    training = time.process_time() - start
    guess = blank(dev)
    templates_read = sum(tagger.apply(guess).templates for tagger in taggers)
    return Run(name, taggers, training, evaluate(dev, guess, single_root=False), templates_read / len(dev))


def compared(place: Path, epochs: int) -> list[str]:
    train, dev = read(place / "train.conllu"), read(place / "dev.conllu")
    runs = [trained(name, train, dev, epochs) for name in ORDERS]
    for _ in range(ROUNDS):
        for run in runs:
            guess = blank(dev)
            start = time.process_time()
            for tagger in run.taggers:
                tagger.apply(guess)
            run.seconds.append(time.process_time() - start)
    lines = [
        f"## {place.name}",
        "",
        "| order | labels | UPOS | XPOS | UFeats | AllTags | templates | tokens/s | speed | training, CPU s | MB |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    base = runs[-1].seconds
    for run in runs:
        ratios = sorted(a / b for a, b in zip(base, run.seconds, strict=True))
        size = sum(array.nbytes for tagger in run.taggers for array in tagger.state()[0].values()) / 1e6
        lines.append(
            f"| {run.name} | {' + '.join(str(len(tagger.labels)) for tagger in run.taggers)} | "
            + " | ".join(f"{run.score[metric].f1:.2f}" for metric in METRICS)
            + f" | {run.templates:.1f} | {len(dev) / statistics.median(run.seconds):,.0f} "
            f"| {statistics.median(ratios):.1f} ({ratios[0]:.1f} to {ratios[-1]:.1f}) "
            f"| {run.training:.0f} | {size:.1f} |"
        )
    return [*lines, ""]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    beside = Path(__file__).resolve().parents[3] / "shared" / "data"
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("LACONIC_DATA", beside)))
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--out", type=Path, default=Path(__file__).with_suffix(".md"))
    parser.add_argument("treebanks", nargs="*", default=("en_ewt", "sl_ssj500k"))
    arguments = parser.parse_args()
    places = [arguments.data / "ud" / name for name in arguments.treebanks]
    missing = [str(place) for place in places if not (place / "train.conllu").is_file()]
    if missing:
        sys.exit(f"needs train.conllu and dev.conllu in {', '.join(missing)}")
    lines = [
        "# UPOS, XPOS and FEATS: together or one after the other",
        "",
        "Written by `python experiments/strubell2015/morphology.py`: development sets, gold tokens, every later",
        f"decision on predicted earlier ones, all templates, {arguments.epochs} epochs, F1 of the official scorer.",
        f"Speed: against all three together, median of {ROUNDS} alternating rounds of CPU time and their spread.",
        "A later decision is given what was decided before: with the form it narrows the candidates, mostly to one.",
        "",
    ]
    for place in places:
        lines += compared(place, arguments.epochs)
        arguments.out.write_text("\n".join(lines), encoding="utf-8")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
