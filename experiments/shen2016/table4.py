"""Heads with and without labels, our parsers' trees labelled anew, one step against two (table 4 of shen2016): table4.md
beside this file. For trees of other parsers see relabel.py.

    python -m experiments.shen2016.table4 [--data PATH] [--sentences N] [--rounds 5]

What was measured is kept in build/table4.jsonl, so that a run that was stopped goes on. Needs `ud/en_ewt`.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from experiments.common import arguments, command, journal, rows_once, tagged, treebank, write_report
from experiments.shen2016.decision import FOLDS, OWN, Stages, fitted_labelers, fitted_parser
from experiments.shen2016.labelers import FIRST, LINEAR, SECOND, relabelled, taught
from experiments.tables import cell, change, header, line, ratio
from experiments.timing import cpu, in_turns
from laconic.corpus import Doc
from laconic.evaluate import evaluate_conllx
from laconic.learn import TrainingData
from laconic.transition import Beam, Search

HERE = Path(__file__).resolve().parent
SEARCHES: dict[str, dict[str, Search | None]] = {
    "linear": {"greedy": None},
    "hidden": {"greedy": None, "beam of 4": Beam(4)},
}
"""By the rows of a parser; linear ones that learn move by move have nothing that a beam could compare."""


def rows(scorer: str, data: TrainingData, gold: Doc, given: Doc, rounds: int) -> Iterator[str]:
    """Three rows for each way to label and to search: of heads with and without labels, of labels anew, of time."""
    behind, anew = fitted_labelers(data), taught(data)
    bare = fitted_parser(scorer, "none", data)
    for labels, own in OWN[scorer].items():
        whole = fitted_parser(scorer, labels, data)
        for title, search in SEARCHES[scorer].items():
            name = f"{scorer}, {own}, {title}"
            joint, alone = Stages(whole.searching(search)), bare.searching(search)
            made = joint.run(given)
            with_labels, without = (
                evaluate_conllx(gold, one, punctuation=True) for one in (made, Stages(alone).run(given))
            )
            yield line(name, cell(with_labels, "UAS"), cell(without, "UAS"), change(with_labels, without, "UAS"))
            yield relabelled(name, gold, made, anew)
            ways = {"": joint} | {title: Stages(alone, labeler) for title, labeler in behind.items()}
            seconds = in_turns({way: partial(stages.run, given) for way, stages in ways.items()}, rounds, cpu)
            each = {way: f"{1e9 * statistics.median(some) / len(given):,.0f}" for way, some in seconds.items()}
            two = (f"{each[way]}: {ratio(seconds[''], seconds[way])}" for way in behind)
            yield line(name, each[""], *two)


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--sentences", type=int, default=None, help="of the training set, from its front")
    parser.add_argument("--rounds", type=int, default=5)
    chosen = parser.parse_args()
    train, dev = treebank(chosen.data, "en_ewt", chosen.sentences)
    jackknifed, predicted = tagged(train, dev, FOLDS)
    data, known = TrainingData(train, jackknifed), journal("table4")
    gold, given = (one.sentences[len(one.sentences) // 2 :] for one in (dev, predicted))
    found = [
        row
        for scorer in OWN
        for row in rows_once(
            known,
            (scorer, len(train), chosen.rounds),
            partial(rows, scorer, data, gold, given, chosen.rounds),
        )
    ]
    names = (LINEAR, FIRST, SECOND)
    lines = [
        "# Heads with and without labels, trees labelled anew, one step against two",
        "",
        f"Written by {command()}: {len(train.sentences):,} training sentences of UD English EWT, second half of the development",
        f"set, words and sentences given, predicted tags (jackknifed {FOLDS} ways in training), arc-hybrid, one seed. Labelers",
        "learn from the gold trees of the same sentences. Labels are compared whole, punctuation counted, with 95 % intervals",
        "by bootstrap over sentences; changes and gains by paired bootstrap.",
        "",
        "## Heads of a parser trained with labels and without",
        "",
        *header("parser", "UAS with labels", "UAS without labels", "change"),
        *found[0::3],
        "",
        "## Trees labelled anew",
        "",
        *header("parser", "UAS", "LAS of its own labels", *(f"gain by {name}" for name in names)),
        *found[1::3],
        "",
        "## Time of heads and labels: one step against two",
        "",
        "Nanoseconds a word of one thread's CPU time, in turns, and how many times as long as two steps one step takes: the",
        "parser with its own labels against the parser trained without, with a labeler behind it.",
        "",
        *header("parser", "its own labels", *(f"without, then {name}" for name in names)),
        *found[2::3],
    ]
    write_report(HERE / "table4.md", lines)


if __name__ == "__main__":
    main()
