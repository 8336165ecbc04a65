"""Lemmas of words that training did not show, on several treebanks, with the tags of the treebank.

    python -m benchmarks.lemmas [--data DIR] [--silver FILE]

Trains the lemmatiser alone on each training set, with default settings, and scores the second half of each development
set; settings were chosen on the first halves. A word is unknown if its form, as written, is not in the training set.
With `--silver`, English is trained again with the words of a text that a model has labelled, and scored on GUM, too.
Writes docs/lemmas.md.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from experiments.common import ROOT, arguments, treebank, write_report
from experiments.tables import header, line

from laconic.corpus import Doc, read
from laconic.learn import TrainingData
from laconic.progress import finished
from laconic.tag import Lemmatizer, LemmatizerConfig

TREEBANKS = ("en_ewt", "de_mix", "es_ancora_small", "tr_imst", "pt_bosque", "sl_ssj500k", "nl_lassysmall")


BEFORE = {
    "en_ewt": (98.34, 84.33),
    "en_gum": (98.44, 93.93),
    "de_mix": (96.51, 90.14),
    "es_ancora_small": (98.71, 93.73),
    "tr_imst": (94.70, 87.21),
    "pt_bosque": (97.24, 96.03),
    "sl_ssj500k": (98.12, 93.32),
    "nl_lassysmall": (98.59, 91.92),
}
"""The same figures of the version before."""


def figures(lemmatizer: Lemmatizer, gold: Doc, known: set[str]) -> list[str]:
    """Words, unknown words, and of both the share with the right lemma, in percent."""
    guess = gold.sentences[:]
    guess.set_codes("lemma", np.zeros(len(guess), np.int32), ["_"])
    lemmatizer.apply(guess)
    right = np.array(guess.strings("lemma")) == np.array(gold.strings("lemma"))
    unknown = np.array([form not in known for form in gold.strings("form")])
    return [
        f"{len(right):,}",
        f"{np.count_nonzero(unknown):,}",
        f"{100 * right.mean():.2f}",
        f"{100 * right[unknown].mean():.2f}",
    ]


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--silver", type=Path, metavar="FILE")
    chosen = parser.parse_args()
    lines = [
        "# Lemmas of unknown words",
        "",
        "Written by `python -m benchmarks.lemmas --silver FILE`: the share of right lemmas, in percent, on the second half",
        "of each development set (GUM: all of it), with the tags of the treebank. The last columns are the version before, in",
        "which a script was judged by tags and affixes alone, whatever it cuts and whatever word it makes.",
        "",
        *header("treebank", "words", "unknown", "all", "unknown words", "before: all", "before: unknown words"),
    ]
    for name in TREEBANKS:
        train, dev = treebank(chosen.data, name)
        known = set(train.strings("form"))
        sets = {name: dev.sentences[len(dev.sentences) // 2 :]}
        trainings = {"": TrainingData(train)}
        if name == "en_ewt" and chosen.silver is not None:
            sets["en_gum"] = treebank(chosen.data, "en_gum")[1]
            trainings[", with labelled text"] = TrainingData(train, labelled=read(chosen.silver))
        for text, data in trainings.items():
            lemmatizer = finished(Lemmatizer.fit(LemmatizerConfig(folds=0), data))
            lines += [
                line(f"{title}{text}", *figures(lemmatizer, gold, known), *(f"{one:.2f}" for one in BEFORE[title]))
                for title, gold in sets.items()
            ]
    write_report(ROOT / "docs" / "lemmas.md", lines)


if __name__ == "__main__":
    main()
