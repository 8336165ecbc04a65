"""Labels of gold trees by low-rank factors and by linear rows (table 3 of shen2016): table3.md beside this file.

    python -m experiments.shen2016.table3 [--data PATH] [--rounds 5] [treebank ...]

Needs `ud/<treebank>/train.conllu` and `dev.conllu` under the data directory. Settings were chosen on the first half of the
development set of English, though the second was seen as well; all figures are of second halves. English is
shown with predicted tags as well. What was measured is kept in build/table3.jsonl, so that a run that was stopped goes on.
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
from experiments.shen2016.labelers import LINEAR, PAPER, RECIPES, AnyLabeler, scored
from experiments.tables import cell, change, header, line, together
from experiments.timing import in_turns
from laconic.corpus import Doc
from laconic.evaluate import Scores
from laconic.learn import TrainingData
from laconic.search.journal import Journal

HERE = Path(__file__).resolve().parent
TREEBANKS = {
    "en_ewt": 3,
    "es_ancora_small": 1,
    "ca_ancora_small": 1,
    "cs_mix": 1,
    "de_mix": 1,
    "zh_gsd": 1,
    "ja_gsd": 1,
    "sv_talbanken": 1,
    "pt_bosque": 1,
}
"""How many seeds are trained of each."""
FOLDS = 2
"""Of the jackknife, for predicted tags."""


def rows(
    name: str, tags: str, train: Doc, gold: Doc, seeds: Sequence[int], rounds: int, known: Journal
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

    # The paper's loss takes longest.
    trained = {title: seeds[:1] if title == PAPER else seeds for title in RECIPES if title != PAPER or len(seeds) > 1}
    found = {title: together([scores(title, seed) for seed in own]) for title, own in trained.items()}
    times = in_turns({title: partial(fitted(title, seeds[0]).predict, given) for title in trained}, rounds)
    for title in trained:
        each = [a / b for a, b in zip(times[LINEAR], times[title], strict=True)]
        seconds = statistics.median(times[title])
        work = fitted(title, seeds[0]).predict(given)[1]
        yield line(
            name,
            tags,
            str(len(trained[title])),
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
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("treebanks", nargs="*", default=list(TREEBANKS))
    chosen = parser.parse_args()
    known = journal("table3")
    lines = [
        "# Labels of gold trees",
        "",
        f"Written by {command()}: the second half of each development set, heads of the treebank, its tags or predicted",
        f"ones (jackknifed {FOLDS} ways in training), labels compared whole, punctuation counted, of one or several seeds, with",
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
        kinds = {"treebank": TREEBANKS.get(name, 1)} | ({"predicted": 1} if name == "en_ewt" else {})
        for tags, count in kinds.items():
            seeds = range(1, count + 1)
            measure = partial(rows, name, tags, train, gold, seeds, chosen.rounds, known)
            lines += rows_once(known, (name, tags, len(train), seeds, chosen.rounds), measure)
            write_report(HERE / "table3.md", lines)


if __name__ == "__main__":
    main()
