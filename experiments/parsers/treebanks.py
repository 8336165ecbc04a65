"""Both scorers and all arc systems on many treebanks, without a change of settings: treebanks.md beside this file.

    python -m experiments.parsers.treebanks [--data DIR] [--sentences 1500] [treebank ...]

What was trained is kept in build/parsers.jsonl, so that a second run goes on. Needs the treebanks.
"""

from __future__ import annotations

import itertools
import statistics
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np

from experiments.common import arguments, command, journal, pos_of, remembered, treebank, write_report
from experiments.tables import change, header, line
from laconic.corpus import Doc
from laconic.corpus.projectivity import is_projective
from laconic.evaluate import Scores, evaluate
from laconic.learn import TrainingData
from laconic.progress import finished
from laconic.transition import Parser, ParserConfig

HERE = Path(__file__).resolve().parent

TREEBANKS = (
    "en_ewt",
    "ja_gsd",
    "sv_talbanken",
    "tr_imst",
    "pt_bosque",
    "cs_mix",
    "sl_ssj500k",
    "nl_lassysmall",
    "da_cdt",
    "eu_bdt",
)
SYSTEMS = ("arc-hybrid", "arc-eager", "arc-standard", "list-based", "swap")
SCORERS = ("linear", "hidden")
Found = dict[tuple[str, str], Scores]


def crossing(doc: Doc) -> float:
    """Percent of the sentences whose tree is not projective."""
    starts = doc.sentence_starts.tolist()
    trees = [doc.heads[a:b] for a, b in itertools.pairwise(starts)]
    return 100 * float(np.mean([not is_projective(heads) for heads in trees]))


def scored(scorer: str, system: str, train: Doc, dev: Doc) -> list[Scores]:
    config = ParserConfig(scorer=scorer, system=system, pos=pos_of(train), folds=0)  # type: ignore[arg-type]
    guess = dev.sentences[:]
    finished(Parser.fit(config, TrainingData(train))).apply(guess)
    return [evaluate(dev, guess, single_root=False)]


def report(results: dict[str, tuple[float, Found]], sentences: int) -> Iterator[str]:
    yield from (
        "# Both scorers, all arc systems, many treebanks",
        "",
        f"Written by {command()}: the first {sentences:,} training sentences of each treebank (all",
        "where there are fewer), development sets, gold tokens, tags of the treebank, greedy, all templates, UAS / LAS by the",
        "official scorer, default settings everywhere. Crossing: percent of those training sentences that are not projective;",
        "`arc-` systems learn them encoded and decode their output, `list-based` and `swap` build them directly.",
        "",
    )
    yield from header("treebank", "crossing, %", "scorer", *SYSTEMS)
    for name, (share, found) in results.items():
        for scorer in SCORERS:
            cells = [f"{found[scorer, s]['UAS'].f1:.2f} / {found[scorer, s]['LAS'].f1:.2f}" for s in SYSTEMS]
            yield line(name, f"{share:.1f}", scorer, *cells)
    for scorer in SCORERS:
        means = [
            [statistics.mean(found[scorer, system][metric].f1 for _, found in results.values()) for system in SYSTEMS]
            for metric in ("UAS", "LAS")
        ]
        cells = [f"{uas:.2f} / {las:.2f}" for uas, las in zip(*means, strict=True)]
        yield line(f"mean of {len(results)}", "", scorer, *cells)
    yield from (
        "",
        "What changes LAS, with 95 % intervals by paired bootstrap over sentences: hidden rows in place of linear ones",
        "(arc-hybrid), and with hidden rows the other systems in place of arc-hybrid.",
        "",
    )
    yield from header("treebank", "hidden rows", *SYSTEMS[1:])
    for name, (_, found) in results.items():
        base = found["hidden", SYSTEMS[0]]
        others = [change(base, found["hidden", system], "LAS") for system in SYSTEMS[1:]]
        yield line(name, change(found["linear", SYSTEMS[0]], base, "LAS"), *others)


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--sentences", type=int, default=1500, help="train on so many sentences of each treebank")
    parser.add_argument("treebanks", nargs="*", default=TREEBANKS)
    chosen = parser.parse_args()
    known = journal("parsers")
    results: dict[str, tuple[float, Found]] = {}
    for name in chosen.treebanks:
        train, dev = treebank(chosen.data, name, chosen.sentences)
        found: Found = {}
        for scorer, system in itertools.product(SCORERS, SYSTEMS):
            about = (name, chosen.sentences, scorer, system)
            found[scorer, system], *_ = remembered(known, about, partial(scored, scorer, system, train, dev))
        results[name] = crossing(train), found
        write_report(HERE / "treebanks.md", list(report(results, chosen.sentences)))


if __name__ == "__main__":
    main()
