"""Tables 2 (WaitLeft), 3 (look-ahead), 4 (sentence length) and 5 (sources of tags) of chang2007 on English:
tables2to5-<treebank>.md beside this file.

    python experiments/chang2007/tables2to5.py [--data PATH] [treebank ...]
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from stages import LEARNERS, METRICS, cell, change, fit, options, parsed, tagged, treebank, write

from laconic.corpus import Doc
from laconic.evaluate import Scores, evaluate_pipeline
from laconic.learn.jackknife import select
from laconic.transition import LookAhead

DEPTHS = (1, 2, 3, 4)
LENGTHS = ((1, 10), (11, 20), (21, 30), (31, 40), (41, 10**9))


def header(first: str, columns: list[str]) -> list[str]:
    return [f"| learner | {first} | " + " | ".join(columns) + " |", "| --- " * (len(columns) + 2) + "|"]


def by_length(gold: Doc, guess: Doc) -> Iterator[tuple[str, Scores]]:
    lengths = np.diff(gold.sentence_starts.astype(np.int64))
    for low, high in LENGTHS:
        inside = (lengths >= low) & (lengths <= high)
        if inside.any():
            label = f"{low} to {high}" if high < 10**9 else f"over {low - 1}"
            yield f"{label} ({inside.sum()})", evaluate_pipeline(select(gold, inside), select(guess, inside))


def report(name: str, train: Doc, dev: Doc) -> list[str]:
    jackknifed, predicted = tagged(train, dev)
    columns = list(METRICS.values())
    second, third, fourth, fifth = (
        header(first, columns) for first in ("moves", "depth", "length (sentences)", "tags in training and test")
    )
    second[0] += " change of dependencies |"
    third[0] += " change of dependencies | decisions per word |"
    fifth[0] += " change of dependencies |"
    second[1] += " --- |"
    third[1] += " --- | --- |"
    fifth[1] += " --- |"
    for learner in LEARNERS:
        print(f"{name}: {learner}", flush=True)

        def row(first: str, scores: Scores, *more: str, who: str = learner) -> str:
            return " | ".join((f"| {who} | {first}", *(cell(scores, metric) for metric in METRICS), *more)) + " |"

        plain = fit("step-back-plain", learner, train, jackknifed)
        waits = fit("step-back", learner, train, jackknifed)
        without = evaluate_pipeline(dev, parsed(plain, 1, predicted))
        scores = {}
        for depth in DEPTHS:
            guess = parsed(waits, depth, predicted)
            scores[depth] = evaluate_pipeline(dev, guess)
        second.append(row("without WaitLeft", without, ""))
        second.append(row("with WaitLeft", scores[1], change(without, scores[1], "Dependency")))
        for depth in DEPTHS:
            copy = predicted.sentences[:]
            work = waits.searching(LookAhead(depth)).apply(copy)
            gain = change(scores[1], scores[depth], "Dependency") if depth > 1 else ""
            third.append(row(str(depth), scores[depth], gain, f"{work.moves / len(dev):.2f}"))
        fourth += [row(label, some) for label, some in by_length(dev, parsed(waits, DEPTHS[-1], predicted))]
        on_gold = fit("step-back", learner, train)
        sources = {
            "gold, predicted": evaluate_pipeline(dev, parsed(on_gold, DEPTHS[-1], predicted)),
            "predicted, predicted": scores[DEPTHS[-1]],
            "gold, gold": evaluate_pipeline(dev, parsed(on_gold, DEPTHS[-1], dev)),
        }
        base = sources["gold, predicted"]
        fifth += [
            row(label, some, "" if some is base else change(base, some, "Dependency"))
            for label, some in sources.items()
        ]
    return [
        f"# WaitLeft, look-ahead, length and tags on {name}",
        "",
        "Written by `python experiments/chang2007/tables2to5.py`: the development set, the paper's scores and punctuation,",
        "predicted tags (jackknifed in training) unless table 5 says otherwise, step back, one round or more, 95 %",
        "intervals by bootstrap over sentences; changes are paired.",
        "",
        "## Table 2: WaitLeft (no look-ahead)",
        "",
        *second,
        "",
        "## Table 3: look-ahead (with WaitLeft)",
        "",
        *third,
        "",
        "## Table 4: sentence length (depth 4)",
        "",
        *fourth,
        "",
        "## Table 5: sources of tags (depth 4)",
        "",
        *fifth,
    ]


def main() -> None:
    chosen = options(__doc__, ("en_ptb_sample", "en_ewt"))
    for name in chosen.treebanks:
        write(Path(__file__).parent / f"tables2to5-{name}.md", report(name, *treebank(chosen.data, name)))


if __name__ == "__main__":
    main()
