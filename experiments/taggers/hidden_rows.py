"""Do hidden rows tag better than linear ones? Parts of speech with gold tags to the left, UD English EWT.

    python -m experiments.taggers.hidden_rows [--data DIR] [--epochs 8]

Trains linear rows (a loss at the end only) and hidden rows of several widths and rates of dropout on the same examples:
the decisions of the shipped tagger, with its templates and candidates. Scores are on the words of the development set,
each with the true tags to its left, so that no decision depends on another. Hidden rows are judged before freezing, by
the mean of scores under dropout, which flatters them a little. Writes hidden_rows.md beside itself.
"""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import numpy as np

from experiments.common import arguments, command, treebank, write_report
from laconic._core.learn import Examples
from laconic.corpus import Doc
from laconic.learn import HiddenSettings, Settings, TrainingData, train_hidden, train_linear
from laconic.progress import finished
from laconic.tag import Tagger, TaggerConfig

HERE = Path(__file__).resolve().parent

LINEAR = Settings(mode="full", l2=5.1e-5, rate=0.05, margin=0.54)
SAMPLES = 16
"""Of dropout, over which scores are averaged."""
VARIANTS = (
    HiddenSettings(units=64, rate=0.001, row_dropout=0.1, unit_dropout=0.1),
    HiddenSettings(units=64, rate=0.001, row_dropout=0.3, unit_dropout=0.1),
    HiddenSettings(units=64, rate=0.0005, row_dropout=0.3, unit_dropout=0.3),
)


def collected(tagger: Tagger, doc: Doc, gold: np.ndarray, like: Examples | None) -> Examples:
    """One example per word with a choice; with the features of other examples, or with those seen twice."""
    examples = Examples(len(tagger.plan), tagger.frozen.sets)
    tagger.words.collect(examples, doc, gold)
    if like is None:
        examples.finish(2)
    else:
        examples.finish_like(like)
    return examples


def candidates(tagger: Tagger, doc: Doc) -> list[np.ndarray]:
    """What each word may be, by the dictionary."""
    sets = tagger.frozen.sets
    begins, members = sets.begins(), sets.members()
    known = dict(zip(tagger.lexicon.forms, tagger.lexicon.arrays()["payloads"][:, 0].tolist(), strict=True))
    numbers = [known.get(form, tagger.words.candidates.open) for form in doc.strings("form")]
    return [members[begins[number] : begins[number + 1]] for number in numbers]


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--epochs", type=int, default=8)
    chosen = parser.parse_args()
    learned, dev = treebank(chosen.data, "en_ewt")
    tagger = finished(Tagger.fit(TaggerConfig(settings=LINEAR, folds=0), TrainingData(learned)))
    number = {name: label for label, name in enumerate(tagger.labels)}
    gold, truth = (np.array([number[tag] for tag in doc.strings("upos")], np.uint16) for doc in (learned, dev))
    examples = collected(tagger, learned, gold, None)
    judged = collected(tagger, dev, truth, examples)
    likely = candidates(tagger, dev)
    covered = np.array([label in some for label, some in zip(truth, likely, strict=True)])
    # The order of the examples: words with a choice, and those whose tag the dictionary does not have.
    asked = np.flatnonzero(~covered | np.array([len(some) > 1 for some in likely]))
    sure = len(dev) - len(asked)

    def percent(labels: np.ndarray) -> float:
        return 100 * (int(np.sum((labels == truth[asked]) & covered[asked])) + sure) / len(dev)

    rows = []
    start = time.process_time()
    learner = finished(train_linear(examples, len(tagger.plan), LINEAR))
    found = learner.predict(judged, np.arange(len(judged), dtype=np.uint32))
    rows.append(f"| linear | | | | {percent(found):.2f} | {time.process_time() - start:.0f} |")
    print(rows[-1], flush=True)
    for variant in VARIANTS:
        settings = replace(variant, epochs=chosen.epochs)
        start = time.process_time()
        network = finished(train_hidden(examples, tagger.plan, settings))
        seconds = time.process_time() - start
        scores = sum(network.scores(judged)[:, -1] for _ in range(SAMPLES))
        best = np.array([likely[word][np.argmax(scores[i][likely[word]])] for i, word in enumerate(asked.tolist())])
        rows.append(
            f"| hidden, {settings.units} units | {settings.rate:g} | {settings.row_dropout:g} | {settings.unit_dropout:g} "
            f"| {percent(best):.2f} | {seconds:.0f} |"
        )
        print(rows[-1], flush=True)
    text = [
        "# Hidden rows for the tagger",
        "",
        f"Written by {command()}: UPOS on the development",
        "set of UD English EWT, all words, true tags to the left, the shipped templates and candidates, before freezing.",
        "",
        "| rows | rate | row dropout | unit dropout | UPOS | training, CPU s |",
        "| --- | --- | --- | --- | --- | --- |",
        *rows,
        "",
        "Word vectors start from chance here. With this treebank and these templates hidden rows would have to gain",
        "0.3 points to be worth their wider rows.",
    ]
    write_report(HERE / "hidden_rows.md", text)


if __name__ == "__main__":
    main()
