"""Figures 1 to 5 of he2013 for the linear graph parser: figure1.png to figure5.png beside this file, and figures.md.

    python -m experiments.he2013.figures [--data PATH] [--sentences N] [--judged N] [treebank]

Needs `ud/<treebank>/train.conllu` and `dev.conllu` under the data directory, scikit-learn (the extra `train`) and
matplotlib (the extra `plot`).
"""

from __future__ import annotations

import itertools
import re
import time
from pathlib import Path
from typing import Any

import numpy as np

from experiments.common import arguments, command, folder, treebank, write_report
from experiments.he2013.policies import HERE, TEMPLATES, Parsers, Run
from experiments.tables import header, line
from laconic._core import graph as core
from laconic.corpus import Doc
from laconic.graph import GraphConfig

TOLERANCE = 0.01
BUCKETS = (1, 6, 11, 16, 21, 31, 41, 400)
SHOWN = (
    ("The", "DET", "DT"),
    ("old", "ADJ", "JJ"),
    ("ferry", "NOUN", "NN"),
    ("leaves", "VERB", "VBZ"),
    ("the", "DET", "DT"),
    ("harbour", "NOUN", "NN"),
    ("when", "ADV", "WRB"),
    ("the", "DET", "DT"),
    ("fog", "NOUN", "NN"),
    ("lifts", "VERB", "VBZ"),
    (".", "PUNCT", "."),
)
"""The sentence of figure 1, with its tags."""
LOWEST = np.iinfo(np.int32).min


def figure(width: float = 7, height: float = 4.5, **options: Any) -> Any:
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    return plt.subplots(figsize=(width, height), layout="constrained", **options)


def scored(parsers: Parsers, doc: Doc, sentence: int) -> tuple[core.Edges, Any]:
    """The candidates of a sentence, and what each group adds to their scores."""
    sums = parsers.ours.model.group_scores(doc.columns, sentence)
    words = sums.shape[1]
    alive = sums[0] > LOWEST
    sums = np.where(alive, sums, 0).astype(np.int64)
    edges = core.Edges(words)
    edges.set_alive(np.ascontiguousarray(alive))
    edges.set_scores(np.ascontiguousarray(sums[-1].astype(np.int32)))
    added = np.diff(sums, axis=0, prepend=0).astype(np.int32)
    return edges, np.ascontiguousarray(added[None])


def trace(parsers: Parsers, path: Path) -> None:
    """Figure 1: the heads that are left to the words of one sentence, round by round."""
    doc = Doc.from_conllu(
        "".join(
            f"{number}\t{form}\t_\t{upos}\t{xpos}\t_\t_\t_\t_\t_\n"
            for number, (form, upos, xpos) in enumerate(SHOWN, 1)
        )
        + "\n"
    )
    edges, added = scored(parsers, doc, 0)
    words = added.shape[2]
    rules = parsers.ours.frame.rules
    _, _, found = core.run_rounds(
        edges,
        added,
        np.zeros((0, words + 1, words + 1, words + 1), np.int32),
        "drop",
        thresholds=parsers.drops(TOLERANCE),
        single_root=rules.single_root,
        projective=rules.projective,
    )
    forms = ["root", *doc.strings("form")]
    drawing, axes = figure(7, 1.7 * len(found.trees), nrows=len(found.trees), squeeze=False)
    for number, tree in enumerate(found.trees):
        panel = axes[number][0]
        candidates = found.candidates(number)
        for word in range(1, words + 1):
            for head in candidates.get(word, {tree[word - 1]: 0}):
                best, open_ = head == tree[word - 1], word in candidates
                places = np.linspace(0, np.pi, 40)
                across = (head + word) / 2 + (word - head) / 2 * -np.cos(places)
                panel.plot(
                    across,
                    abs(word - head) ** 0.7 * np.sin(places),
                    color=("tab:orange" if open_ else "tab:blue") if best else "lightgrey",
                    linewidth=1.4 if best else 0.7,
                    zorder=2 if best else 1,
                )
        panel.set_xticks(range(words + 1), forms, fontsize=8, rotation=20)
        panel.set_yticks([])
        panel.set_title(f"after group {number + 1}", fontsize=8, loc="left")
        panel.spines[["top", "left", "right"]].set_visible(False)
    drawing.savefig(path, dpi=130)


