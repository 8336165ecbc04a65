"""Table 1 and figure 1 of strubell2015: part-of-speech tagging with ever fewer templates.

    python experiments/strubell2015/table1.py [--data DIR] [--budget 6] [--rounds 7] [TREEBANK ...]

For each treebank the same number of random trials tunes the baseline (all templates), the paper's dynamic model (truncated
loss, one margin) and ours (every exit, margins per depth) on the first half of the development set; stagewise and fixed
models take the baseline's settings. Everything is reported on the whole development set, losses with 95 % intervals.
Writes table1.md and figure1.png beside itself. Needs the extra `bench` and the treebanks.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent / "benchmarks"))  # the tagger's benchmark measures the same things

from tagger import EXITS, TEMPLATES, Point, measure, predictions, ratio, stops, tune, unfolded  # noqa: E402

from laconic.corpus import Doc, read  # noqa: E402
from laconic.evaluate import breakdown, compare, evaluate  # noqa: E402
from laconic.learn import Settings, Stop  # noqa: E402
from laconic.progress import finished  # noqa: E402
from laconic.tag import Tagger, TaggerConfig  # noqa: E402

TREEBANKS = ("en_ewt", "sv_talbanken", "pt_bosque")
PREFIXES = (1, 3, 5, 10, 20)


def point(name: str, tagger: Tagger, stop: Stop, dev: Doc) -> Point:
    tagger.stop = stop
    guess, (_, work) = predictions(tagger, dev), tagger.predict(dev)
    scores = evaluate(dev, guess, single_root=False)
    return Point(name, tagger, stop, scores, scores, work.templates / work.decisions, work.rows / work.decisions)


def fitted(settings: Settings, train: Doc, folds: int) -> Tagger:
    return finished(Tagger.fit(TaggerConfig(settings=settings, folds=folds), train))


def models(train: Doc, dev: Doc, budget: int) -> Iterator[tuple[str, list[Point]]]:
    """All curves of a treebank, the baseline first."""
    half = dev.sentences[: len(dev.sentences) // 2]
    tuned = {mode: tune(mode, train, half, budget, "tagger")[0] for mode in ("full", "truncated", "every-exit")}
    full = tuned["full"]
    baseline = fitted(full, train, 0)
    yield (
        "baseline",
        [
            point(name, tagger, Stop.never(TEMPLATES), dev)
            for name, tagger in (("all", baseline), ("all, one by one", unfolded(baseline)))
        ],
    )
    stagewise = fitted(replace(full, mode="stagewise", epochs=2, exits=EXITS), train, 2)
    yield "stagewise", [point(name, stagewise, stop, dev) for name, stop in stops(stagewise, "stagewise")]
    yield (
        "fixed",
        [
            point(str(depth), fitted(replace(full, mode="fixed", depth=depth), train, 0), Stop.never(depth), dev)
            for depth in PREFIXES
        ],
    )
    paper = fitted(tuned["truncated"], train, 0)
    yield "dynamic (paper)", [point(name, paper, stop, dev) for name, stop in stops(paper, "truncated")]
    ours = fitted(tuned["every-exit"], train, 5)
    yield "ours", [point(name, ours, stop, dev) for name, stop in stops(ours, "every-exit")]
    single = unfolded(ours)
    yield "ours, one by one", [point(name, single, stop, dev) for name, stop in stops(single, "every-exit")]


def unknown(tagger: Tagger, stop: Stop, dev: Doc, known: set[str]) -> float:
    tagger.stop = stop
    groups = breakdown(dev, predictions(tagger, dev), "known", known=known, side="gold", single_root=False)
    return groups["unknown"]["UPOS"].f1 if "unknown" in groups else float("nan")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    beside = HERE.parent.parent.parent / "shared" / "data"
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("LACONIC_DATA", beside)))
    parser.add_argument("--budget", type=int, default=6)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("treebanks", nargs="*", default=TREEBANKS)
    arguments = parser.parse_args()
    text = [
        "# Table 1: tagging with ever fewer templates",
        "",
        "Written by `python experiments/strubell2015/table1.py`: UPOS on gold tokens, development sets, 46 templates in the",
        "shipped order, of which the first 14 read the form alone: for words of the lexicon they are one look-up in every model,",
        "but for those marked *one by one*, which compute each template by itself, as the paper's do;",
        f"{arguments.budget} random trials each for baseline, paper and ours on the first half. Unknown: words that",
        "training did not show. Losses with 95 % intervals by paired bootstrap: to the baseline, another training, and to the same",
        "model with all templates. Speed-up over the baseline and over the baseline one by one: median and spread of",
        f"{arguments.rounds} alternating rounds of CPU time.",
    ]
    curves = {}
    for name in arguments.treebanks:
        place = arguments.data / "ud" / name
        files = [next(iter(sorted(place.glob(f"{part}.conll*"))), None) for part in ("train", "dev")]
        if None in files:
            sys.exit(f"needs the treebank {place}")
        train, dev = (read(file) for file in files if file is not None)
        known = set(train.codes("form")[1])
        found = dict(models(train, dev, arguments.budget))
        curves[name] = found
        measure([one for points in found.values() for one in points], dev, arguments.rounds)
        baseline, single = found["baseline"]
        text += [
            "",
            f"## {name}",
            "",
            "| model | stop | UPOS | unknown | loss to baseline | loss to itself | templates | lines | speed-up | over one by one |",
            "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |",
        ]
        for model, points in found.items():
            for one in points:
                lost, own = (compare(one.scores, other.scores, samples=2000)["UPOS"] for other in (baseline, points[0]))
                alone = model in ("baseline", "fixed")
                text.append(
                    f"| {model} | {one.name} | {one.accuracy:.2f} | {unknown(one.tagger, one.stop, dev, known):.2f} "
                    f"| {lost.value:+.2f} ({lost.low:+.2f} to {lost.high:+.2f}) "
                    f"| {'' if alone else f'{own.value:+.3f} ({own.low:+.3f} to {own.high:+.3f})'} "
                    f"| {one.templates:.1f} | {one.rows:.1f} | {ratio(baseline.seconds, one.seconds)} "
                    f"| {ratio(single.seconds, one.seconds)} |"
                )
    text += ["", "![figure 1](figure1.png)"]
    (HERE / "table1.md").write_text("\n".join(text) + "\n", encoding="utf-8")
    print("\n".join(text))
    plot(curves)


def plot(curves: dict[str, dict[str, list[Point]]]) -> None:
    """Figure 1, a row per treebank: accuracy against templates, accuracy against speed."""
    import matplotlib

    matplotlib.use("agg")
    from matplotlib import pyplot

    figure, rows = pyplot.subplots(len(curves), 2, figsize=(10, 3.6 * len(curves)), squeeze=False)
    for (name, found), (left, right) in zip(curves.items(), rows, strict=True):
        baseline = found["baseline"][0]
        time = statistics.median(baseline.seconds)
        for model, points in found.items():
            style = {"linestyle": "--" if model == "fixed" else "-", "marker": "o", "markersize": 4, "label": model}
            left.plot([one.templates for one in points], [one.accuracy for one in points], **style)
            speed = [time / statistics.median(one.seconds) for one in points]
            right.plot(speed, [one.accuracy for one in points], **style)
        for axes, label in ((left, "templates per decision"), (right, "speed-up over the baseline")):
            axes.set_xlabel(label)
            axes.set_ylabel(f"UPOS, {name}")
            axes.set_ylim(baseline.accuracy - 5, baseline.accuracy + 0.5)
            axes.grid(alpha=0.3)
            axes.legend(frameon=False, fontsize=8)
    figure.tight_layout()
    figure.savefig(HERE / "figure1.png", dpi=120)


if __name__ == "__main__":
    main()
