"""Table 2 and figure 2 of strubell2015: transition parsing with ever fewer templates.

    python experiments/strubell2015/table2.py [--data DIR] [--budget 3] [--rounds 7] [--sample 4000] [--train 0]

On UD English EWT with the treebank's tags: the baseline (all templates), fixed prefixes with the baseline's settings, the
paper's dynamic model (truncated loss, one margin) and ours (every exit, margins per depth). The same number of random
trials on a part of the training set tunes baseline, paper and ours on the first half of the development set. Everything is
reported on the whole development set, UAS and LAS without punctuation as in the paper, losses with 95 % intervals.
`--train` takes a part of the treebank. Writes table2.md and figure2.png beside itself. Needs the extra `bench` and the treebank.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent / "benchmarks"))  # times are told as those of the tagger

from tagger import ratio  # noqa: E402

from laconic.corpus import Doc, read  # noqa: E402
from laconic.evaluate import Scores, compare, evaluate_conllx  # noqa: E402
from laconic.learn import LogUniform, Settings, Stop, random_search  # noqa: E402
from laconic.progress import finished  # noqa: E402
from laconic.transition import Parser, ParserConfig  # noqa: E402
from laconic.transition.config import EXITS, LABEL_EXITS  # noqa: E402

LINEAR = ParserConfig(scorer="linear")
TEMPLATES = (len(LINEAR.template_set()), len(LINEAR.label_template_set()))
PREFIXES = ((6, 3), (12, 6), (24, 12), (48, 24))
SPACE = {
    "full": {"l2": LogUniform(1e-6, 1e-3), "rate": LogUniform(0.05, 0.5)},
    "truncated": {"l2": LogUniform(1e-6, 1e-3), "rate": LogUniform(0.05, 0.5), "margin": LogUniform(2.0, 20.0)},
    "every-exit": {"l2": LogUniform(1e-6, 1e-3), "rate": LogUniform(0.05, 0.5)},
}


@dataclass
class Point:
    """One setting of one model."""

    name: str
    parser: Parser
    stops: tuple[Stop, Stop]
    scores: Scores
    templates: float
    """Of a decision, moves and labels together."""
    rows: float
    seconds: list[float] = field(default_factory=list)

    @property
    def las(self) -> float:
        return self.scores["LAS"].f1


def config_of(settings: Settings, folds: int = 0, depths: tuple[int, int] = (0, 0)) -> ParserConfig:
    every = settings.mode == "truncated"  # the paper's loss is taken after each template
    own = replace(settings, exits=() if every else EXITS, depth=depths[0])
    labels = replace(settings, exits=() if every else LABEL_EXITS, depth=depths[1])
    return ParserConfig(scorer="linear", settings=own, label_settings=labels, folds=folds)


def point(name: str, parser: Parser, stops: tuple[Stop, Stop], dev: Doc) -> Point:
    parser.stops = stops
    guess = dev.sentences[:]
    work = parser.apply(guess)
    scores = evaluate_conllx(dev, guess)
    return Point(name, parser, stops, scores, work.templates / work.decisions, work.rows / work.decisions)


def everything() -> tuple[Stop, Stop]:
    return Stop.never(TEMPLATES[0]), Stop.never(TEMPLATES[1])


def curve(parser: Parser, mode: str, dev: Doc) -> Iterator[Point]:
    """The settings of a trained model: all templates, then ever fewer."""
    yield point("all templates", parser, everything(), dev)
    if mode == "truncated":
        trained = parser.config.settings.margin
        for share in (1.0, 0.8, 0.6, 0.45, 0.3, 0.2):
            margin = share * trained
            stops = tuple(Stop.margin(margin, range(1, count + 1)) for count in TEMPLATES)
            yield point(f"margin {margin:.2g}", parser, (stops[0], stops[1]), dev)
    else:
        for tolerance in sorted(parser.frozen[0].stops):
            if tolerance > 0:
                parser.effort(tolerance)
                yield point(f"tolerance {tolerance:g}", parser, parser.stops, dev)


def tune(mode: str, train: Doc, half: Doc, budget: int) -> Settings:
    """The best of so many trials: for the baseline by LAS, for the others by LAS within a third of the templates."""
    base = Settings(mode=mode, l2=1e-4, epochs=4, margin=8.0 if mode == "truncated" else 1.0)  # type: ignore[arg-type]

    def score(settings: Settings) -> float:
        parser = finished(Parser.fit(config_of(settings, 2 if mode == "every-exit" else 0), train))
        points = list(curve(parser, mode, half)) if mode != "full" else [point("all", parser, everything(), half)]
        within = [one.las for one in points if mode == "full" or one.templates <= points[0].templates / 3]
        return max(within, default=0.0)

    trials = []
    for trial in random_search(base, SPACE[mode], score, budget):
        trials.append(trial)
        print(f"  {mode}: {trial.score:.2f} {trial.settings}", file=sys.stderr)
    return replace(max(trials, key=lambda trial: trial.score).settings, epochs=6)


def models(train: Doc, dev: Doc, budget: int, sample: int) -> Iterator[tuple[str, list[Point]]]:
    """All curves, the baseline first."""
    half = dev.sentences[: len(dev.sentences) // 2]
    part = train.sentences[:sample]
    tuned = {mode: tune(mode, part, half, budget) for mode in SPACE}
    plain = list(curve(finished(Parser.fit(config_of(tuned["full"], 2), train)), "full", dev))
    yield "baseline", plain[:1]
    yield "baseline, stopped early", plain[1:]
    fixed = []
    for depths in PREFIXES:
        parser = finished(Parser.fit(config_of(replace(tuned["full"], mode="fixed"), depths=depths), train))
        stops = (Stop.never(depths[0]), Stop.never(depths[1]))
        fixed.append(point(f"first {depths[0]} and {depths[1]}", parser, stops, dev))
    yield "fixed", fixed
    paper = finished(Parser.fit(config_of(tuned["truncated"]), train))
    yield "dynamic (paper)", list(curve(paper, "truncated", dev))
    ours = finished(Parser.fit(config_of(tuned["every-exit"], 2), train))
    yield "ours", list(curve(ours, "every-exit", dev))


def measure(points: list[Point], doc: Doc, rounds: int) -> None:
    """Times all settings in turn, round after round, so that a busy machine slows all of them alike."""
    for _ in range(rounds):
        for one in points:
            one.parser.stops = one.stops
            begun = time.process_time()
            one.parser.predict(doc)
            one.seconds.append(time.process_time() - begun)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    beside = HERE.parent.parent.parent / "shared" / "data"
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("LACONIC_DATA", beside)))
    parser.add_argument("--budget", type=int, default=3)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--sample", type=int, default=4000, help="training sentences of a trial")
    parser.add_argument("--train", type=int, default=0, help="training sentences in all; 0: the whole treebank")
    arguments = parser.parse_args()
    place = arguments.data / "ud" / "en_ewt"
    if not (place / "train.conllu").exists():
        sys.exit(f"needs the treebank {place}")
    train, dev = read(place / "train.conllu"), read(place / "dev.conllu")
    train = train.sentences[: arguments.train or None]
    found = dict(models(train, dev, arguments.budget, arguments.sample))
    measure([one for points in found.values() for one in points], dev, arguments.rounds)
    baseline = found["baseline"][0]
    text = [
        "# Table 2: parsing with ever fewer templates",
        "",
        "Written by `python experiments/strubell2015/table2.py`: UD English EWT, development set, tags of the treebank,",
        f"arc-hybrid, {TEMPLATES[0]} templates for moves and {TEMPLATES[1]} for labels; UAS and LAS without punctuation. {arguments.budget} random",
        f"trials each for baseline, paper and ours on {arguments.sample:,} training sentences and the first half of the development set;",
        f"then all models learn from {len(train.sentences):,} sentences.",
        "Losses in LAS with 95 % intervals by paired bootstrap: to the baseline, another training, and to the same model with",
        f"all templates. Speed-up over the baseline: median and spread of {arguments.rounds} alternating rounds of CPU time.",
        "",
        "| model | stop | UAS | LAS | loss to baseline | loss to itself | templates | lines | speed-up |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for model, points in found.items():
        itself = baseline if model == "baseline, stopped early" else points[0]
        for one in points:
            lost, own = (compare(one.scores, other.scores, samples=2000)["LAS"] for other in (baseline, itself))
            alone = model in ("baseline", "fixed")
            text.append(
                f"| {model} | {one.name} | {one.scores['UAS'].f1:.2f} | {one.las:.2f} "
                f"| {lost.value:+.2f} ({lost.low:+.2f} to {lost.high:+.2f}) "
                f"| {'' if alone else f'{own.value:+.2f} ({own.low:+.2f} to {own.high:+.2f})'} "
                f"| {one.templates:.1f} | {one.rows:.1f} | {ratio(baseline.seconds, one.seconds)} |"
            )
    text += ["", "![figure 2](figure2.png)"]
    (HERE / "table2.md").write_text("\n".join(text) + "\n", encoding="utf-8")
    print("\n".join(text))
    plot(found)


def plot(found: dict[str, list[Point]]) -> None:
    """Figure 2: LAS against templates, LAS against speed."""
    import matplotlib

    matplotlib.use("agg")
    from matplotlib import pyplot

    figure, (left, right) = pyplot.subplots(1, 2, figsize=(10, 4))
    baseline = found["baseline"][0]
    time_of_all = statistics.median(baseline.seconds)
    for model, points in found.items():
        style = {"linestyle": "--" if model == "fixed" else "-", "marker": "o", "markersize": 4, "label": model}
        left.plot([one.templates for one in points], [one.las for one in points], **style)
        speed = [time_of_all / statistics.median(one.seconds) for one in points]
        right.plot(speed, [one.las for one in points], **style)
    for axes, label in ((left, "templates per decision"), (right, "speed-up over the baseline")):
        axes.set_xlabel(label)
        axes.set_ylabel("LAS without punctuation")
        axes.set_ylim(baseline.las - 6, baseline.las + 0.5)
        axes.grid(alpha=0.3)
        axes.legend(frameon=False, fontsize=8)
    figure.tight_layout()
    figure.savefig(HERE / "figure2.png", dpi=120)


if __name__ == "__main__":
    main()
