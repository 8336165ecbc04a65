"""Each component beside what limits it: nanoseconds, instructions, rows and templates a word.

    python -m benchmarks.performance [--rounds 5]

The model `en` on the bundled text, one thread, CPU time, all efforts in turns. Instructions are counted by callgrind at
balanced, as in benchmarks/instructions.py, and left out where it is not installed. The limit is what the processor
needs to fetch and add as many rows of weights as were read, wherever they lie in a table of the size of the parser's.
Writes docs/performance.md.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from statistics import median

import numpy as np
from experiments.common import ROOT, arguments, command, write_report
from experiments.tables import header, line
from experiments.timing import turn

import laconic
from benchmarks.instructions import counted
from laconic.pipeline.costs import Speed, bench_text, measured, speeds

REPORT = ROOT / "docs" / "performance.md"
ROWS = 1 << 16
"""Rows that the limit is measured by."""


def row_nanoseconds(nlp: laconic.Pipeline) -> float:
    """Of one row of the parser's table, drawn at random, when rows are fetched ahead."""
    table = nlp.components["parser"].frozen[0].table
    drawn = np.random.default_rng(1).integers(0, len(table), ROWS).astype(np.uint32)
    return 1e9 * turn(lambda: table.sum(drawn)) / ROWS


def report(
    found: list[Speed],
    work: Mapping[str, tuple[float, float]],
    instructions: Mapping[str, float],
    row: float,
    rounds: int,
) -> list[str]:
    """``work``: rows and templates a word by component, at balanced."""
    efforts = list(dict.fromkeys(one.effort for one in found))
    names = list(dict.fromkeys(one.component for one in found))
    nanoseconds = {(one.effort, one.component): 1e9 * one.seconds / one.words for one in found}
    lines = [
        "# Performance",
        "",
        f"Written by {command()}: the model `en` on the bundled text, one thread, CPU time, {rounds} rounds in turns, "
        f"medians. The load of the machine's {os.cpu_count()} processors was {os.getloadavg()[1]:.0f} processes at the "
        "end: on a busy machine only ratios and instructions mean something. Beside other systems: "
        "[side_by_side.md](side_by_side.md), with the plot of accuracy against speed; what a call costs: "
        "[calls.md](calls.md); the parser alone: [parser-speed.md](parser-speed.md).",
        "",
        *header(
            "component",
            *(f"ns a word, {effort}" for effort in efforts),
            "templates a word, balanced",
            "rows a word",
            "limit, ns",
            "instructions a word",
        ),
    ]
    for name in names:
        rows, templates = work.get(name, (0.0, 0.0))
        counts = [f"{templates:.2f}", f"{rows:.2f}", f"{rows * row:.0f}"] if name in work else [""] * 3
        executed = sum(instructions.values()) if name == "all" else instructions.get(name)
        cells = [f"{nanoseconds[effort, name]:.0f}" for effort in efforts]
        lines.append(line(name, *cells, *counts, f"{executed:,.0f}" if executed else ""))
    return [
        *lines,
        "",
        f"A row is a cache line of weights; the limit is {row:.1f} ns for each, fetched ahead and added, from a table "
        "of the parser's size. Instructions are those of the compiled core with the portable kernels, at balanced: the "
        "same on a busy machine and a quiet one. `.ci/run` counts them again and fails where a component grew by more "
        "than 3 % over `benchmarks/instructions.json`; `python -m benchmarks.instructions --update` writes that file. "
        "The bundled text is short, so that words met for the first time weigh more than in long texts; with vector "
        "kernels the parser needs far fewer instructions ([parser.md](parser.md)).",
        "",
        "What makes components fast, and where it is written down:",
        "",
        "- Forms are told apart once for a document (`core/corpus/form_types.hpp`): each different form is hashed once "
        "and looked up once by each component.",
        "- What follows from a form alone is computed when the form is first met and kept with the model "
        "(`core/base/on_demand.hpp`): rows of a lexicon, and the sum of the tagger's first templates. A word about "
        "which its form says enough costs one look-up.",
        "- Templates of the parser that read nearly the same are one look-up of a sum of their rows "
        "([parser.md](parser.md)).",
        "- Exits that no lead is enough for are not looked at (`Stop.exits`).",
        "- Lemmas follow from a form and its tags: both the decision and the lemma are made once for each such pair of "
        "a document.",
        "- Entities: what was decided at the first exit about an equal word in an equal context is taken again.",
        "- Segmenter: a run of letters and digits between which no token ends is passed in one step.",
        "- Loading: the file is read into large pages while nothing is computed that a text may not need; its digest is "
        "found by another thread, and nothing of a model is usable before the digest is known to be right.",
    ]


def main() -> None:
    options = arguments(__doc__)
    options.add_argument("--rounds", type=int, default=5)
    chosen = options.parse_args()
    nlp = laconic.load("en")
    doc, costs = measured(nlp.at("balanced"), bench_text())
    work = {cost.component: (cost.rows / len(doc), cost.templates / len(doc)) for cost in costs}
    found = speeds(nlp, bench_text(), chosen.rounds)
    row = median(row_nanoseconds(nlp) for _ in range(chosen.rounds))
    instructions = counted() if shutil.which("valgrind") else {}
    write_report(REPORT, report(found, work, instructions, row, chosen.rounds))


if __name__ == "__main__":
    main()
