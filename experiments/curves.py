"""Curves of accuracy against templates and speed: one model at several settings."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from experiments.common import write_report
from experiments.tables import change, header, joined, line, ratio, together
from experiments.timing import cpu
from laconic.evaluate import Scores


@dataclass
class Point:
    """One setting of one model."""

    name: str
    scores: Scores
    values: dict[str, float]
    """What is shown; the first is the metric that losses and figures are about."""
    templates: float
    """Of a decision."""
    rows: float
    """Cache lines of weights of a decision."""
    run: Callable[[], object]
    seconds: list[float] = field(default_factory=list)

    @property
    def metric(self) -> str:
        return next(iter(self.values))

    @property
    def value(self) -> float:
        return self.values[self.metric]


def averaged(runs: Sequence[Sequence[Point]]) -> list[Point]:
    """The same settings of several trainings as one; the first is timed."""
    return [_average(same) for same in zip(*runs, strict=True)]


def _average(same: Sequence[Point]) -> Point:
    values = {metric: statistics.fmean(point.values[metric] for point in same) for metric in same[0].values}
    return replace(
        same[0],
        scores=together([point.scores for point in same]),
        values=values,
        templates=statistics.fmean(point.templates for point in same),
        rows=statistics.fmean(point.rows for point in same),
    )


Curves = Mapping[str, Sequence[Point]]
"""Models with their settings: the baseline first, which has one."""


def measure_curves(curves: Curves, rounds: int, timed: Callable[[Callable[[], object]], float] = cpu) -> None:
    """Times all settings in turn, round after round, so that a busy machine slows all of them alike."""
    for _ in range(rounds):
        for points in curves.values():
            for point in points:
                point.seconds.append(timed(point.run))


def curve_table(curves: Curves, own: Mapping[str, str]) -> Iterator[str]:
    """A row for each setting. ``own`` names for some models the one whose first setting has all their templates."""
    baseline = next(iter(curves.values()))[0]
    yield from header(
        "model", "stop", *baseline.values, "loss to baseline", "loss to itself", "templates", "lines", "speed-up"
    )
    for model, points in curves.items():
        whole = curves[own[model]][0].scores if model in own else None
        for point in points:
            yield line(
                model,
                point.name,
                *(f"{value:.2f}" for value in point.values.values()),
                "" if point is baseline else change(point.scores, baseline.scores, point.metric),
                "" if whole is None or whole is point.scores else change(point.scores, whole, point.metric),
                f"{point.templates:.1f}",
                f"{point.rows:.1f}",
                ratio(baseline.seconds, point.seconds),
            )


def pooled_table(several: Sequence[Curves]) -> Iterator[str]:
    """The models of several data sets, whose settings have the same names, over all their sentences: losses, templates as
    a mean over the sets, and the ratio of the times of all of them."""
    metric = next(iter(several[0].values()))[0].metric
    bases = [next(iter(curves.values()))[0] for curves in several]
    baseline = joined([one.scores for one in bases])
    yield from header("model", "stop", metric, "loss to baseline", "loss to itself", "templates", "speed-up")
    for model in several[0]:
        own = joined([curves[model][0].scores for curves in several])
        for same in zip(*(curves[model] for curves in several), strict=True):
            scores = joined([point.scores for point in same])
            yield line(
                model,
                same[0].name,
                f"{scores[metric].f1:.2f}",
                "" if same[0] is bases[0] else change(scores, baseline, metric),
                "" if same[0] is several[0][model][0] else change(scores, own, metric),
                f"{statistics.fmean(point.templates for point in same):.1f}",
                ratio(_round_sums(bases), _round_sums(same)),
            )


@dataclass
class CurveReport:
    """The report of an experiment on several sets of data, written anew after each of them."""

    path: Path
    text: list[str]
    rounds: int
    """Of timing."""
    end: Sequence[str] = ()
    """What follows the tables."""
    measured: dict[str, dict[str, Curves]] = field(default_factory=dict)
    """By set of data and title."""

    def add(self, name: str, curves: Curves, title: str = "") -> None:
        """Measure a set of data under a title, and write what there is by now."""
        measure_curves(curves, self.rounds)
        own = {model: model for model in curves if model not in ("baseline", "fixed")}
        if name not in self.measured:
            self.text += ["", f"## {name}"]
        self.text += ["", *([f"### {title}", ""] if title else []), *curve_table(curves, own)]
        self.measured.setdefault(name, {})[title] = curves
        pooled = list(self._pooled())
        heading = ["", "## Together"] if pooled else []
        write_report(self.path, [*self.text, *heading, *pooled, *self.end])

    def _pooled(self) -> Iterator[str]:
        """Of the sets that have the metric of the first."""
        for title in dict.fromkeys(title for each in self.measured.values() for title in each):
            several = [each[title] for each in self.measured.values() if title in each]
            metrics = [next(iter(curves.values()))[0].metric for curves in several]
            several = [curves for curves, metric in zip(several, metrics, strict=True) if metric == metrics[0]]
            if len(several) == 1:
                continue
            shared = [model for model in several[0] if all(model in curves for curves in several)]
            yield from ["", *([f"### {title}", ""] if title else [])]
            yield from pooled_table([{model: curves[model] for model in shared} for curves in several])

    def with_model(self, model: str) -> dict[str, Curves]:
        """The curves of those sets of data that have a model, by their names."""
        return {name: curves for name, each in self.measured.items() for curves in each.values() if model in curves}


def best_within(points: Sequence[Point], templates: float) -> float:
    """The best value that is reached with at most so many templates of a decision."""
    return max((point.value for point in points if point.templates <= templates), default=0.0)


def _round_sums(points: Sequence[Point]) -> list[float]:
    return [sum(each) for each in zip(*(point.seconds for point in points), strict=True)]


def figure(treebanks: Mapping[str, Curves], path: Path) -> None:
    """A row per treebank: the metric against templates, and against speed."""
    import matplotlib

    matplotlib.use("agg")
    from matplotlib import pyplot

    whole, rows = pyplot.subplots(len(treebanks), 2, figsize=(10, 3.8 * len(treebanks)), squeeze=False)
    for (name, curves), (left, right) in zip(treebanks.items(), rows, strict=True):
        baseline = next(iter(curves.values()))[0]
        seconds = statistics.median(baseline.seconds)
        for model, points in curves.items():
            style = {"linestyle": "--" if model == "fixed" else "-", "marker": "o", "markersize": 4, "label": model}
            values = [point.value for point in points]
            left.plot([point.templates for point in points], values, **style)
            right.plot([seconds / statistics.median(point.seconds) for point in points], values, **style)
        for axes, label in ((left, "templates per decision"), (right, "speed-up over the baseline")):
            axes.set_xlabel(label)
            axes.set_ylabel(f"{baseline.metric}, {name}")
            axes.set_ylim(baseline.value - 5, baseline.value + 0.5)
            axes.grid(alpha=0.3)
            axes.legend(frameon=False, fontsize=8)
    whole.tight_layout()
    whole.savefig(path, dpi=120)


def accuracy_against_speed(curves: Curves, words: int, path: Path, metric: str) -> None:
    """One figure: a curve per model, words per CPU second along, the metric up."""
    import matplotlib

    matplotlib.use("agg")
    from matplotlib import pyplot

    whole, axes = pyplot.subplots(figsize=(7, 4))
    for model, points in curves.items():
        speeds = [words / statistics.median(one.seconds) for one in points]
        axes.plot(speeds, [one.value for one in points], marker="o", markersize=4, label=model)
    axes.set_xscale("log")
    axes.set_xlabel("words per CPU second")
    axes.set_ylabel(metric)
    axes.grid(alpha=0.3)
    axes.legend(frameon=False)
    whole.tight_layout()
    whole.savefig(path, dpi=120)
