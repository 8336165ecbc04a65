"""Tables 2 (WaitLeft), 3 (look-ahead), 4 (sentence length) and 5 (sources of tags) of chang2007 on English:
tables2to5-<treebank>.md beside this file.

    python experiments/chang2007/tables2to5.py [--data PATH] [--sentences N] [treebank ...]
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from stages import FOLDS, LEARNERS, METRICS, fit, looked_ahead, options, parsed, tagged, without_history  # isort: skip
from common import cell, change, command, header, line, treebank, write

from laconic.corpus import Doc
from laconic.evaluate import Scores, evaluate_pipeline
from laconic.learn.jackknife import select

DEPTHS = (1, 2, 3, 4)
LENGTHS = ((1, 10), (11, 20), (21, 30), (31, 40), (41, 10**9))


def by_length(gold: Doc, guess: Doc) -> Iterator[tuple[str, Scores]]:
    lengths = np.diff(gold.sentence_starts.astype(np.int64))
    for low, high in LENGTHS:
        inside = (lengths >= low) & (lengths <= high)
        if inside.any():
            label = f"{low} to {high}" if high < 10**9 else f"over {low - 1}"
            yield f"{label} ({inside.sum()})", evaluate_pipeline(select(gold, inside), select(guess, inside))


def report(name: str, train: Doc, dev: Doc) -> Iterator[list[str]]:
    """The tables after each learner."""
    jackknifed, predicted = tagged(train, dev)
    columns = list(METRICS.values())
    gain = "change of dependencies"
    second = header("learner", "moves", *columns, gain)
    third = header("learner", "depth", *columns, gain, "decisions per word")
    fourth = header("learner", "length (sentences)", *columns)
    fifth = header("learner", "tags in training and test", *columns, gain)
    for learner in LEARNERS:
        print(f"{name}: {learner}", file=sys.stderr)

        def row(first: str, scores: Scores, *more: str, who: str = learner) -> str:
            return line(who, first, *(cell(scores, metric) for metric in METRICS), *more)

        waits = fit("step-back", learner, train, jackknifed)
        guesses, scores = {}, {}
        for depth in DEPTHS:
            guesses[depth], work = looked_ahead(waits, depth, predicted)
            scores[depth] = evaluate_pipeline(dev, guesses[depth])
            better = change(scores[1], scores[depth], "Dependency") if depth > 1 else ""
            third.append(row(str(depth), scores[depth], better, f"{work.moves / len(dev):.2f}"))
        for less, templates in (("", "stepback"), (", last moves not among the features", without_history())):
            plain, own = (
                evaluate_pipeline(dev, parsed(fit(system, learner, train, jackknifed, templates), 1, predicted))
                for system in ("step-back-plain", "step-back")
            )
            second.append(row(f"without WaitLeft{less}", plain, ""))
            second.append(row(f"with WaitLeft{less}", own, change(plain, own, "Dependency")))
        fourth += [row(label, some) for label, some in by_length(dev, guesses[DEPTHS[-1]])]
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
        yield [
            f"# WaitLeft, look-ahead, length and tags on {name}",
            "",
            f"Written by {command()}:",
            f"{len(train.sentences):,} training sentences, the development set, the paper's scores and punctuation,",
            f"predicted tags (jackknifed in training, {FOLDS} ways) unless table 5 says otherwise, step back, one round or",
            "more, 95 % intervals by bootstrap over sentences; changes are paired.",
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
        for lines in report(name, *treebank(chosen.data, name, chosen.sentences)):
            write(Path(__file__).parent / f"tables2to5-{name}.md", lines)


if __name__ == "__main__":
    main()
