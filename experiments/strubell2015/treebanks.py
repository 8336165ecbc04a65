"""Tags, features and lemmas on many treebanks with the same code and settings: treebanks.md beside this file.

    python experiments/strubell2015/treebanks.py [--data PATH] [--folds 3] [treebank ...]

Needs `ud/<treebank>/train.conllu` and `dev.conllu` under the data directory.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np

from laconic.corpus import Doc, read
from laconic.errors import ConfigError
from laconic.evaluate import evaluate
from laconic.learn import expected_calibration_error
from laconic.progress import finished
from laconic.tag import Lemmatizer, LemmatizerConfig, Morphology, MorphologyConfig

TREEBANKS = (
    "en_ewt",
    "en_gum",
    "sv_talbanken",
    "pt_bosque",
    "ja_gsd",
    "nl_lassysmall",
    "sl_ssj500k",
    "tr_imst",
    "eu_bdt",
    "cs_mix",
    "de_mix",
    "es_ancora_small",
    "ar_padt_small",
    "bg_btb_small",
)
METRICS = {"UPOS": "upos", "XPOS": "xpos", "UFeats": "feats", "AllTags": "", "Lemmas": "lemma"}
BALANCED = 0.001
ROUNDS = 5


def cpu(action: Callable[[], object]) -> float:
    start = time.process_time()
    action()
    return time.process_time() - start


def blank(doc: Doc) -> Doc:
    """The words alone, so that nothing can be copied from the answer."""
    copy = doc.sentences[:]
    for column in ("upos", "xpos", "feats", "lemma"):
        copy.set_codes(column, np.zeros(len(copy), np.int32), ["_"])
    return copy


def part(place: Path, name: str) -> Path:
    """The file of a treebank: `.conll` where it has no comments of Universal Dependencies."""
    return next((path for path in (place / f"{name}.conllu", place / f"{name}.conll") if path.is_file()), place / name)


def row(place: Path, folds: int) -> str:
    train, dev = (read(part(place, name), "conllu") for name in ("train", "dev"))
    config = MorphologyConfig()
    config = replace(config, tagger=replace(config.tagger, folds=folds), features=replace(config.features, folds=folds))
    start = time.process_time()
    morphology, tagged = finished(Morphology.fit_and_jackknife(config, train))
    components: list[Morphology | Lemmatizer] = [morphology]
    with contextlib.suppress(ConfigError):  # no lemmas
        components.append(finished(Lemmatizer.fit(LemmatizerConfig(folds=folds), train, tagged)))
    seconds = time.process_time() - start
    predicted = set(morphology.columns) | ({"lemma"} if len(components) > 1 else set())
    cells, speeds = [], []
    for tolerance in (0.0, BALANCED):
        for component in components:
            component.effort(tolerance)
        times = []
        for _ in range(ROUNDS):
            guess = blank(dev)
            times.append(cpu(lambda guess=guess: [component.apply(guess) for component in components]))  # type: ignore[misc]
        speeds.append(len(dev) / statistics.median(times))
        score = evaluate(dev, guess, single_root=False)
        cells.append(
            [f"{score[name].f1:.2f}" if not column or column in predicted else "" for name, column in METRICS.items()]
        )
    morphology.effort(0.0)
    sure = morphology.confident(guess)
    right = np.ones(len(dev), bool)
    for column in morphology.columns:
        right &= np.array(guess.strings(column)) == np.array(dev.strings(column))
    error = expected_calibration_error(sure, right)
    size = sum(array.nbytes for component in components for array in component.state()[0].values()) / 1e6
    labels = " + ".join(str(len(stage.labels)) for stage in morphology.stages)
    return (
        f"| {place.name} | {len(train):,} | {labels} | "
        + " | ".join(f"{full} / {less}" if full else "-" for full, less in zip(*cells, strict=True))
        + f" | {error:.3f} | {seconds:.0f} | {speeds[0]:,.0f} / {speeds[1]:,.0f} | {size:.1f} |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    beside = Path(__file__).resolve().parents[3] / "shared" / "data"
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("LACONIC_DATA", beside)))
    parser.add_argument("--folds", type=int, default=3)
    parser.add_argument("--out", type=Path, default=Path(__file__).with_suffix(".md"))
    parser.add_argument("treebanks", nargs="*", default=TREEBANKS)
    arguments = parser.parse_args()
    places = [arguments.data / "ud" / name for name in arguments.treebanks]
    missing = [str(place) for place in places if not part(place, "train").is_file()]
    if missing:
        sys.exit(f"needs train.conllu and dev.conllu in {', '.join(missing)}")
    lines = [
        "# Tags, features and lemmas on many treebanks",
        "",
        "Written by `python experiments/strubell2015/treebanks.py`: same code, same settings (the defaults,",
        f"{arguments.folds} folds), gold tokens and sentences, everything else predicted, development sets, F1 of the",
        "official scorer. Scores and tokens per CPU second (one thread, median of "
        f"{ROUNDS} rounds, on a machine that did other",
        f"work as well) are given twice: with all templates, and at a tolerance of {BALANCED}. Labels: of the first",
        "decision (UPOS) and of the second (XPOS and FEATS, given it). ECE: expected calibration error of the",
        "confidence that all tags of a word are right. Seconds are CPU time of the whole training, calibration",
        "included. `-`: the treebank lacks the column.",
        "",
        "| treebank | words | labels | UPOS | XPOS | UFeats | AllTags | Lemmas | ECE | seconds | tokens/s | MB |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for place in places:
        lines.append(row(place, arguments.folds))
        print(lines[-1], flush=True)
        arguments.out.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
