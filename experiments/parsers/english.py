"""Linear and hidden rows on English EWT, with the treebank's tags and with predicted ones: english.md beside this file.

    python experiments/parsers/english.py [--data DIR] [--folds 5] [linear] [hidden]

What was trained is kept in build/english.jsonl, so that a second run goes on. Needs the treebank.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "chang2007")]

from common import arguments, cell, command, header, journal, line, remembered, treebank, write  # noqa: E402
from stages import tagged  # noqa: E402

from laconic.corpus import Doc  # noqa: E402
from laconic.evaluate import Scores, evaluate  # noqa: E402
from laconic.progress import finished  # noqa: E402
from laconic.transition import Parser, ParserConfig  # noqa: E402


def scored(scorer: str, train: Doc, tags: Doc, dev: Doc, given: Doc) -> Iterator[Scores]:
    begun = time.process_time()
    parser = finished(Parser.fit(ParserConfig(scorer=scorer, folds=0), train, tags))  # type: ignore[arg-type]
    print(f"{scorer}: {time.process_time() - begun:.0f} CPU seconds", file=sys.stderr)
    guess = given.sentences[:]
    parser.apply(guess)
    yield evaluate(dev, guess, single_root=False)


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--folds", type=int, default=5, help="of the jackknife")
    parser.add_argument("scorers", nargs="*", default=("linear", "hidden"))
    chosen = parser.parse_args()
    train, dev = treebank(chosen.data, "en_ewt")
    jackknifed, predicted = tagged(train, dev, chosen.folds)
    known = journal("english")
    lines = [
        "# English EWT",
        "",
        f"Written by {command()}: the whole training set, development set, gold",
        f"tokens, greedy arc-hybrid, all templates, official scorer. Predicted tags are jackknifed {chosen.folds} ways in training.",
        "95 % intervals by bootstrap over sentences.",
        "",
        *header("scorer", "tags", "UAS", "LAS"),
    ]
    for scorer in chosen.scorers:
        for tags, own, given in (("treebank", train, dev), ("predicted", jackknifed, predicted)):
            (scores,) = remembered(known, (scorer, tags, chosen.folds), partial(scored, scorer, train, own, dev, given))
            lines.append(line(scorer, tags, cell(scores, "UAS"), cell(scores, "LAS")))
            write(HERE / "english.md", lines)


if __name__ == "__main__":
    main()
