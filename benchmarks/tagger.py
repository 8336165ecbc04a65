"""The proof of the engine: part-of-speech tagging on gold tokens, three ways of training, one machine, one run.

    python benchmarks/tagger.py [--data DIR] [--budget 10] [--out docs]

Tunes `full`, `truncated` (strubell2015) and `every-exit` with the same number of random trials on one half of the
development set, then reports on the other half and on the whole: accuracy, templates per decision, speed, and the same for
NLTK's perceptron tagger. Writes OUT/tagger.md and OUT/tagger.png. Needs the extra `bench` and the treebank UD English EWT.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from laconic._core import tag as core
from laconic._core.learn import Examples, instruction_set, read_random_rows
from laconic.corpus import Doc, read
from laconic.evaluate import Scores, compare, evaluate
from laconic.learn import Choice, LogUniform, Settings, Stop, TrainingData, random_search
from laconic.learn import train as learn
from laconic.progress import finished
from laconic.tag import Tagger, TaggerConfig
from laconic.tag.form_templates import tagger_exits

TEMPLATES = 46
EXITS = tagger_exits()
SPACE: dict[str, dict[str, LogUniform | Choice]] = {
    "full": {"l2": LogUniform(1e-7, 1e-4), "rate": LogUniform(0.05, 1.0), "margin": LogUniform(0.5, 5.0)},
    "truncated": {"l2": LogUniform(1e-7, 1e-3), "rate": LogUniform(0.05, 1.0), "margin": LogUniform(0.2, 50.0)},
    "every-exit": {"l2": LogUniform(1e-7, 1e-4), "rate": LogUniform(0.05, 1.0), "margin": LogUniform(0.5, 5.0)},
}


@dataclass
class Point:
    """One setting of one model."""

    name: str
    tagger: Tagger
    stop: Stop
    scores: Scores
    held: Scores
    """On the half of the development set that tuning did not see."""
    templates: float
    rows: float
    seconds: list[float] = field(default_factory=list)

    @property
    def accuracy(self) -> float:
        return self.scores["UPOS"].f1


def predictions(tagger: Tagger, doc: Doc) -> Doc:
    guess = doc.sentences[:]
    tagger.apply(guess)
    return guess


def unfolded(tagger: Tagger) -> Tagger:
    """The same tagger, but the templates of the form are read one by one like all others."""
    words = replace(tagger.words)
    single = core.FormScores(words.plan, words.lexicon, words.frozen.linear, words.candidates, most=0)
    object.__setattr__(words, "form_scores", single)
    return Tagger(tagger.config, tagger.labels, words)


def accuracy(tagger: Tagger, doc: Doc) -> tuple[float, float]:
    """Percent of words right, cache lines of weights per decision."""
    labels, work = tagger.predict(doc)
    right = np.array(tagger.labels)[labels] == np.array(doc.strings("upos"))
    return 100 * float(right.mean()), work.rows / work.decisions


def stops(tagger: Tagger, mode: str) -> Iterator[tuple[str, Stop]]:
    """The settings of a trained model: all templates, then ever fewer."""
    yield "all templates", Stop.never(TEMPLATES)
    if mode == "truncated":
        trained = tagger.config.settings.margin
        for share in (1.0, 0.8, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1):
            yield f"margin {share * trained:.2g}", Stop.margin(share * trained, range(1, TEMPLATES + 1))
    else:
        for tolerance, stop in sorted(tagger.frozen.stops.items()):
            if tolerance > 0:
                yield f"tolerance {tolerance:g}", stop


def best_within_a_quarter(tagger: Tagger, mode: str, doc: Doc) -> float:
    """Accuracy of the best setting that reads at most a quarter of the rows that all templates read."""
    found, most = [0.0], 0.0
    for _, stop in stops(tagger, mode):
        tagger.stop = stop
        right, rows = accuracy(tagger, doc)
        most = max(most, rows)
        if rows <= most / 4:
            found.append(right)
    return max(found)


def tune(mode: str, train: Doc, half: Doc, budget: int, templates: str) -> tuple[Settings, list[float]]:
    """The best of `budget` random trials: for `full` by plain accuracy, for the others within a quarter of the rows."""
    base = Settings(mode=mode, margin=10.0 if mode == "truncated" else 1.0, exits=EXITS if mode == "every-exit" else ())  # type: ignore[arg-type]

    def score(settings: Settings) -> float:
        folds = 2 if mode == "every-exit" else 0
        tagger = finished(
            Tagger.fit(TaggerConfig(templates=templates, settings=settings, folds=folds), TrainingData(train))
        )
        if mode == "full":
            return accuracy(tagger, half)[0]
        # The paper's model may stop after each template, so it reads each by itself: a quarter is one of those.
        return best_within_a_quarter(unfolded(tagger) if mode == "truncated" else tagger, mode, half)

    trials = []
    for trial in random_search(base, SPACE[mode], score, budget):
        trials.append(trial)
        print(
            f"  {mode}: {trial.score:.2f}  l2 {trial.settings.l2:.1e} rate {trial.settings.rate:.2g} margin {trial.settings.margin:.2g}",
            file=sys.stderr,
        )
    return max(trials, key=lambda trial: trial.score).settings, sorted(trial.score for trial in trials)


def curve(mode: str, tagger: Tagger, dev: Doc, held: Doc) -> list[Point]:
    points = []
    for name, stop in stops(tagger, mode):
        tagger.stop = stop
        guess, (_, work) = predictions(tagger, dev), tagger.predict(dev)
        points.append(
            Point(
                name,
                tagger,
                stop,
                evaluate(dev, guess, single_root=False),
                evaluate(held, predictions(tagger, held), single_root=False),
                work.templates / work.decisions,
                work.rows / work.decisions,
            )
        )
    return points


def cpu(action: Callable[[], object]) -> float:
    start = time.process_time()
    action()
    return time.process_time() - start


def measure(points: Sequence[Point], doc: Doc, rounds: int) -> None:
    """Times all settings in turn, round after round, so that a busy machine slows all of them alike."""
    for _ in range(rounds):
        for point in points:
            point.tagger.stop = point.stop
            point.seconds.append(cpu(lambda point=point: point.tagger.predict(doc)))  # type: ignore[misc]


def ratio(slow: Sequence[float], fast: Sequence[float]) -> str:
    each = sorted(a / b for a, b in zip(slow, fast, strict=True))
    return f"{statistics.median(each):.1f} ({each[0]:.1f} to {each[-1]:.1f})"


def nltk_tagger(train: Doc, dev: Doc) -> tuple[Callable[[], object], float, float]:
    """Tags the development set with NLTK's perceptron tagger; its training time and accuracy."""
    from nltk.tag.perceptron import PerceptronTagger

    def sentences(doc: Doc) -> list[list[tuple[str, str]]]:
        return [[(token.form, token.upos) for token in sentence] for sentence in doc.sentences]

    tagger = PerceptronTagger(load=False)
    seconds = cpu(lambda: tagger.train(sentences(train), nr_iter=5))
    words = [[token.form for token in sentence] for sentence in dev.sentences]
    guess = [tag for sentence in words for _, tag in tagger.tag(sentence)]
    right = np.mean(np.array(guess) == np.array(dev.strings("upos")))
    return lambda: [tagger.tag(sentence) for sentence in words], seconds, 100 * float(right)


