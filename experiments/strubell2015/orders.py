"""Template orders by three methods, and what they are worth to the tagger (strubell2015, section 4.5).

    python -m experiments.strubell2015.orders [--data DIR] [--journal FILE] [--processes 2] [--epochs 8] [--folds 5]

Orders the 46 templates of hand.templates on UD English EWT by wrapper, group lasso path and matching pursuit, searching
with the first half of the development set; lets the wrapper also choose 46 from these and those of wider.templates;
trains taggers at every exit and ordinary ones with each order, with the hand order and with a random one, and reports
on the second half. Writes orders.md, orders.png and one file order-NAME.templates per search beside itself. What was
computed stays in the journal: killed, it goes on where it was.
Needs the extra `bench` and the treebank UD English EWT.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field, replace
from itertools import pairwise
from pathlib import Path

import numpy as np

from experiments.common import arguments, command, folder, treebank, write_report
from experiments.tables import cell, change
from laconic._core.learn import shuffled
from laconic.corpus import Doc
from laconic.evaluate import Scores, evaluate
from laconic.features import TemplateSet, kind, parse_set, read_set
from laconic.learn import Settings, TrainingData
from laconic.progress import finished
from laconic.search import (
    GroupLasso,
    Journal,
    Order,
    Pursuit,
    SearchProgress,
    Strategy,
    TaggerTrainable,
    Wrapper,
    halves,
    order,
)
from laconic.search.journal import key
from laconic.tag import Tagger, TaggerConfig
from laconic.tag.form_templates import form_first, form_template_count

HERE = Path(__file__).resolve().parent
REPORT = HERE / "orders.md"

COMMAND = "python -m experiments.strubell2015.orders"
STRATEGIES: tuple[tuple[str, Strategy], ...] = (
    ("wrapper", Wrapper()),
    ("pursuit", Pursuit()),
    ("pursuit-mean", Pursuit(normalise="mean")),
    ("lasso", GroupLasso()),
    ("wider", Wrapper()),
)
MODES = ("every-exit", "full")
STEPS = (0, 2, 4, 7, 11, 17, 28)
"""Exits, from the end of the templates that read the form alone."""


@dataclass(frozen=True)
class OrderPoint:
    """One tagger at one tolerance, on the half that no search saw."""

    tolerance: float
    scores: Scores = field(repr=False)
    templates: float
    rows: float

    @property
    def accuracy(self) -> float:
        return self.scores["UPOS"].f1


def show_progress(name: str, step: SearchProgress) -> None:
    left = "" if step.seconds_left is None else f", at most {step.seconds_left:.0f} s left"
    print(
        f"\r{name}: {step.what}, {100 * step.done / step.of:.0f} %{left}        ", end="", file=sys.stderr, flush=True
    )


def learned(
    trainable: TaggerTrainable, wider: TaggerTrainable, journal: Path, processes: int
) -> Iterator[tuple[str, Order]]:
    """The order of each method."""
    for name, strategy in STRATEGIES:
        searched = wider if name == "wider" else trainable
        run = order(searched, strategy, journal=journal, processes=processes, command=f"{COMMAND}, {name}")
        found = finished(run, lambda step, name=name: show_progress(name, step))  # type: ignore[misc]
        print(file=sys.stderr)
        if name == "wider":
            found = found.first(len(trainable.templates))
        found.write(folder(REPORT) / f"order-{name}.templates", "Part-of-speech tagging from left to right.")
        yield name, found


def tags_by_tolerance(config: TaggerConfig, train: Doc, held: Doc) -> list[tuple[float, str, int, int]]:
    """At each tolerance: the tags, the templates and the cache lines."""
    tagger = finished(Tagger.fit(config, TrainingData(train)))
    results = []
    for tolerance in (0.0, *sorted(tagger.frozen.stops)):
        tagger.effort(tolerance)
        labels, work = tagger.predict(held)
        results.append((tolerance, " ".join(tagger.labels[y] for y in labels), work.templates, work.rows))
    return results


def curve(results: Sequence[tuple[float, str, int, int]], held: Doc) -> list[OrderPoint]:
    points = []
    for tolerance, tags, templates, rows in results:
        guess = held.sentences[:]
        values = sorted(set(tags.split()))
        guess.set_codes("upos", np.array([values.index(tag) for tag in tags.split()], np.int32), values)
        scores = evaluate(held, guess, single_root=False)
        points.append(OrderPoint(tolerance, scores, templates / len(held), rows / len(held)))
    return points


def accuracy_within(points: Sequence[OrderPoint], templates: float) -> float:
    """Accuracy at so many templates per decision, between the two nearest settings."""
    ordered = sorted(points, key=lambda point: point.templates)
    for low, high in pairwise(ordered):
        if low.templates <= templates <= high.templates:
            share = (templates - low.templates) / max(1e-9, high.templates - low.templates)
            return low.accuracy + share * (high.accuracy - low.accuracy)
    return ordered[-1].accuracy if templates > ordered[-1].templates else float("nan")


def plot(curves: dict[tuple[str, str], list[OrderPoint]], path: Path) -> None:
    import matplotlib

    matplotlib.use("agg")
    from matplotlib import pyplot

    figure, panels = pyplot.subplots(1, 2, figsize=(10, 4), sharey=True)
    for axes, mode in zip(panels, MODES, strict=True):
        for (name, trained), points in curves.items():
            if trained == mode:
                axes.plot(
                    [p.templates for p in points], [p.accuracy for p in points], marker="o", markersize=4, label=name
                )
        axes.set_title(f"trained {'at every exit' if mode == 'every-exit' else 'in full'}")
        axes.set_xlabel("templates per decision")
        axes.set_xscale("log")
        axes.set_xticks([2, 3, 4, 6, 8, 12, 16, 24, 32], ["2", "3", "4", "6", "8", "12", "16", "24", "32"])
        axes.minorticks_off()
        axes.grid(alpha=0.3)
    panels[0].set_ylabel("UPOS, percent")
    panels[1].legend(frameon=False)
    figure.tight_layout()
    figure.savefig(path, dpi=130)


def report(data: Path, journal: Path, processes: int, epochs: int, folds: int) -> None:
    train, dev = treebank(data, "en_ewt")
    searched, held = halves(dev)
    # What the form of a word says is read at one go: it stands first in every order.
    hand = form_first(read_set(HERE / "hand.templates", kind("token")))
    exits = tuple(form_template_count(hand) + step for step in STEPS)
    config = TaggerConfig(templates=str(hand), settings=Settings(epochs=epochs, exits=exits), folds=folds)
    trainable = TaggerTrainable(config, train, searched)
    more = form_first(parse_set(str(hand) + str(read_set(HERE / "wider.templates", kind("token"))), kind("token")))
    wider = TaggerTrainable(replace(config, templates=str(more)), train, searched)
    orders: dict[str, TemplateSet] = {
        "hand": hand,
        "random": form_first(TemplateSet(hand.kind, tuple(hand[int(j)] for j in shuffled(len(hand), 1)))),
    }
    for name, found in learned(trainable, wider, journal, processes):
        orders[name] = found.templates

    known = Journal(journal)

    def trained(run: tuple[str, str]) -> tuple[str, list[tuple[float, str, int, int]]]:
        name, mode = run
        settings = replace(config.settings, mode=mode)  # type: ignore[arg-type]
        full = replace(config, templates=str(orders[name]), settings=settings)
        identity = key("tagger", trainable.digest, asdict(full))
        return identity, known[identity] if identity in known else tags_by_tolerance(full, train, held)

    runs = [(name, mode) for mode in MODES for name in orders]
    curves: dict[tuple[str, str], list[OrderPoint]] = {}
    with ThreadPoolExecutor(processes) as pool:  # training runs without the interpreter
        for run, (identity, results) in zip(runs, pool.map(trained, runs), strict=True):
            if identity not in known:
                known.put(identity, results)
            curves[run] = curve(results, held)
            print(f"trained {run[1]} with the order {run[0]}: {curves[run][0].accuracy:.2f}", file=sys.stderr)
    write_report(REPORT, text_of(curves, orders, config))
    plot(curves, folder(REPORT) / "orders.png")


def text_of(
    curves: dict[tuple[str, str], list[OrderPoint]],
    orders: dict[str, TemplateSet],
    config: TaggerConfig,
) -> list[str]:
    text = [
        "# Template orders by three methods",
        "",
        f"Written by {command()}: UPOS on UD English EWT, gold tokens,",
        "greedy, the same 46 templates in each order but `wider`, where the wrapper chose 46 from 59. Searched with",
        "the first half of the development set, reported on the second.",
        f"{config.settings.epochs} epochs, default settings, margins calibrated on {config.folds}-way jackknifed",
        "training data. `pursuit` takes away what chance explains, `pursuit-mean` divides by the degrees of freedom.",
        "",
        "## Accuracy at a number of templates per decision",
        "",
        "Between the two nearest tolerances; words with one candidate count as no template.",
        "",
        "| order | trained | 2 | 3 | 4 | 6 | 8 | 12 | all |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for (name, mode), points in curves.items():
        cells = " | ".join("" if (a := accuracy_within(points, t)) != a else f"{a:.2f}" for t in (2, 3, 4, 6, 8, 12))
        text.append(f"| {name} | {mode} | {cells} | {points[0].accuracy:.2f} |")
    text += [
        "",
        "## Every setting",
        "",
        "UPOS with its 95 % interval, and how much it loses against the hand order with all templates, trained the",
        "same way (paired bootstrap over sentences).",
        "",
        "| order | trained | tolerance | UPOS | loss | templates | cache lines |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for (name, mode), points in curves.items():
        for point in points:
            loss = change(point.scores, curves["hand", mode][0].scores, "UPOS")
            text.append(
                f"| {name} | {mode} | {point.tolerance:g} | {cell(point.scores, 'UPOS')} | {loss} "
                f"| {point.templates:.2f} | {point.rows:.2f} |"
            )
    text += ["", "![accuracy against templates](orders.png)", "", "## The orders", ""]
    names = [name for name in orders if name != "random"]
    text += ["| | " + " | ".join(names) + " |", "| --- " * (len(names) + 1) + "|"]
    for depth, row in enumerate(zip(*(orders[name] for name in names), strict=True), start=1):
        text.append(f"| {depth} | " + " | ".join(f"`{template}`" for template in row) + " |")
    return text


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--journal", type=Path, default=Path("build") / "orders.jsonl")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--folds", type=int, default=5)
    given = parser.parse_args()
    given.journal.parent.mkdir(parents=True, exist_ok=True)
    report(given.data, given.journal, given.processes, given.epochs, given.folds)


if __name__ == "__main__":
    main()
