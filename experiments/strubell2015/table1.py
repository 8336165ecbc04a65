"""Table 1 and figure 1 of strubell2015: part-of-speech tagging with ever fewer templates.

    python experiments/strubell2015/table1.py [--data DIR] [--budget 6] [--rounds 7] [--seeds 1]
        [TREEBANK ...]

For each treebank the same number of random trials tunes the baseline (all templates), the paper's dynamic model (truncated
loss, one margin) and ours (every exit, margins per depth) on the first half of the development set; stagewise and fixed
models take the baseline's settings. Everything is reported on the whole development set, losses with 95 % intervals.
Writes table1.md and figure1.png beside itself. Needs the extra `bench` and the treebanks.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent.parent / "benchmarks")]  # whose tagger is tuned in the same way

from common import Point, arguments, averaged, command, figure, folder, measure, table, treebank, write  # noqa: E402
from tagger import EXITS, TEMPLATES, predictions, stops, tune, unfolded  # noqa: E402

from laconic.corpus import Doc  # noqa: E402
from laconic.evaluate import breakdown, evaluate  # noqa: E402
from laconic.learn import Settings, Stop, TrainingData  # noqa: E402
from laconic.progress import finished  # noqa: E402
from laconic.tag import Tagger, TaggerConfig  # noqa: E402
from laconic.tag.form_templates import head  # noqa: E402

FORM_ALONE = head(TaggerConfig().template_set())
TREEBANKS = ("en_ewt", "sv_talbanken", "pt_bosque")
PREFIXES = (1, 3, 5, 10, 20)


def point(name: str, tagger: Tagger, stop: Stop, dev: Doc, known: set[str]) -> Point:
    def run() -> None:
        tagger.stop = stop
        tagger.predict(dev)

    tagger.stop = stop
    guess, (_, work) = predictions(tagger, dev), tagger.predict(dev)
    scores = evaluate(dev, guess, single_root=False)
    groups = breakdown(dev, guess, "known", known=known, side="gold", single_root=False)
    unknown = groups["unknown"]["UPOS"].f1 if "unknown" in groups else float("nan")
    values = {"UPOS": scores["UPOS"].f1, "unknown": unknown}
    return Point(name, scores, values, work.templates / work.decisions, work.rows / work.decisions, run)


def fitted(settings: Settings, train: Doc, folds: int) -> Tagger:
    return finished(Tagger.fit(TaggerConfig(settings=settings, folds=folds), TrainingData(train)))


def models(train: Doc, dev: Doc, budget: int, seeds: int) -> Iterator[tuple[str, list[Point]]]:
    """All curves of a treebank, the baseline first."""
    half = dev.sentences[: len(dev.sentences) // 2]
    known = set(train.codes("form")[1])
    tuned = {mode: tune(mode, train, half, budget, "tagger")[0] for mode in ("full", "truncated", "every-exit")}
    full = tuned["full"]

    def several(mode: str, folds: int) -> list[Tagger]:
        return [fitted(replace(tuned[mode], seed=seed + 1), train, folds) for seed in range(seeds)]

    def whole(name: str, tagger: Tagger, depth: int = TEMPLATES) -> Point:
        return point(name, tagger, Stop.never(depth), dev, known)

    def curve(tagger: Tagger, mode: str) -> list[Point]:
        return [point(name, tagger, stop, dev, known) for name, stop in stops(tagger, mode)]

    def once(points: list[Point]) -> list[Point]:
        return averaged([points] * seeds)

    plain = several("full", 0)
    yield "baseline", averaged([[whole("all", one), whole("all, one by one", unfolded(one))] for one in plain])
    stagewise = fitted(replace(full, mode="stagewise", epochs=2, exits=EXITS), train, 2)
    yield "stagewise", once(curve(stagewise, "stagewise"))
    fixed = {depth: fitted(replace(full, mode="fixed", depth=depth), train, 0) for depth in PREFIXES}
    yield "fixed", once([whole(str(depth), tagger, depth) for depth, tagger in fixed.items()])
    yield "dynamic (paper)", once(curve(fitted(tuned["truncated"], train, 0), "truncated"))
    ours = several("every-exit", 5)
    yield "ours", averaged([curve(tagger, "every-exit") for tagger in ours])
    yield "ours, one by one", averaged([curve(unfolded(tagger), "every-exit") for tagger in ours])


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--budget", type=int, default=6)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument(
        "--seeds", type=int, default=1, help="of baseline and ours, whose sentences are counted together"
    )
    parser.add_argument("treebanks", nargs="*", default=TREEBANKS)
    chosen = parser.parse_args()
    text = [
        "# Table 1: tagging with ever fewer templates",
        "",
        f"Written by {command()}: UPOS on gold tokens, development sets, {TEMPLATES} templates in the",
        f"shipped order, of which the first {FORM_ALONE} read the form alone and are one look-up for words of the lexicon,",
        "but in models marked *one by one*, which compute every template by itself, as the paper's do, whom another order might",
        "serve better ([orders.md](orders.md));",
        f"{chosen.budget} random trials each for baseline, paper and ours on the first half; then seeds 1 to {chosen.seeds} of baseline and ours,",
        "whose sentences count together, for chance in training is larger than the losses; the other models have one seed. Unknown: words that",
        "training did not show. Losses with 95 % intervals by paired bootstrap: to the baseline, another training, and to the same",
        f"model with all templates. Speed-up over the baseline: median and spread of {chosen.rounds} alternating rounds of CPU time.",
    ]
    found = {}
    for name in chosen.treebanks:
        train, dev = treebank(chosen.data, name)
        found[name] = dict(models(train, dev, chosen.budget, chosen.seeds))
        measure(found[name], chosen.rounds)
        own = {model: model for model in ("stagewise", "dynamic (paper)", "ours", "ours, one by one")}
        text += ["", f"## {name}", "", *table(found[name], own)]
        write(HERE / "table1.md", [*text, "", "![figure 1](figure1.png)"])
        figure(found, folder(HERE / "table1.md") / "figure1.png")


if __name__ == "__main__":
    main()