def times(parsers: Parsers, doc: Doc, path: Path) -> list[str]:
    """Figure 2: milliseconds a sentence for scoring and for decoding, by length."""
    starts = doc.sentence_starts.tolist()
    rules = parsers.ours.frame.rules
    shown = []
    for low, high in itertools.pairwise(BUCKETS):
        own = [s for s in range(len(starts) - 1) if low <= starts[s + 1] - starts[s] < high][:60]
        if not own:
            continue
        every = [scored(parsers, doc, s)[0] for s in own]
        begun = time.process_time()
        for _ in range(5):
            for edges in every:
                core.best_tree(edges, rules.single_root, rules.projective)
        decoding = (time.process_time() - begun) / 5 / len(own)
        part = np.array(own, np.uint32)
        begun = time.process_time()
        parsers.ours.model.parse(doc.columns, part, parsers.drops(0.0), rules.projective, rules.single_root, "none")
        whole = (time.process_time() - begun) / len(own)
        mean = float(np.mean([starts[s + 1] - starts[s] for s in own]))
        shown.append((mean, 1000 * max(0.0, whole - decoding), 1000 * decoding))
    drawing, axes = figure()
    for index, name in ((1, "scoring, all templates"), (2, "decoding")):
        axes.plot([one[0] for one in shown], [one[index] for one in shown], marker="o", label=name)
    axes.set_xlabel("words")
    axes.set_ylabel("ms a sentence")
    axes.legend()
    drawing.savefig(path, dpi=130)
    return [line(f"{m:.1f}", f"{scoring:.3f}", f"{decoding:.3f}") for m, scoring, decoding in shown]


def selection(path: Path) -> list[str]:
    """Figure 3: UAS by the first templates of the ranking, with fixed weights; groups are marked."""
    scores, ends = [], []
    for text in TEMPLATES.read_text("utf-8").splitlines():
        if text == "# group":
            ends.append(len(scores))
        elif found := re.match(r"# .* points, ([0-9.]+) in all", text):
            scores.append(float(found[1]))
    drawing, axes = figure()
    axes.plot(range(1, len(scores) + 1), scores)
    for end in ends:
        axes.axvline(end, color="grey", linewidth=0.7, linestyle=":")
    axes.set_xscale("log")
    axes.set_xlabel("templates")
    axes.set_ylabel("UAS with fixed weights")
    drawing.savefig(path, dpi=130)
    sizes = np.diff([0, *ends, len(scores)])
    return [
        line(str(i + 1), str(size), f"{scores[end - 1]:.2f}")
        for i, (size, end) in enumerate(zip(sizes, [*ends, len(scores)], strict=True))
    ]


def shares(parsers: Parsers, doc: Doc, path: Path) -> list[str]:
    """Figure 4: edges that are open, and that are locked or pruned, by round; templates by round."""
    rounds = parsers.run(parsers.drops(TOLERANCE), doc, "exact").rounds.astype(np.int64)
    begin = rounds[0, 2]
    opened = rounds[:, 2] / begin
    gone = np.minimum(1 - opened, np.cumsum(rounds[:, 5] + rounds[:, 6]) / begin)
    locked = np.cumsum(rounds[:, 3] + rounds[:, 4]) / len(doc)
    computed = rounds[:, 7] / rounds[:, 7].sum()
    drawing, axes = figure()
    numbers = np.arange(1, len(rounds) + 1)
    for values, name in (
        (opened, "edges open"),
        (gone, "edges pruned"),
        (locked, "words locked"),
        (computed, "share of the templates computed"),
    ):
        axes.plot(numbers, 100 * values, marker="o", markersize=3, label=name)
    axes.set_xlabel("round")
    axes.set_ylabel("%")
    axes.legend()
    drawing.savefig(path, dpi=130)
    return [
        line(str(n), *(f"{100 * value:.1f}" for value in four))
        for n, four in zip(numbers, zip(opened, gone, locked, computed, strict=True), strict=True)
    ]


