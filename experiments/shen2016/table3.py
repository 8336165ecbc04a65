"""Labels of gold trees by low-rank factors and by linear rows (table 3 of shen2016): table3.md beside this file.

    python -m experiments.shen2016.table3 [--data PATH] [--seeds 1] [--rounds 5] [--tags predicted] [--quick] [--name NAME]
        [treebank ...]

Needs `ud/<treebank>/train.conllu` and `dev.conllu` under the data directory. Settings were chosen on the first half of the
development set of English, though the second was seen as well; all figures are of second halves. What was
measured is kept in build/table3.jsonl, so that a run that was stopped goes on.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Sequence
from functools import cache, partial
from pathlib import Path

from experiments.common import (
    arguments,
    command,
    journal,
    pos_of,
    remembered,
    rows_once,
    tagged,
    treebank,
    write_report,
)
from experiments.shen2016.labelers import FIRST, LINEAR, RECIPES, SECOND, AnyLabeler, scored
from experiments.tables import cell, change, header, line, together
from experiments.timing import in_turns
from laconic.corpus import Doc
from laconic.evaluate import Scores
from laconic.learn import TrainingData
from laconic.search.journal import Journal

HERE = Path(__file__).resolve().parent
TREEBANKS = (
    "en_ewt",
    "es_ancora_small",
    "ca_ancora_small",
    "cs_mix",
    "de_mix",
    "zh_gsd",
    "ja_gsd",
    "sv_talbanken",
    "pt_bosque",
)
FOLDS = 2
"""Of the jackknife, for predicted tags."""


def rows(
    name: str,
    tags: str,
    titles: Sequence[str],
    train: Doc,
    gold: Doc,
    seeds: Sequence[int],
    rounds: int,
    known: Journal,
) -> Iterator[str]:
    own, given = tagged(train, gold, FOLDS) if tags == "predicted" else (None, gold)
    data = TrainingData(train, own)

    @cache
    def fitted(title: str, seed: int) -> AnyLabeler:
        return RECIPES[title](seed=seed, pos=pos_of(data.gold)).fitted(data)

    def scores(title: str, seed: int) -> Scores:
        recipe = RECIPES[title](seed=seed, pos=pos_of(data.gold))
        about = (name, tags, title, recipe.config, len(data.gold))
        return remembered(known, about, lambda: [scored(fitted(title, seed), gold, given)])[0]

    found = {title: together([scores(title, seed) for seed in seeds]) for title in titles}
    times = in_turns({title: partial(fitted(title, seeds[0]).predict, given) for title in titles}, rounds)
    for title in titles:
        each = [a / b for a, b in zip(times[LINEAR], times[title], strict=True)]
        seconds = statistics.median(times[title])
        work = fitted(title, seeds[0]).predict(given)[1]
        yield line(
            name,
            tags,
            title,
            cell(found[title], "LAS"),
            "" if title == LINEAR else change(found[LINEAR], found[title], "LAS"),
            f"{work.rows / len(given):.1f}",
            f"{len(given) / seconds:,.0f}",
            f"{len(given.sentences) / seconds:,.0f}",
            f"{statistics.median(each):.2f} ({min(each):.2f} to {max(each):.2f})",
        )


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--tags", choices=("treebank", "predicted"), default="treebank")
    parser.add_argument("--quick", action="store_true", help="linear rows, first and second order only")
    parser.add_argument("--name", default="", help="of the report: table3-NAME.md")
    parser.add_argument("treebanks", nargs="*", default=list(TREEBANKS))
    chosen = parser.parse_args()
    known, seeds = journal("table3"), range(1, chosen.seeds + 1)
    titles = [LINEAR, FIRST, SECOND] if chosen.quick else list(RECIPES)
    lines = [
        "# Labels of gold trees",
        "",
        f"Written by {command()}: the second half of each development set, heads of the treebank, its tags or predicted",
        f"ones (jackknifed {FOLDS} ways in training), labels compared whole, punctuation counted, {chosen.seeds} seed(s), with",
        "95 % intervals by bootstrap over sentences; changes are against linear rows, by paired bootstrap. Rows of weights",
        "that a word reads; words and sentences per second of one thread's CPU time at full effort, labelers in turn;",
        "speeds as ratios to linear rows, median and range of rounds.",
        "",
        *header(
            "treebank",
            "tags",
            "labeler",
            "right labels",
            "change",
            "rows",
            "words/s",
            "sentences/s",
            "times linear rows",
        ),
    ]
    for name in chosen.treebanks:
        train, dev = treebank(chosen.data, name)
        gold = dev.sentences[len(dev.sentences) // 2 :]
        measure = partial(rows, name, chosen.tags, titles, train, gold, seeds, chosen.rounds, known)
        about = (name, chosen.tags, titles, len(train), seeds, chosen.rounds)
        lines += rows_once(known, about, measure)
        write_report(HERE / ("-".join(filter(None, ("table3", chosen.name))) + ".md"), lines)


if __name__ == "__main__":
    main()
