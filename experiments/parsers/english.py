"""Linear and hidden rows on English EWT, with the treebank's tags and with predicted ones: english.md beside this file.

    python -m experiments.parsers.english [--data DIR] [--folds 5] [--sentences N] [hidden] [wide] [linear] [whole]

`linear` and `hidden` rows learn each move by itself, and hidden ones are also parsed with a beam; `whole` are linear rows
that learn whole sequences of moves, as a beam compares them; `wide` are hidden rows of twice as many units. What was
trained is kept in build/english.jsonl, so that a second run goes on. Needs the treebank.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from experiments.common import arguments, command, journal, remembered, tagged, treebank, write_report
from experiments.tables import cell, header, line
from laconic.corpus import Doc
from laconic.evaluate import Scores, evaluate
from laconic.learn import HiddenSettings, TrainingData
from laconic.progress import finished
from laconic.transition import Beam, Parser, ParserConfig
from laconic.transition.config import HIDDEN_EXITS

HERE = Path(__file__).resolve().parent

MODELS = {
    "hidden": (ParserConfig(folds=0), {"hidden, greedy": None, "hidden, beam of 4": Beam(4)}),
    "wide": (
        ParserConfig(folds=0, hidden=HiddenSettings(exits=HIDDEN_EXITS, units=128)),
        {"hidden, 128 units, greedy": None, "hidden, 128 units, beam of 4": Beam(4)},
    ),
    "linear": (ParserConfig(scorer="linear", folds=0), {"linear, greedy": None}),
    "whole": (ParserConfig(scorer="linear", beam=8), {"linear, trained for a beam of 8": Beam(8)}),
}
"""Settings, and the searches to parse with what was learned."""


def scored(model: str, train: Doc, tags: Doc, dev: Doc, given: Doc) -> Iterator[Scores]:
    config, searches = MODELS[model]
    begun = time.process_time()
    parser = finished(Parser.fit(config, TrainingData(train, tags)))
    print(f"{model}: {time.process_time() - begun:.0f} CPU seconds", file=sys.stderr)
    for search in searches.values():
        guess = given.sentences[:]
        parser.searching(search).apply(guess)
        yield evaluate(dev, guess, single_root=False)


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--folds", type=int, default=5, help="of the jackknife")
    parser.add_argument("--sentences", type=int, default=None, help="of the training set, from its begin; default: all")
    parser.add_argument("models", nargs="*", default=list(MODELS))
    chosen = parser.parse_args()
    train, dev = treebank(chosen.data, "en_ewt", chosen.sentences)
    jackknifed, predicted = tagged(train, dev, chosen.folds)
    known = journal("english")
    lines = [
        "# English EWT",
        "",
        f"Written by {command()}: {len(train.sentences):,} training sentences, development set, gold",
        f"tokens, arc-hybrid, all templates, official scorer. Predicted tags are jackknifed {chosen.folds} ways in training.",
        "95 % intervals by bootstrap over sentences.",
        "",
        *header("rows", "tags", "UAS", "LAS"),
    ]
    for model in chosen.models:
        for tags, own, given in (("treebank", train, dev), ("predicted", jackknifed, predicted)):
            found = remembered(
                known,
                (model, MODELS[model][0], tags, chosen.folds, len(train.sentences)),
                partial(scored, model, train, own, dev, given),
            )
            lines += [
                line(name, tags, cell(scores, "UAS"), cell(scores, "LAS"))
                for name, scores in zip(MODELS[model][1], found, strict=True)
            ]
            write_report(HERE / "english.md", lines)


if __name__ == "__main__":
    main()