def pareto(parsers: Parsers, doc: Doc, path: Path) -> list[str]:
    """Figure 5: UAS against cost, of thresholds, of the learned policy and of static groups."""
    drawing, axes = figure()
    shown = []
    every = parsers.full().parse(doc).templates
    methods: dict[str, list[Run]] = {
        "ours": [parsers.full(), *parsers.thresholds()],
        "the paper's policy": parsers.policies(),
        "static groups": parsers.static(),
        "vine pruning": parsers.vines(),
    }
    for name, runs in methods.items():
        points = []
        for run in runs:
            found = run.parse(doc)
            points.append((100 * found.templates / every, 100 * float(np.mean(found.heads == doc.heads))))
            shown.append(line(name, run.setting or "all templates", *(f"{value:.2f}" for value in points[-1])))
        points.sort()
        if points:
            axes.plot(*zip(*points, strict=True), marker="o", markersize=3, label=name)
    axes.set_xlabel("templates computed, %")
    axes.set_ylabel("UAS")
    axes.legend()
    drawing.savefig(path, dpi=130)
    return shown


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--sentences", type=int, default=500, help="of the training set")
    parser.add_argument("--judged", type=int, default=400, help="sentences of the development set; half of them shown")
    parser.add_argument("treebank", nargs="?", default="en_ewt")
    chosen = parser.parse_args()
    train, dev = treebank(chosen.data, chosen.treebank, chosen.sentences)
    judged = dev.sentences[: chosen.judged]
    doc = judged.sentences[len(judged.sentences) // 2 :]
    parsers = Parsers.fit(
        GraphConfig(scorer="linear", templates=str(TEMPLATES), projective=True, siblings="none", folds=2), train
    )
    report = HERE / "figures.md"
    to = folder(report)
    trace(parsers, to / "figure1.png")
    lines = [
        "# Figures of he2013 for the linear graph parser",
        "",
        f"Written by {command()}: trained on {len(train.sentences):,} sentences of {chosen.treebank}, shown on "
        f"{len(doc.sentences):,} of",
        "the development set, tags of the treebank, by head selection.",
        "",
        f"Figure 1: the heads left to the words of a sentence behind each group (thresholds of tolerance {TOLERANCE:g});",
        "orange: open, blue: decided.",
        "",
        "![figure 1](figure1.png)",
        "",
        "Figure 2: milliseconds a sentence, all templates.",
        "",
        "![figure 2](figure2.png)",
        "",
        *header("words", "scoring", "decoding"),
        *times(parsers, doc, to / "figure2.png"),
        "",
        "Figure 3: forward selection with fixed weights (english.templates); each line of the file is two templates.",
        "",
        "![figure 3](figure3.png)",
        "",
        *header("group", "lines", "UAS behind it"),
        *selection(to / "figure3.png"),
        "",
        f"Figure 4: what becomes of edges, by round, in per cent (tolerance {TOLERANCE:g}, propagation `exact`).",
        "",
        "![figure 4](figure4.png)",
        "",
        *header("round", "edges open", "edges pruned", "words locked", "templates computed"),
        *shares(parsers, doc, to / "figure4.png"),
        "",
        "Figure 5: UAS against cost.",
        "",
        "![figure 5](figure5.png)",
        "",
        *header("policy", "setting", "cost %", "UAS"),
        *pareto(parsers, doc, to / "figure5.png"),
    ]
    write_report(report, lines)


if __name__ == "__main__":
    main()
