"""Tags, features and lemmas on many treebanks with the same code and settings: treebanks.md beside this file.

    python -m experiments.taggers.treebanks [--data PATH] [--folds 3] [treebank ...]

Needs `ud/<treebank>/train.conllu` and `dev.conllu` under the data directory.
"""

from __future__ import annotations

import contextlib
import statistics
import time
from dataclasses import replace
from pathlib import Path

import numpy as np

from experiments.common import arguments, blank, command, treebank, write_report
from experiments.tables import header, line
from experiments.timing import cpu
from laconic.corpus import Doc
from laconic.errors import ConfigError
from laconic.evaluate import evaluate
from laconic.learn import TrainingData, expected_calibration_error
from laconic.progress import finished
from laconic.tag import Lemmatizer, LemmatizerConfig, Morphology, MorphologyConfig

HERE = Path(__file__).resolve().parent

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


def row(name: str, train: Doc, dev: Doc, folds: int) -> str:
    config = MorphologyConfig()
    config = replace(config, tagger=replace(config.tagger, folds=folds), features=replace(config.features, folds=folds))
    start = time.process_time()
    data = TrainingData(train)
    morphology = finished(Morphology.fit(config, data))
    components: list[Morphology | Lemmatizer] = [morphology]
    with contextlib.suppress(ConfigError):  # no lemmas
        components.append(finished(Lemmatizer.fit(LemmatizerConfig(folds=folds), data)))
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
    scores = [f"{full} / {less}" if full else "-" for full, less in zip(*cells, strict=True)]
    more = (f"{error:.3f}", f"{seconds:.0f}", f"{speeds[0]:,.0f} / {speeds[1]:,.0f}", f"{size:.1f}")
    return line(name, f"{len(train):,}", labels, *scores, *more)


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--folds", type=int, default=3)
    parser.add_argument("treebanks", nargs="*", default=TREEBANKS)
    chosen = parser.parse_args()
    lines = [
        "# Tags, features and lemmas on many treebanks",
        "",
        f"Written by {command()}: same code, same settings (the defaults,",
        f"{chosen.folds} folds), gold tokens and sentences, everything else predicted, development sets, F1 of the",
        f"official scorer. Scores and tokens per CPU second (one thread, median of {ROUNDS} rounds, on a machine that did",
        f"other work as well) are given twice: with all templates, and at a tolerance of {BALANCED}. Labels: of the first",
        "decision (UPOS) and of the second (XPOS and FEATS, given it). ECE: expected calibration error of the",
        "confidence that all tags of a word are right. Seconds are CPU time of the whole training, calibration",
        "included. `-`: the treebank lacks the column.",
        "",
        *header("treebank", "words", "labels", *METRICS, "ECE", "seconds", "tokens/s", "MB"),
    ]
    for name in chosen.treebanks:
        lines.append(row(name, *treebank(chosen.data, name), chosen.folds))
        write_report(HERE / "treebanks.md", lines)


if __name__ == "__main__":
    main()
