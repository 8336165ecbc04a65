"""How a parser should get its labels: with the move, right after it, or in a second stage over the whole tree, by linear
rows or by factors: decision.md beside this file.

    python -m experiments.shen2016.decision [--data DIR] [--sentences N] [--rounds 5] [--scorer hidden] [treebank ...]

What was measured is kept in build/decision.jsonl, so that a run that was stopped goes on. Needs the treebanks.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from experiments.common import arguments, command, journal, pos_of, rows_once, tagged, treebank, write_report
from experiments.shen2016.labelers import AnyLabeler, taught
from experiments.tables import cell, change, header, line, ratio
from experiments.timing import cpu, in_turns
from laconic.corpus import Doc
from laconic.evaluate import evaluate
from laconic.learn import TrainingData
from laconic.progress import finished
from laconic.transition import Parser, ParserConfig

HERE = Path(__file__).resolve().parent
TREEBANKS = ("en_ewt", "de_mix", "sv_talbanken", "zh_gsd")
OWN = {
    "linear": {"joint": "with the move", "after": "after the move"},
    "hidden": {"after": "after the move"},  # hidden rows have no classes of moves with labels
}
"""How parsers label by themselves, by their rows."""
FOLDS = 5
"""Of jackknifed tags."""


@dataclass(frozen=True)
class Stages:
    """A parser, and behind one without labels a labeler."""

    parser: Parser
    labeler: AnyLabeler | None = None

    def run(self, given: Doc) -> Doc:
        guess = given.sentences[:]
        self.parser.apply(guess)
        if self.labeler is not None:
            self.labeler.apply(guess)
        return guess


def fitted_parser(scorer: str, labels: str, data: TrainingData) -> Parser:
    config = ParserConfig(scorer=scorer, labels=labels, pos=pos_of(data.gold), folds=0)  # type: ignore[arg-type]
    return finished(Parser.fit(config, data))


def fitted_labelers(data: TrainingData) -> dict[str, AnyLabeler]:
    """Labelers behind a parser without labels: they learn on gold trees whose arcs are lifted as the parser's are, and
    put these back."""
    return taught(data, pos=pos_of(data.gold), projective="head")


def methods(scorer: str, data: TrainingData, labelers: dict[str, AnyLabeler]) -> Iterator[tuple[str, Stages]]:
    for labels, name in OWN[scorer].items():
        yield name, Stages(fitted_parser(scorer, labels, data))
    bare = fitted_parser(scorer, "none", data)
    for name, labeler in labelers.items():
        yield f"second stage, {name}", Stages(bare, labeler)


def rows(name: str, scorer: str, train: Doc, dev: Doc, rounds: int) -> Iterator[str]:
    jackknifed, given = tagged(train, dev, FOLDS)
    data = TrainingData(train, jackknifed)
    found = dict(methods(scorer, data, fitted_labelers(data)))
    scores = {method: evaluate(dev, stages.run(given), single_root=False) for method, stages in found.items()}
    times = in_turns({method: partial(stages.run, given) for method, stages in found.items()}, rounds, cpu)
    first = next(iter(found))
    for method in found:
        changes = ["", ""] if method == first else [change(scores[first], scores[method], m) for m in ("UAS", "LAS")]
        yield line(
            name,
            f"{len(train.sentences):,}",
            scorer,
            method,
            *(cell(scores[method], metric) for metric in ("UAS", "LAS")),
            *changes,
            f"{1e9 * statistics.median(times[method]) / len(given):,.0f}",
            ratio(times[method], times[first]),
        )


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--sentences", type=int, default=None, help="train on so many sentences of each treebank")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--scorer", choices=list(OWN), action="append", help="of the parser; default: both")
    parser.add_argument("treebanks", nargs="*", default=TREEBANKS)
    chosen = parser.parse_args()
    known = journal("decision")
    lines = [
        "# How a parser gets its labels",
        "",
        f"Written by {command()}: development sets, gold tokens, predicted tags (jackknifed {FOLDS} ways in training),",
        "arc-hybrid, greedy, all templates, official scorer, one seed. The second stage learns from the trees of the treebank",
        "and undoes the lifting of non-projective arcs, as the other methods do by themselves. Changes are against the first",
        "method of the same scorer, with 95 % intervals by (paired) bootstrap over sentences. Nanoseconds a word and time:",
        f"CPU time of heads and labels together, median (and spread of the ratio to the first method) of {chosen.rounds} alternating",
        "rounds.",
        "",
        *header(
            "treebank",
            "sentences",
            "scorer",
            "labels",
            "UAS",
            "LAS",
            "change of UAS",
            "change of LAS",
            "ns/word",
            "time",
        ),
    ]
    for name in chosen.treebanks:
        train, dev = treebank(chosen.data, name, chosen.sentences)
        for scorer in chosen.scorer or OWN:
            measure = partial(rows, name, scorer, train, dev, chosen.rounds)
            lines += rows_once(known, (name, scorer, len(train), chosen.rounds), measure)
            write_report(HERE / "decision.md", lines)


if __name__ == "__main__":
    main()
