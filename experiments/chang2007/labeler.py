"""Labels on gold trees, with the tags of the treebank and with predicted ones: labeler.md beside this file.

    python experiments/chang2007/labeler.py [--data PATH] [--folds 5] [treebank ...]

Needs `ud/<treebank>/train.conllu` and `dev.conllu` under the data directory.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from laconic.corpus import Doc, read
from laconic.evaluate import evaluate_conllx, intervals
from laconic.label import Labeler, LabelerConfig
from laconic.learn import expected_calibration_error
from laconic.progress import finished
from laconic.tag import Morphology, MorphologyConfig

TREEBANKS = ("en_ewt", "cs_mix", "de_mix", "sv_talbanken")
EFFORTS = (0.0, 0.001, 0.01)
ROUNDS = 5


def part(place: Path, name: str) -> Path:
    return next((path for path in (place / f"{name}.conllu", place / f"{name}.conll") if path.is_file()), place / name)


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
            start = time.process_time()
            labeler.predict(doc)
            times[effort].append(time.process_time() - start)
    for effort in EFFORTS:
        labeler.effort(effort)
        _, work, sure = labeler.predict(doc, confidence=True)
        made = labelled(labeler, doc)
        interval = intervals(evaluate_conllx(gold, made, punctuation=True))["LAS"]
        right = np.array(made.strings("deprel")) == np.array(gold.strings("deprel"))
        error = 100 * expected_calibration_error(sure, right)
        yield (
            f"| {name} | {tags} | {effort:g} | {interval.value:.2f} ({interval.low:.2f} to {interval.high:.2f}) "
            f"| {work.templates / work.decisions:.1f} | {work.rows / work.decisions:.1f} "
            f"| {len(doc) / statistics.median(times[effort]):,.0f} | {error:.2f} |"
        )


def table(place: Path, folds: int) -> Iterator[str]:
    train, dev = (read(part(place, name), "conllu") for name in ("train", "dev"))
    config = replace(LabelerConfig(), folds=folds)
    yield from rows(place.name, "gold", finished(Labeler.fit(config, train)), dev, dev)
    tagging = MorphologyConfig()
    tagging = replace(
        tagging, tagger=replace(tagging.tagger, folds=folds), features=replace(tagging.features, folds=folds)
    )
    morphology, jackknifed = finished(Morphology.fit_and_jackknife(tagging, train))
    tagged = dev.sentences[:]
    morphology.apply(tagged)
    yield from rows(place.name, "predicted", finished(Labeler.fit(config, train, jackknifed)), dev, tagged)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("LACONIC_DATA", "../shared/data")))
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("treebanks", nargs="*", default=list(TREEBANKS))
    options = parser.parse_args()
    if not (options.data / "ud").is_dir():
        sys.exit(f"no treebanks in {options.data}: this needs ud/<treebank>/train.conllu and dev.conllu there")
    lines = [
        "# Labels on gold trees",
        "",
        "Written by `python experiments/chang2007/labeler.py`: the development set, heads given, labels compared whole,",
        "subtypes and punctuation included, with 95 % intervals by bootstrap over sentences. `predicted` tags come from",
        "`Morphology`; the labeler is then trained on jackknifed ones. Templates and cache lines are per word, tokens per",
        "second of one thread's CPU time, efforts in turn. ECE: expected calibration error of the confidence, in points.",
        "",
        "| treebank | tags | tolerance | right labels | templates | lines | tokens/s | ECE |",
        "| --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for name in options.treebanks:
        for line in table(options.data / "ud" / name, options.folds):
            print(line, flush=True)
            lines.append(line)
    (Path(__file__).parent / "labeler.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
