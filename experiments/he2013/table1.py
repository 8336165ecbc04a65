"""Table 1 of he2013: how much faster a graph parser is that adds templates where heads are open, with our
thresholds and with the paper's learned policy, beside static groups and a vine-pruning cascade: table1.md beside this
file.

    python -m experiments.he2013.table1 [--data PATH] [--sentences N] [--judged N] [--training selection] [--folds N]
        [--second] [--thresholds] [treebank ...]

With --folds, treebanks with a development set of fewer than 500 sentences are judged by so many folds over training and
development set together. With --second, second order: siblings of all arcs that the length dictionary leaves (table1-second.md).
With --thresholds, without the paper's policy, whose training takes longest by far (table1-thresholds.md).

Needs `ud/<treebank>/train.conllu` and `dev.conllu` under the data directory, and scikit-learn (the extra `train`).
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import add

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
ENOUGH = 500
"""Sentences of a development set that is large enough to be judged by."""
ROUNDS = 3
SAMPLES = 1000


def interval(right: npt.NDArray[np.bool_], full: npt.NDArray[np.bool_], starts: list[int]) -> tuple[float, float]:
    """95 % interval of the change of UAS in points, by paired bootstrap over sentences."""
    change = np.add.reduceat(right.astype(np.int64) - full, starts[:-1])
    words = np.diff(starts)
    drawn = np.random.default_rng(1).integers(0, len(words), (SAMPLES, len(words)))
    low, high = np.percentile(100 * change[drawn].sum(1) / words[drawn].sum(1), (2.5, 97.5))
    return float(low), float(high)


@dataclass(frozen=True)
class MethodResult:
    """What a method did on the sentences that it is judged by, or on those of several folds."""

    method: str
    settings: tuple[str, ...]
    """One a fold."""
    seconds: tuple[float, ...]
    """CPU time of each round; none for the expert, which reads the answer."""
    templates: int
    right: npt.NDArray[np.bool_]

    def __add__(self, other: MethodResult) -> MethodResult:
        return MethodResult(
            self.method,
            (*self.settings, *other.settings),
            tuple(one + more for one, more in zip(self.seconds, other.seconds, strict=True)),
            self.templates + other.templates,
            np.concatenate([self.right, other.right]),
        )


@dataclass(frozen=True)
class TreebankSplit:
    """Sentences to learn from, to choose settings by, and to be judged by."""

    train: Doc
    first: Doc
    second: Doc


def splits(train: Doc, dev: Doc, sentences: int, judged: int, folds: int) -> Iterator[TreebankSplit]:
    """The sets as they are; with folds, and a development set of fewer than ENOUGH sentences, one split a fold over all
    sentences of both, every so manieth of which is in the same fold."""

    def halves(doc: Doc) -> tuple[Doc, Doc]:
        some = doc.sentences[:judged]
        middle = len(some.sentences) // 2
        return some.sentences[:middle], some.sentences[middle:]

    if not folds or len(dev.sentences) >= ENOUGH:
        yield TreebankSplit(train.sentences[:sentences], *halves(dev))
        return
    every = Doc.concatenate([train, dev])
    parts = [every.sentences[fold::folds] for fold in range(folds)]
    for fold, part in enumerate(parts):
        rest = Doc.concatenate(other for number, other in enumerate(parts) if number != fold)
        yield TreebankSplit(rest.sentences[:sentences], *halves(part))


def measure(config: GraphConfig, split: TreebankSplit, lost: float, policy: bool) -> list[MethodResult]:
    """All methods, `full` first and the expert last; the learned policy if asked."""
    parsers = Parsers.fit(config, split.train, policy=policy)
    full = parsers.full()
    least = full.uas(split.first) - lost
    runs = [full]
    for candidates in (parsers.thresholds(), parsers.policies(), parsers.static(), parsers.vines()):
        runs += [boldest(candidates, least, split.first)] if candidates else []
    runs += [Run("paper", "as learned", run.parse) for run in parsers.policies()[-1:]]
    gold = split.second.heads
    times = in_turns({f"{i}": _timed(run, split.second) for i, run in enumerate(runs)}, ROUNDS)
    found = []
    for i, run in enumerate(runs):
        made = run.parse(split.second)
        found.append(MethodResult(run.method, (run.setting,), tuple(times[f"{i}"]), made.templates, made.heads == gold))
    expert = parsers.expert(split.second)
    return [*found, MethodResult("expert", ("",), (), expert.templates, expert.heads == gold)]


def rows(
    name: str, config: GraphConfig, parts: Sequence[TreebankSplit], lost: float, *, policy: bool = True
) -> Iterator[str]:
    """One row a method, over all splits."""
    several = [measure(config, part, lost, policy) for part in parts]
    methods = [reduce(add, same) for same in zip(*several, strict=True)]
    starts = np.concatenate([[0], *(np.diff(part.second.sentence_starts.astype(np.int64)) for part in parts)])
    borders = np.cumsum(starts).tolist()
    trained = sum(len(part.train.sentences) for part in parts) // len(parts)
    full = methods[0]
    for one in methods:
        low, high = interval(one.right, full.right, borders)
        speed = [slow / own for slow, own in zip(full.seconds, one.seconds, strict=False)]
        yield line(
            name,
            f"{trained:,}" if len(parts) == 1 else f"{trained:,}, {len(parts)} folds",
            one.method,
            "; ".join(dict.fromkeys(one.settings)),
            f"{statistics.median(speed):.2f} ({min(speed):.2f} to {max(speed):.2f})" if speed else "",
            f"{100 * one.templates / full.templates:.1f}",
            f"{100 * one.right.mean():.2f}",
            f"{100 * (one.right.mean() - full.right.mean()):+.2f} ({low:+.2f} to {high:+.2f})",
            f"{len(one.right) / statistics.median(one.seconds):,.0f}" if speed else "",
        )


def _timed(run: Run, doc: Doc) -> Callable[[], object]:
    return lambda: run.parse(doc)


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--sentences", type=int, default=500, help="of the training set")
    parser.add_argument("--judged", type=int, default=400, help="sentences of the development set, in two halves")
    parser.add_argument("--training", default="selection", help="selection or mira")
    parser.add_argument(
        "--folds", type=int, default=0, help=f"for development sets of fewer than {ENOUGH} sentences; 0: none"
    )
    parser.add_argument("--second", action="store_true", help="with siblings")
    parser.add_argument("--thresholds", action="store_true", help="without the paper's policy")
    parser.add_argument("treebanks", nargs="*", default=list(TREEBANKS))
    chosen = parser.parse_args()
    lost = MOST_LOST_WITH_SIBLINGS if chosen.second else MOST_LOST
    lines = [
        f"# Table 1 of he2013: dynamic features, {'second' if chosen.second else 'first'} order",
        "",
        f"Written by {command()}: the linear graph parser, tags of the treebank, punctuation included; trained by",
        f"`{chosen.training}` on at most {chosen.sentences:,} sentences; templates in the order and groups of forward selection on",
        "English (english.templates). Of the development set (where folds are named: of each fold of training and development",
        f"set together) the first half (of at most {chosen.judged:,} sentences) is to choose by:",
        f"each method's boldest setting of a grid that loses at most {100 * lost:g} points there (or its most careful one); figures are",
        "of the second half. Grids: "
        + "; ".join(f"{name} {', '.join(f'{v:g}' for v in values)}" for name, values in GRIDS.items())
        + ".",
        "The paper's policy was left out."
        if chosen.thresholds
        else f"`paper` is the learned policy (linear SVM, {ITERATIONS} iterations of DAgger) with the paper's propagation; `as learned` is its own"
        " threshold.",
        "Cost: templates computed, of those that `full` computes for arcs and siblings. Speed-up: CPU time of",
        "`full`, which has the dictionary and every other optimisation, over that of the row, median and extremes of",
        f"{ROUNDS} rounds in turn. Change: UAS against `full`, with the 95 % interval of a paired bootstrap over sentences.",
        "",
        *header("treebank", "trained on", "policy", "setting", "speed-up", "cost %", "UAS", "change", "words/s"),
    ]
    known = journal("he2013-table1")
    for name in chosen.treebanks:
        parts = list(splits(*treebank(chosen.data, name), chosen.sentences, chosen.judged, chosen.folds))
        config = GraphConfig(
            scorer="linear",
            templates=str(TEMPLATES),
            training=chosen.training,
            projective=name not in CROSSING_ARCS,
            folds=2,
            siblings="graph-siblings" if chosen.second else "none",
            sibling_settings=SiblingSettings(drop=1e6, step=0.02),
        )
        settings = chosen.sentences, chosen.judged, chosen.training, chosen.second, len(parts), chosen.thresholds
        about = key(name, *settings, TEMPLATES.read_text("utf-8"))
        if about not in known:
            known.put(about, list(rows(name, config, parts, lost, policy=not chosen.thresholds)))
        lines += known.decoded(about, lambda value: [str(row) for row in value])
        kind = "-second" * chosen.second + "-thresholds" * chosen.thresholds
        write_report(HERE / f"table1{kind}.md", lines)


if __name__ == "__main__":
    main()
