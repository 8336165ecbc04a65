"""Table 1 of he2013: how much faster a graph parser is that adds templates where heads are open, with our
thresholds and with the paper's learned policy, beside static groups and a vine-pruning cascade: table1.md beside this
file.

    python -m experiments.he2013.table1 [--data PATH] [--sentences N] [--judged N] [--training selection] [--second]
        [treebank ...]

With --second, second order: siblings of all arcs that the length dictionary leaves (table1-second.md).

Needs `ud/<treebank>/train.conllu` and `dev.conllu` under the data directory, and scikit-learn (the extra `train`).
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator

import numpy as np
import numpy.typing as npt

from experiments.common import arguments, command, journal, treebank, write_report
from experiments.he2013.policies import (
    GRIDS,
    HERE,
    ITERATIONS,
    MOST_LOST,
    MOST_LOST_WITH_SIBLINGS,
    TEMPLATES,
    Parsers,
    Run,
    boldest,
)
from experiments.tables import header, line
from experiments.timing import in_turns
from laconic.corpus import Doc
from laconic.graph import GraphConfig, SiblingSettings
from laconic.search.journal import key

TREEBANKS = (
    "en_ewt",
    "en_ptb_sample",
    "bg_btb_small",
    "zh_gsd",
    "de_mix",
    "ja_gsd",
    "pt_bosque",
    "sv_talbanken",
    "nl_lassysmall",
    "eu_bdt",
    "da_cdt",
)
CROSSING_ARCS = {"nl_lassysmall", "eu_bdt", "da_cdt"}
"""Treebanks with many trees that are not projective; the cascade is not for them."""
ROUNDS = 3
SAMPLES = 1000


def interval(right: npt.NDArray[np.bool_], full: npt.NDArray[np.bool_], starts: list[int]) -> tuple[float, float]:
    """95 % interval of the change of UAS in points, by paired bootstrap over sentences."""
    change = np.add.reduceat(right.astype(np.int64) - full, starts[:-1])
    words = np.diff(starts)
    drawn = np.random.default_rng(1).integers(0, len(words), (SAMPLES, len(words)))
    low, high = np.percentile(100 * change[drawn].sum(1) / words[drawn].sum(1), (2.5, 97.5))
    return float(low), float(high)


def rows(name: str, config: GraphConfig, train: Doc, first: Doc, second: Doc, lost: float) -> Iterator[str]:
    parsers = Parsers.fit(config, train)
    full = parsers.full()
    least = full.uas(first) - lost
    runs = [full]
    for candidates in (parsers.thresholds(), parsers.policies(), parsers.static(), parsers.vines()):
        runs += [boldest(candidates, least, first)] if candidates else []
    runs += [Run("paper", "as learned", run.parse) for run in parsers.policies()[-1:]]
    times = in_turns({f"{i}": _timed(run, second) for i, run in enumerate(runs)}, ROUNDS)
    with_all = full.parse(second)
    by_all = with_all.heads == second.heads
    starts = second.sentence_starts.tolist()
    for i, run in enumerate(runs):
        found = run.parse(second)
        right = found.heads == second.heads
        speed = [slow / own for slow, own in zip(times["0"], times[f"{i}"], strict=True)]
        low, high = interval(right, by_all, starts)
        yield line(
            name,
            f"{len(train.sentences):,}",
            run.method,
            run.setting,
            f"{statistics.median(speed):.2f} ({min(speed):.2f} to {max(speed):.2f})",
            f"{100 * found.templates / with_all.templates:.1f}",
            f"{100 * right.mean():.2f}",
            f"{100 * (right.mean() - by_all.mean()):+.2f} ({low:+.2f} to {high:+.2f})",
            f"{len(second) / statistics.median(times[f'{i}']):,.0f}",
        )
    expert = parsers.expert(second)
    uas = np.mean(expert.heads == second.heads)
    difference = f"{100 * (uas - by_all.mean()):+.2f}"
    yield line(
        name,
        f"{len(train.sentences):,}",
        "expert",
        "",
        "",
        f"{100 * expert.templates / with_all.templates:.1f}",
        f"{100 * uas:.2f}",
        difference,
        "",
    )


def _timed(run: Run, doc: Doc) -> Callable[[], object]:
    return lambda: run.parse(doc)


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--sentences", type=int, default=500, help="of the training set")
    parser.add_argument("--judged", type=int, default=400, help="sentences of the development set, in two halves")
    parser.add_argument("--training", default="selection", help="selection or mira")
    parser.add_argument("--second", action="store_true", help="with siblings")
    parser.add_argument("treebanks", nargs="*", default=list(TREEBANKS))
    chosen = parser.parse_args()
    lost = MOST_LOST_WITH_SIBLINGS if chosen.second else MOST_LOST
    lines = [
        f"# Table 1 of he2013: dynamic features, {'second' if chosen.second else 'first'} order",
        "",
        f"Written by {command()}: the linear graph parser, tags of the treebank, punctuation included; trained by",
        f"`{chosen.training}` on at most {chosen.sentences:,} sentences; templates in the order and groups of forward selection on",
        "English (english.templates). Of the development set the first half (of at most "
        f"{chosen.judged:,} sentences) is to choose by:",
        f"each method's boldest setting of a grid that loses at most {100 * lost:g} points there (or its most careful one); figures are",
        "of the second half. Grids: "
        + "; ".join(f"{name} {', '.join(f'{v:g}' for v in values)}" for name, values in GRIDS.items())
        + ".",
        f"`paper` is the learned policy (linear SVM, {ITERATIONS} iterations of DAgger) with the paper's propagation; `as learned` is its own",
        "threshold. Cost: templates computed, of those that `full` computes for arcs and siblings. Speed-up: CPU time of",
        "`full`, which has the dictionary and every other optimisation, over that of the row, median and extremes of",
        f"{ROUNDS} rounds in turn. Change: UAS against `full`, with the 95 % interval of a paired bootstrap over sentences.",
        "",
        *header("treebank", "trained on", "policy", "setting", "speed-up", "cost %", "UAS", "change", "words/s"),
    ]
    known = journal("he2013-table1")
    for name in chosen.treebanks:
        train, dev = treebank(chosen.data, name, chosen.sentences)
        judged = dev.sentences[: chosen.judged]
        middle = len(judged.sentences) // 2
        config = GraphConfig(
            scorer="linear",
            templates=str(TEMPLATES),
            training=chosen.training,
            projective=name not in CROSSING_ARCS,
            folds=2,
            siblings="graph-siblings" if chosen.second else "none",
            sibling_settings=SiblingSettings(drop=1e6),
        )
        about = key(name, chosen.sentences, chosen.judged, chosen.training, TEMPLATES.read_text("utf-8"), chosen.second)
        if about not in known:
            halves = judged.sentences[:middle], judged.sentences[middle:]
            known.put(about, list(rows(name, config, train, *halves, lost)))
        lines += known.decoded(about, lambda value: [str(row) for row in value])
        write_report(HERE / ("table1-second.md" if chosen.second else "table1.md"), lines)


if __name__ == "__main__":
    main()