def report(data: Path, budget: int, rounds: int, out: Path) -> None:
    place = data / "ud" / "en_ewt"
    train, dev = read(place / "train.conllu"), read(place / "dev.conllu")
    middle = len(dev.sentences) // 2
    half, held = dev.sentences[:middle], dev.sentences[middle:]
    curves: dict[str, list[Point]] = {}
    lines = []
    for mode in SPACE:
        settings, scores = tune(mode, train, half, budget, "tagger")
        folds = 0 if mode == "truncated" else 5
        config = TaggerConfig(settings=settings, folds=folds)
        start = time.process_time()
        alone = finished(Tagger.fit(replace(config, folds=0), TrainingData(train)))
        seconds = time.process_time() - start
        tagger = finished(Tagger.fit(config, TrainingData(train))) if folds else alone
        curves[mode] = curve(mode, tagger, dev, held)
        before, after = frozen_and_not(settings, train, dev)
        size = sum(array.nbytes for array in tagger.state()[0].values())
        lines.append(
            f"| {mode} | {settings.l2:.1e} | {settings.rate:.2f} | {settings.margin:.2f} | {scores[0]:.2f} to {scores[-1]:.2f} "
            f"| {seconds:.1f} | {len(tagger.frozen.table):,} | {size / 1e6:.1f} | {before:.2f} | {after:.2f} |"
        )
    every = [point for points in curves.values() for point in points]
    measure(every, dev, rounds)
    baseline = curves["full"][0]
    text = [
        "# The tagger: templates against accuracy",
        "",
        f"Written by `python benchmarks/tagger.py --budget {budget}`: UPOS on UD English EWT, gold tokens, greedy, 46 templates in the shipped order.",
        f"Each way of training got {budget} random trials on the first half of the development set. One thread, CPU time,",
        f"settings in turn, {rounds} rounds, instruction set {instruction_set()}.",
        "",
        "## Training",
        "",
        "| mode | l2 | rate | margin | tuning scores | CPU seconds | features | model MB | float | frozen |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |",
        *lines,
        "",
        "Tuning scores: for `full` the accuracy with all templates, for the others that of the best setting within a quarter",
        "of the rows. Seconds are for one training, calibration not included. Float and frozen: accuracy on the words of dev",
        "that have a choice, with gold tags to their left and all templates, before and after freezing to int8.",
        "",
        "## Accuracy against templates and speed",
        "",
        "`dev` is the whole development set, `held out` the half that tuning did not see. Losses have 95 % intervals by paired",
        "bootstrap over sentences: to `full` with all templates on the held-out half, where two trainings differ in many words",
        "by chance, and to the same model with all templates on dev, which is what stopping early costs. Templates count words",
        "with one candidate, which cost none; lines are cache lines of weights. Speed-up is against `full` with all templates:",
        "median of the rounds, then the spread.",
        "",
        "| model | stop | UPOS dev | UPOS held out | loss to `full` | loss to itself | templates | lines | speed-up | tokens/s |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for mode, points in curves.items():
        for point in points:
            change = compare(point.held, baseline.held, samples=2000)["UPOS"]
            own = compare(point.scores, points[0].scores, samples=2000)["UPOS"]
            text.append(
                f"| {mode} | {point.name} | {point.accuracy:.2f} | {point.held['UPOS'].f1:.2f} "
                f"| {change.value:+.2f} ({change.low:+.2f} to {change.high:+.2f}) "
                f"| {own.value:+.3f} ({own.low:+.3f} to {own.high:+.3f}) | {point.templates:.1f} | {point.rows:.1f} "
                f"| {ratio(baseline.seconds, point.seconds)} | {len(dev) / statistics.median(point.seconds):,.0f} |"
            )
    # The strictest setting within a quarter of the rows: its score has no say in the choice.
    chosen = next(point for point in curves["every-exit"] if point.rows <= curves["every-exit"][0].rows / 4)
    text += [
        "",
        "![accuracy against templates and speed](tagger.png)",
        "",
        *beside(chosen, baseline, train, dev, rounds),
    ]
    out.mkdir(exist_ok=True)
    (out / "tagger.md").write_text("\n".join(text) + "\n", encoding="utf-8")
    plot(curves, baseline, out / "tagger.png")
    print("\n".join(text))


def frozen_and_not(settings: Settings, train: Doc, dev: Doc) -> tuple[float, float]:
    """Accuracy on the development set with gold tags to the left, by the float weights and by the frozen ones."""
    codes, values = Doc.concatenate([train, dev]).codes("upos")
    names = sorted(values)
    gold = np.array([names.index(value) for value in values], np.uint16)[codes]
    tagger = finished(Tagger.fit(TaggerConfig(settings=settings, folds=0), TrainingData(train)))
    examples, judged = (Examples(TEMPLATES, tagger.frozen.sets) for _ in range(2))
    tagger.words.collect(examples, train, gold[: len(train)])
    examples.finish(settings.cutoff)
    tagger.words.collect(judged, dev, gold[len(train) :])
    judged.finish_like(examples)
    learner = finished(learn(examples, TEMPLATES, settings))
    every = np.arange(len(judged), dtype=np.uint32)
    right = np.array([judged.gold(int(i)) for i in every])
    both = (learner, learner.freeze(examples))
    return tuple(100 * float(np.mean(one.predict(judged, every) == right)) for one in both)  # type: ignore[return-value]


def beside(chosen: Point, baseline: Point, train: Doc, dev: Doc, rounds: int) -> list[str]:
    """The chosen setting, side by side with NLTK and with what the memory allows."""
    theirs, seconds, right = nltk_tagger(train, dev)
    table = chosen.tagger.frozen.table
    chosen.tagger.stop = chosen.stop
    rows = round(chosen.rows * len(dev))
    times: dict[str, list[float]] = {"nltk": [], "ours": [], "reads": []}
    for _ in range(max(3, rounds // 3)):
        times["nltk"].append(cpu(theirs))
        times["ours"].append(cpu(lambda: [chosen.tagger.predict(dev) for _ in range(10)]) / 10)
        times["reads"].append(cpu(lambda: [read_random_rows(table, rows, seed) for seed in range(10)]) / 10)
    return [
        "## Side by side",
        "",
        f"`every-exit` at {chosen.name} ({chosen.templates:.1f} templates, UPOS {chosen.accuracy:.2f}), tagging the development set in memory:",
        "",
        "| | UPOS dev | tokens/s | training, CPU s |",
        "| --- | --- | --- | --- |",
        f"| laconic | {chosen.accuracy:.2f} | {len(dev) / statistics.median(times['ours']):,.0f} | see above |",
        f"| NLTK perceptron tagger, 5 iterations | {right:.2f} | {len(dev) / statistics.median(times['nltk']):,.0f} | {seconds:.0f} |",
        "",
        f"- Speed against NLTK: {ratio(times['nltk'], times['ours'])} times.",
        f"- Time against {rows:,} random reads of a cache line of the same table (the limit): {ratio(times['ours'], times['reads'])} times.",
        f"- Bytes of weights: {table.nbytes:,} in {len(table):,} rows of {table.stride} bytes.",
    ]


def plot(curves: dict[str, list[Point]], baseline: Point, path: Path) -> None:
    import matplotlib

    matplotlib.use("agg")
    from matplotlib import pyplot

    figure, (left, right) = pyplot.subplots(1, 2, figsize=(10, 4), sharey=True)
    for mode, points in curves.items():
        left.plot([p.templates for p in points], [p.accuracy for p in points], marker="o", markersize=4, label=mode)
        speed = [statistics.median(baseline.seconds) / statistics.median(p.seconds) for p in points]
        right.plot(speed, [p.accuracy for p in points], marker="o", markersize=4, label=mode)
    left.set_xlabel("templates per decision")
    left.set_ylabel("UPOS, percent")
    left.set_ylim(90.0, 95.2)
    right.set_xlabel("speed-up over all templates")
    for axes in (left, right):
        axes.grid(alpha=0.3)
        axes.legend(frameon=False)
    figure.tight_layout()
    figure.savefig(path, dpi=130)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    beside_repository = Path(__file__).resolve().parent.parent.parent / "shared" / "data"
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("LACONIC_DATA", beside_repository)))
    parser.add_argument("--budget", type=int, default=10, help="random trials per way of training")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--out", type=Path, default=Path("docs"))
    arguments = parser.parse_args()
    if not (arguments.data / "ud" / "en_ewt" / "train.conllu").is_file():
        sys.exit(f"needs the treebank UD English EWT: {arguments.data}/ud/en_ewt/train.conllu and dev.conllu")
    report(arguments.data, arguments.budget, arguments.rounds, arguments.out)


if __name__ == "__main__":
    main()
