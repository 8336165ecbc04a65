"""Accuracy against speed of all searches with one model: searches.md and searches.png beside this file.

    python -m experiments.parsers.searches [--data DIR] [--rounds 5] [MODEL]

Greedy at every tolerance, the two best moves where there is doubt, look-ahead and beam, on the development set of UD English EWT, gold tokens, the model's own tags.
Needs the extra `bench` and the treebank.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from pathlib import Path

import laconic
from experiments.common import arguments, command, folder, treebank, write_report
from experiments.curves import Point, accuracy_against_speed, measure_curves
from experiments.tables import cell, change, header, line, ratio
from laconic.corpus import Doc
from laconic.evaluate import evaluate
from laconic.transition import Beam, LookAhead, Parser, Search

HERE = Path(__file__).resolve().parent

SEARCHES: dict[str, dict[str, Search]] = {
    "two moves in doubt": {f"slack {slack}": Beam(2, slack) for slack in (0.1, 0.25, 0.5, 1.0)},
    "look-ahead": {f"depth {depth}": LookAhead(depth) for depth in (2, 3, 4)},
    "beam": {f"width {width}": Beam(width) for width in (2, 4, 8, 16)},
}


def point(name: str, parser: Parser, gold: Doc, given: Doc) -> Point:
    guess = given.sentences[:]
    work = parser.apply(guess)
    scores = evaluate(gold, guess, single_root=False)
    values = {metric: scores[metric].f1 for metric in ("LAS", "UAS")}
    templates, rows = work.templates / work.decisions, work.rows / work.decisions
    return Point(name, scores, values, templates, rows, lambda: parser.predict(given))


def curves(parser: Parser, gold: Doc, given: Doc) -> Iterator[tuple[str, list[Point]]]:
    greedy = []
    for tolerance in sorted({0.0, *parser.frozen[0].stops}):
        own = parser.searching(None)
        own.effort(tolerance, Beam(1))
        greedy.append(point(f"tolerance {tolerance:g}", own, gold, given))
    yield "greedy", greedy
    for name, searches in SEARCHES.items():
        yield name, [point(setting, parser.searching(one), gold, given) for setting, one in searches.items()]


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("model", nargs="?", default="en")
    chosen = parser.parse_args()
    gold = treebank(chosen.data, "en_ewt")[1]
    nlp = laconic.load(chosen.model).at("full")
    given = gold.sentences[:]
    nlp.components["morphology"].apply(given)
    found = dict(curves(nlp.components["parser"], gold, given))
    measure_curves(found, chosen.rounds)
    base = found["greedy"][0]
    lines = [
        "# Accuracy against speed of all searches",
        "",
        f"Written by {command()}: the parser of the model `{Path(chosen.model).name}`, UD English EWT,",
        f"development set ({len(gold):,} words), gold tokens, the model's own tags, official scorer. 95 % intervals by (paired) bootstrap",
        f"over sentences. Speed of heads and labels alone: one thread, median (and spread of the ratio) of {chosen.rounds} alternating rounds of CPU",
        "time; the ratio is to the greedy parser with all templates.",
        "",
        *header("search", "setting", "UAS", "LAS", "change of LAS", "words per CPU second", "speed"),
    ]
    for search, points in found.items():
        for one in points:
            cells = (cell(one.scores, "UAS"), cell(one.scores, "LAS"), change(base.scores, one.scores, "LAS"))
            speed = f"{len(gold) / statistics.median(one.seconds):,.0f}"
            lines.append(line(search, one.name, *cells, speed, ratio(base.seconds, one.seconds)))
    lines += ["", "![accuracy against speed](searches.png)"]
    write_report(HERE / "searches.md", lines)
    path = folder(HERE / "searches.md") / "searches.png"
    accuracy_against_speed(found, len(gold), path, "LAS, predicted tags")


if __name__ == "__main__":
    main()
