"""Table 2 and figure 2 of strubell2015: transition parsing with ever fewer templates.

    python -m experiments.strubell2015.table2 [--data DIR] [--budget 3] [--rounds 7] [--sample 4000] [--train N]
        [--seeds 1]

On UD English EWT with the treebank's tags: the baseline (all templates), fixed prefixes with the baseline's settings, the
paper's dynamic model (truncated loss, one margin) and ours (every exit, margins per depth). The same number of random
trials on a part of the training set tunes baseline, paper and ours on the first half of the development set. Everything is
reported on the whole development set, UAS and LAS without punctuation as in the paper, losses with 95 % intervals.
`--train` takes a part of the treebank; `--seeds` trains baseline and ours so many times and counts their sentences
together, for chance in training is larger than the losses. Writes table2.md and figure2.png beside itself; trials are kept in
build/table2.jsonl, so that a second run goes on. Needs the extra `bench` and the treebank.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from experiments.common import arguments, command, folder, journal, treebank, write_report
from experiments.curves import Point, averaged, curve_table, figure, measure_curves
from experiments.tuning import best
from laconic.corpus import Doc
from laconic.evaluate import evaluate_conllx
from laconic.learn import LogUniform, Settings, Stop, TrainingData
from laconic.progress import finished
from laconic.search.journal import Journal
from laconic.transition import Parser, ParserConfig
from laconic.transition.config import EXITS, LABEL_EXITS

HERE = Path(__file__).resolve().parent

LINEAR = ParserConfig(scorer="linear")
TEMPLATES = (len(LINEAR.template_set()), len(LINEAR.label_template_set()))
PREFIXES = ((6, 3), (12, 6), (24, 12), (48, 24))
SPACE = {
    "full": {"l2": LogUniform(1e-6, 1e-3), "rate": LogUniform(0.05, 0.5)},
    "truncated": {"l2": LogUniform(1e-6, 1e-3), "rate": LogUniform(0.05, 0.5), "margin": LogUniform(2.0, 20.0)},
    "every-exit": {"l2": LogUniform(1e-6, 1e-3), "rate": LogUniform(0.05, 0.5)},
}


def config_of(settings: Settings, folds: int = 0, depths: tuple[int, int] = (0, 0)) -> ParserConfig:
    every = settings.mode == "truncated"  # the paper's loss is taken after each template
    own = replace(settings, exits=() if every else EXITS, depth=depths[0])
    labels = replace(settings, exits=() if every else LABEL_EXITS, depth=depths[1])
    return ParserConfig(scorer="linear", settings=own, label_settings=labels, folds=folds)


def point(name: str, parser: Parser, stops: tuple[Stop, Stop], dev: Doc) -> Point:
    def run() -> None:
        parser.stops = stops
        parser.predict(dev)

    parser.stops = stops
    guess = dev.sentences[:]
    work = parser.apply(guess)
    scores = evaluate_conllx(dev, guess)
    values = {metric: scores[metric].f1 for metric in ("LAS", "UAS")}
    return Point(name, scores, values, work.templates / work.decisions, work.rows / work.decisions, run)


def everything() -> tuple[Stop, Stop]:
    return Stop.never(TEMPLATES[0]), Stop.never(TEMPLATES[1])


def curve(parser: Parser, mode: str, dev: Doc) -> Iterator[Point]:
    """The settings of a trained model: all templates, then ever fewer."""
    yield point("all templates", parser, everything(), dev)
    if mode == "truncated":
        yield from margins(parser, tuple(range(1, count + 1) for count in TEMPLATES), dev)
    else:
        for tolerance in sorted(parser.frozen[0].stops):
            if tolerance > 0:
                parser.effort(tolerance)
                yield point(f"tolerance {tolerance:g}", parser, parser.stops, dev)


def margins(parser: Parser, depths: Sequence[Sequence[int]], dev: Doc) -> Iterator[Point]:
    """One margin at all these depths, from that of training downwards."""
    for share in (1.0, 0.8, 0.6, 0.45, 0.3, 0.2):
        margin = share * parser.config.settings.margin
        moves, labels = (Stop.margin(margin, some) for some in depths)
        yield point(f"margin {margin:.2g}", parser, (moves, labels), dev)


def tune(mode: str, train: Doc, half: Doc, budget: int, tried: Journal) -> Settings:
    """The best of so many trials: for the baseline by LAS, for the others by LAS within a third of the templates."""
    base = Settings(mode=mode, l2=1e-4, epochs=4, margin=8.0 if mode == "truncated" else 1.0)  # type: ignore[arg-type]

    def score(settings: Settings, share: float) -> float:
        part = train.sentences[: round(share * len(train.sentences))]
        parser = finished(Parser.fit(config_of(settings, 2 if mode == "every-exit" else 0), TrainingData(part)))
        if mode == "full":
            return point("all", parser, everything(), half).value
        points = list(curve(parser, mode, half))
        return max((one.value for one in points if one.templates <= points[0].templates / 3), default=0.0)

    return replace(best(base, SPACE[mode], score, budget, tried, str(len(train))), epochs=6)


def models_of_table2(train: Doc, dev: Doc, tuned: dict[str, Settings], seeds: int) -> Iterator[tuple[str, list[Point]]]:
    """All curves, the baseline first."""

    def curves(mode: str) -> list[Point]:
        runs = [replace(tuned[mode], seed=seed + 1) for seed in range(seeds)]
        fits = (finished(Parser.fit(config_of(settings, 2), TrainingData(train))) for settings in runs)
        return averaged([list(curve(parser, mode, dev)) for parser in fits])

    def once(points: Iterable[Point]) -> list[Point]:
        return averaged([list(points)] * seeds)

    plain = curves("full")
    yield "baseline", plain[:1]
    yield "baseline, stopped early", plain[1:]
    fixed = []
    for depths in PREFIXES:
        parser = finished(
            Parser.fit(config_of(replace(tuned["full"], mode="fixed"), depths=depths), TrainingData(train))
        )
        stops = (Stop.never(depths[0]), Stop.never(depths[1]))
        fixed.append(point(f"first {depths[0]} and {depths[1]}", parser, stops, dev))
    yield "fixed", once(fixed)
    paper = finished(Parser.fit(config_of(tuned["truncated"]), TrainingData(train)))
    yield "dynamic (paper)", once(curve(paper, "truncated", dev))
    exits = [(*some, count) for some, count in zip((EXITS, LABEL_EXITS), TEMPLATES, strict=True)]
    yield "dynamic, our exits", once(margins(paper, exits, dev))
    yield "ours", curves("every-exit")


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--budget", type=int, default=3)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--sample", type=int, default=4000, help="training sentences of a trial")
    parser.add_argument("--train", type=int, default=None, help="training sentences in all")
    parser.add_argument("--seeds", type=int, default=1, help="of baseline and ours")
    chosen = parser.parse_args()
    train, dev = treebank(chosen.data, "en_ewt", chosen.train)
    half = dev.sentences[: len(dev.sentences) // 2]
    part = train.sentences[: chosen.sample]
    tried = journal("table2")
    tuned = {mode: tune(mode, part, half, chosen.budget, tried) for mode in SPACE}
    found = dict(models_of_table2(train, dev, tuned, chosen.seeds))
    measure_curves(found, chosen.rounds)
    own = {"baseline, stopped early": "baseline", "ours": "ours"}
    own |= dict.fromkeys(("dynamic (paper)", "dynamic, our exits"), "dynamic (paper)")
    text = [
        "# Table 2: parsing with ever fewer templates",
        "",
        f"Written by {command()}: UD English EWT, development set, tags of the treebank,",
        f"arc-hybrid, {TEMPLATES[0]} templates for moves and {TEMPLATES[1]} for labels; UAS and LAS without punctuation. {chosen.budget} random",
        f"trials each for baseline, paper and ours on {len(part.sentences):,} training sentences and the first half of the development set;",
        f"then all models learn from {len(train.sentences):,} sentences, baseline and ours with seeds 1 to {chosen.seeds}, whose sentences count together, the others with one.",
        "`dynamic, our exits`: the paper's model, which may stop after each template, asked only where ours is.",
        "Losses in LAS with 95 % intervals by paired bootstrap: to the baseline, another training, and to the same model with",
        f"all templates. Speed-up over the baseline: median and spread of {chosen.rounds} alternating rounds of CPU time.",
        "",
        *curve_table(found, own),
        "",
        "![figure 2](figure2.png)",
    ]
    write_report(HERE / "table2.md", text)
    figure({"EWT": found}, folder(HERE / "table2.md") / "figure2.png")


if __name__ == "__main__":
    main()
