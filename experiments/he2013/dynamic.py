"""The graph parser with all templates for all arcs, and with templates only where heads are open: dynamic.md beside this
file.

    python -m experiments.he2013.dynamic [--data PATH] [--sentences N] [--scorers factored linear] [treebank ...]

Needs `ud/<treebank>/train.conllu` and `dev.conllu` under the data directory. Settings were chosen on the first half of
the development set of en_ewt; figures are of the second half.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np

from experiments.common import arguments, command, tagged, treebank, write_report
from experiments.tables import header, line
from experiments.timing import cpu
from laconic.corpus import Doc
from laconic.graph import GraphConfig, GraphParser
from laconic.learn import TrainingData, expected_calibration_error
from laconic.progress import finished

HERE = Path(__file__).resolve().parent
EFFORTS = (0.0, 0.001, 0.002, 0.005, 0.01, 0.02)
ROUNDS = 5
FOLDS = 5


def second_half(doc: Doc) -> Doc:
    return doc.sentences[len(doc.sentences) // 2 :]


def rows(name: str, tags: str, config: GraphConfig, train: TrainingData, gold: Doc, doc: Doc) -> Iterator[str]:
    """One row per effort; speeds are medians of rounds in turn."""
    begun = time.process_time()
    parser = finished(GraphParser.fit(config, train))
    trained = time.process_time() - begun
    templates = 2 * len(config.template_set()) + (config.scorer == "factored")
    times: dict[float, list[float]] = {effort: [] for effort in EFFORTS}
    for _ in range(ROUNDS):
        for effort in EFFORTS:
            parser.effort(effort)
            times[effort].append(cpu(partial(parser.apply, doc.sentences[:])))
    for effort in EFFORTS:
        parser.effort(effort)
        made = doc.sentences[:]
        work = parser.apply(made)
        sure = parser.confident(doc.sentences[:])
        right = np.asarray(made.heads == gold.heads)
        speed = [full / own for full, own in zip(times[0.0], times[effort], strict=True)]
        yield line(
            name,
            tags,
            config.scorer,
            f"{effort:g}",
            f"{100 * right.mean():.2f}",
            f"{100 * work.templates / (templates * max(1, work.arcs)):.1f}",
            f"{statistics.median(speed):.2f} ({min(speed):.2f} to {max(speed):.2f})",
            f"{len(doc) / statistics.median(times[effort]):,.0f}",
            f"{100 * expected_calibration_error(sure, right):.1f}",
            f"{trained:.0f}",
        )


def table(name: str, scorer: str, train: Doc, dev: Doc, given: tuple[Doc, Doc] | None) -> Iterator[str]:
    config = GraphConfig(scorer=scorer)  # type: ignore[arg-type]
    gold = second_half(dev)
    yield from rows(name, "treebank", config, TrainingData(train), gold, gold)
    if given is not None:
        yield from rows(name, "predicted", config, TrainingData(train, given[0]), gold, second_half(given[1]))


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--sentences", type=int, help="of the training set; default: all")
    parser.add_argument("--scorers", nargs="+", default=["factored", "linear"])
    parser.add_argument("--given", action="store_true", help="tags of the treebank only")
    parser.add_argument("treebanks", nargs="*", default=["en_ewt"])
    chosen = parser.parse_args()
    lines = [
        "# Dynamic features in a graph parser",
        "",
        f"Written by {command()}: heads in the second half of the development set,",
        "punctuation included. `predicted` tags come from `Morphology`; the parser is then trained on jackknifed ones. The",
        "tolerance is the share of words that may get another head than by all templates (0). Cost: templates computed, of",
        "those of all arcs that the length dictionary leaves. Speed-up: CPU time of the row with tolerance 0 over that of",
        "the row, median and extremes of five rounds in turn. ECE: expected calibration error of the confidence, in points.",
        "",
        *header(
            "treebank", "tags", "scorer", "tolerance", "UAS", "cost %", "speed-up", "words/s", "ECE", "training, CPU s"
        ),
    ]
    for name in chosen.treebanks:
        train, dev = treebank(chosen.data, name)
        train = train.sentences[: chosen.sentences]
        given = None if chosen.given else tagged(train, dev, FOLDS)
        for scorer in chosen.scorers:
            lines += table(name, scorer, train, dev, given)
            write_report(HERE / "dynamic.md", lines)


if __name__ == "__main__":
    main()
