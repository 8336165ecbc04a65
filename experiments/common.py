"""What the experiments share: the command line, treebanks, figures with intervals, and curves of accuracy against speed."""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from laconic.corpus import Doc, read
from laconic.evaluate import Counts, Scores, compare, intervals
from laconic.learn import Choice, LogUniform, Settings, random_search
from laconic.search.journal import Journal, key

ROOT = Path(__file__).resolve().parent.parent


def arguments(text: str | None) -> argparse.ArgumentParser:
    """A command line that knows where the data are."""
    parser = argparse.ArgumentParser(description=text, formatter_class=argparse.RawDescriptionHelpFormatter)
    beside = ROOT.parent / "shared" / "data"
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("LACONIC_DATA", beside)))
    return parser


def command() -> str:
    """The command that was given, as Markdown, but for where the data are."""
    script = Path(sys.argv[0]).resolve().relative_to(ROOT).as_posix()
    given = [one for one in sys.argv[1:] if not one.startswith("--data=")]
    if "--data" in given:
        at = given.index("--data")
        del given[at : at + 2]
    return " ".join(("`python", script, *given)) + "`"


def folder(report: Path) -> Path:
    """Where a run writes: beside the report, unless the one that is there was written by another command. Then into
    ``build``, so that a trial with less data or other settings does not replace what is kept."""
    if not report.exists() or f"Written by {command()}:" in report.read_text("utf-8"):
        return report.parent
    build = Path("build")
    build.mkdir(exist_ok=True)
    return build


def treebank(data: Path, name: str, sentences: int | None = None) -> tuple[Doc, Doc]:
    """Training set, or so many sentences from its front, and development set."""
    files = [next(iter(sorted((data / "ud" / name).glob(f"{part}.conll*"))), None) for part in ("train", "dev")]
    if None in files:
        sys.exit(f"needs train.conllu and dev.conllu in {data / 'ud' / name}")
    train, dev = (read(file, "conllu") for file in files if file is not None)
    return train.sentences[:sentences], dev


def pos_of(doc: Doc) -> str:
    return "upos" if any(value != "_" for value in doc.codes("upos")[1]) else "xpos"


def blank(doc: Doc) -> Doc:
    """The words alone, so that nothing can be copied from the answer."""
    copy = doc.sentences[:]
    for column in ("upos", "xpos", "feats", "lemma"):
        copy.set_codes(column, np.zeros(len(copy), np.int32), ["_"])
    return copy


def cell(scores: Scores, metric: str) -> str:
    found = intervals(scores)[metric]
    return f"{found.value:.2f} ({found.low:.2f} to {found.high:.2f})"


def change(first: Scores, second: Scores, metric: str) -> str:
    found = compare(first, second, samples=2000)[metric]
    return f"{found.value:+.2f} ({found.low:+.2f} to {found.high:+.2f})"


def together(several: Sequence[Scores]) -> Scores:
    """The sentences of several runs over the same gold, each counted as often as there are runs."""
    metrics = several[0].counts

    def sums(metric: str) -> Counts:
        parts = zip(*(_sums(scores.counts[metric]) for scores in several), strict=True)
        return Counts(*(np.sum(part, axis=0) for part in parts))

    return Scores({metric: sums(metric) for metric in metrics})


def line(*cells: str) -> str:
    """A row of a table."""
    return f"| {' | '.join(cells)} |"


def header(*names: str) -> list[str]:
    return [line(*names), line(*["---"] * len(names))]


def write(report: Path, lines: Sequence[str]) -> None:
    """Write a report into its folder and print it. It says by which command it was written."""
    path = folder(report) / report.name
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print("\n".join(lines), flush=True)
    print(f"wrote {path}", file=sys.stderr)


def journal(name: str) -> Journal:
    """What an experiment has computed so far."""
    path = Path("build") / f"{name}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    return Journal(path)


def remembered(known: Journal, about: tuple[object, ...], compute: Callable[[], Iterable[Scores]]) -> list[Scores]:
    """UAS and LAS, from the journal if they are there under what they are about."""
    name, metrics = key(*map(str, about)), ("UAS", "LAS")
    if name not in known:
        found = [scores.counts for scores in compute()]
        known.put(
            name, [{metric: [part.tolist() for part in _sums(one[metric])] for metric in metrics} for one in found]
        )
        print(*about, *(f"{metric} {found[0][metric].total().f1:.2f}" for metric in metrics), file=sys.stderr)
    return [Scores({metric: Counts(*map(np.array, parts)) for metric, parts in one.items()}) for one in known[name]]


def _sums(counts: Counts) -> tuple[npt.NDArray[np.int64], ...]:
    return counts.correct, counts.gold, counts.system


def best(
    base: Settings,
    space: Mapping[str, LogUniform | Choice],
    score: Callable[[Settings], float],
    budget: int,
    tried: Journal,
    *about: str,
) -> Settings:
    """The best of so many random trials; those that were tried before, with the same settings and about the same,
    are not run again."""

    def known(settings: Settings) -> float:
        name = key(asdict(settings), *about)
        if name not in tried:
            tried.put(name, score(settings))
        return float(tried[name])

    trials = []
    for trial in random_search(base, space, known, budget):
        trials.append(trial)
        print(f"  {base.mode}: {trial.score:.2f} {trial.settings}", file=sys.stderr)
    return max(trials, key=lambda trial: trial.score).settings


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


def cpu(action: Callable[[], object]) -> float:
    begun = time.process_time()
    action()
    return time.process_time() - begun


def measure(curves: Curves, rounds: int) -> None:
    """Times all settings in turn, round after round, so that a busy machine slows all of them alike."""
    for _ in range(rounds):
        for points in curves.values():
            for point in points:
                point.seconds.append(cpu(point.run))


def ratio(slow: Sequence[float], fast: Sequence[float]) -> str:
    each = sorted(a / b for a, b in zip(slow, fast, strict=True))
    return f"{statistics.median(each):.1f} ({each[0]:.1f} to {each[-1]:.1f})"


def table(curves: Curves, own: Mapping[str, str]) -> Iterator[str]:
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
