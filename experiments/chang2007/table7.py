"""Table 7 of chang2007: heads and labels in the paper's twelve languages, scored as in CoNLL-X: table7.md.

python -m experiments.chang2007.table7 [--data PATH] [--sentences N] [treebank ...]
"""

from __future__ import annotations

import statistics
from dataclasses import replace
from pathlib import Path

import numpy as np

from experiments.chang2007.stages import LEARNERS, fit_stages, options, parsed
from experiments.common import command, treebank, write_report
from experiments.tables import cell, change
from laconic.corpus import Doc
from laconic.evaluate import Scores, evaluate_conllx
from laconic.label import Labeler, LabelerConfig
from laconic.learn import TrainingData
from laconic.progress import finished

LANGUAGES = {
    "ar_padt_small": ("Arabic", 76.09, 60.92),
    "zh_gsd": ("Chinese", 89.60, 85.05),
    "cs_mix": ("Czech", 81.78, 72.88),
    "da_cdt": ("Danish", 86.85, 80.60),
    "nl_lassysmall": ("Dutch", 76.25, 72.91),
    "de_mix": ("German", 86.90, 84.17),
    "ja_gsd": ("Japanese", 90.77, 89.07),
    "pt_bosque": ("Portuguese", 88.60, 83.99),
    "sl_ssj500k": ("Slovene", 80.32, 69.52),
    "es_ancora_small": ("Spanish", 83.09, 79.72),
    "sv_talbanken": ("Swedish", 89.05, 82.31),
    "tr_imst": ("Turkish", 73.15, 60.51),
}
DEPTH = 3


def labeled_scores(labeler: Labeler, gold: Doc, doc: Doc) -> Scores:
    doc.set_codes("deprel", np.zeros(len(doc), np.int32), ["_"])
    labeler.apply(doc)
    return evaluate_conllx(gold, doc)


def main() -> None:
    chosen = options(__doc__, list(LANGUAGES))
    lines = [
        "# Twelve languages",
        "",
        f"Written by {command()}: the languages of CoNLL-X in the treebanks at hand (other",
        "texts, other labels and other sizes than the paper's, whose figures stand beside only to show the range),",
        f"{f'the first {chosen.sentences:,}' if chosen.sentences else 'all'} training sentences, development sets, given tags, scored as in CoNLL-X.",
        f"Step back with WaitLeft, the SNoW-like perceptron, depth {DEPTH}, trees lifted before training, labels by the",
        "second stage; the same settings for all. 95 % intervals by bootstrap over sentences; the change is what looking ahead brings.",
        "",
        "| treebank | language | UAS | LAS | change of UAS | paper UAS | paper LAS |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    means: list[tuple[float, float]] = []
    for name in chosen.treebanks:
        train, dev = treebank(chosen.data, name, chosen.sentences)
        parser = fit_stages("left", next(iter(LEARNERS)), train)
        labeler = finished(Labeler.fit(replace(LabelerConfig(), folds=0), TrainingData(train)))
        greedy, ahead = (labeled_scores(labeler, dev, parsed(parser, depth, dev)) for depth in (1, DEPTH))
        language, uas, las = LANGUAGES.get(name, ("", 0.0, 0.0))
        means.append((ahead["UAS"].f1, ahead["LAS"].f1))
        line = (
            f"| {name} | {language} | {cell(ahead, 'UAS')} | {cell(ahead, 'LAS')} | {change(greedy, ahead, 'UAS')} "
            f"| {uas:.2f} | {las:.2f} |"
        )
        print(line, flush=True)
        lines.append(line)
        averages = " | ".join(f"{statistics.mean(column):.2f}" for column in zip(*means, strict=True))
        write_report(Path(__file__).parent / "table7.md", [*lines, f"| mean of {len(means)} | | {averages} | | | |"])


if __name__ == "__main__":
    main()
