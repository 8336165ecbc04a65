"""Several parsers that vote, against each of them and against a beam: agreement.md beside this file.

    python -m experiments.parsers.agreement [--data DIR] [--treebank en_ewt] [--sentences N] [--given] [--siblings SET]

A transition parser that reads from left to right, one that reads from right to left, and the graph parser are trained on
jackknifed tags, with --given on those of the treebank. What was trained is kept in build/models, so that a second run
goes on. Needs the treebank. The weights of votes and the tolerance were chosen on the first half of the development set.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from experiments.common import arguments, command, tagged, treebank, write_report
from experiments.kept import KeptModels
from experiments.tables import cell, change, header, line
from experiments.timing import in_turns
from laconic.corpus import Doc
from laconic.ensemble import Ensemble, EnsembleConfig
from laconic.evaluate import Scores, evaluate
from laconic.learn import TrainingData

HERE = Path(__file__).resolve().parent
CONFIG = EnsembleConfig()
TOLERANCES = ((0.0, 0.0), (0.0, 0.005), (0.0, 0.02), (0.001, 0.02), (0.002, 0.02), (0.005, 0.02))
"""Of the transition parsers and of the graph parser."""
FOLDS = 5
ROUNDS = 5
METRICS = ("UAS", "LAS")


def scored(run: Callable[[Doc], object], gold: Doc, given: Doc) -> Scores:
    guess = given.sentences[:]
    run(guess)
    return evaluate(gold, guess, single_root=False)


def best(parts: dict[str, Any], *tolerances: float) -> Ensemble:
    made = Ensemble(*(parts[name].shared_copy() for name in Ensemble.parts), *tolerances)
    made.search_effort("best")
    return made


def rows(parts: dict[str, Any], gold: Doc, given: Doc) -> list[str]:
    """One row per way to parse: scores on both halves of the development set, speed on the second."""
    half = len(gold.sentences) // 2
    halves = [(gold.sentences[:half], given.sentences[:half]), (gold.sentences[half:], given.sentences[half:])]
    ways: dict[str, Any] = {
        "left to right": parts["forward"],
        "right to left": parts["backward"],
        "graph (heads only), tolerance 0.01": parts["graph"].shared_copy(),
        "left to right, beam": parts["forward"].shared_copy(),
        "right to left, beam": parts["backward"].shared_copy(),
        **{f"best, {one:g} and {other:g}": best(parts, one, other) for one, other in TOLERANCES},
    }
    ways["graph (heads only), tolerance 0.01"].effort(0.01)
    for name in ("left to right, beam", "right to left, beam"):
        ways[name].search_effort("beam")
    words = halves[1][1]
    seconds = in_turns({name: partial(way.apply, words.sentences[:]) for name, way in ways.items()}, ROUNDS)
    scores = {name: [scored(way.apply, *half) for half in halves] for name, way in ways.items()}
    beam = scores["left to right, beam"][1]

    def cells(name: str) -> list[str]:
        first, second = scores[name]
        if name.startswith("graph"):
            return [f"{first['UAS'].f1:.2f}", "", cell(second, "UAS"), "", ""]
        return [
            *(f"{first[metric].f1:.2f}" for metric in METRICS),
            *(cell(second, metric) for metric in METRICS),
            "" if second is beam else change(beam, second, "LAS"),
        ]

    return [line(name, *cells(name), f"{len(words) / statistics.median(seconds[name]):,.0f}") for name in ways]


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--treebank", default="en_ewt")
    parser.add_argument("--sentences", type=int, help="of the training set; default: all")
    parser.add_argument("--given", action="store_true", help="tags of the treebank, not predicted ones")
    parser.add_argument("--siblings", default=CONFIG.graph.siblings, help="templates of the graph parser, or none")
    chosen = parser.parse_args()
    config = replace(CONFIG, graph=replace(CONFIG.graph, siblings=chosen.siblings))
    train, dev = treebank(chosen.data, chosen.treebank, chosen.sentences)
    kept = KeptModels(f"{chosen.treebank}-{len(train.sentences)}-{'treebank' if chosen.given else 'predicted'}")
    own, given = (train, dev) if chosen.given else tagged(train, dev, FOLDS)
    parts = {
        name: kept.component(name, kind, getattr(config, name), TrainingData(train, own))[0]
        for name, kind in Ensemble.parts.items()
    }
    write_report(
        HERE / "agreement.md",
        [
            "# Agreement of parsers",
            "",
            f"Written by {command()}: {len(train.sentences):,} training sentences, official scorer,",
            f"{'tags of the treebank' if chosen.given else f'tags predicted by a model that is jackknifed {FOLDS} ways in training'}."
            " 95 % intervals by bootstrap over sentences.",
            f"Settings were chosen on the first half of the development set. Words per CPU second are those of the parsers alone, median of {ROUNDS}",
            "rounds in turn, on the second half. `best` is the effort of the component `ensemble`; its tolerances are those of the transition parsers and of the graph parser.",
            "",
            *header("parser", "UAS, first half", "LAS, first half", "UAS", "LAS", "LAS over the beam", "words/s"),
            *rows(parts, dev, given),
        ],
    )


if __name__ == "__main__":
    main()
