"""The graph parser's trees, labelled by each labeler (tables 2 and 4 of shen2016): graph_trees.md beside this file.

    python -m experiments.shen2016.graph_trees [--data PATH] [--sentences N] [--predicted] [--rounds 5]

The graph parser has no labels of its own, so that labelers are compared with the one of linear rows. It is the one that
experiments.he2013.dynamic keeps in build/models. With --predicted, tags are predicted, jackknifed in training. Needs
`ud/en_ewt`.
"""

from __future__ import annotations

import statistics
from functools import partial
from pathlib import Path

from experiments.common import arguments, command, tagged, treebank, write_report
from experiments.kept import KeptModels
from experiments.shen2016.labelers import FIRST, LINEAR, SECOND, labelled, scored, taught
from experiments.tables import cell, change, header, line
from experiments.timing import cpu, in_turns
from laconic.evaluate import evaluate_conllx
from laconic.graph import GraphConfig, GraphParser
from laconic.learn import TrainingData

HERE = Path(__file__).resolve().parent
EFFORTS = (0.0, 0.01, 0.02)
FOLDS = 5


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--sentences", type=int, default=None, help="of the training set, from its front")
    parser.add_argument("--predicted", action="store_true", help="predicted tags")
    parser.add_argument("--rounds", type=int, default=5)
    chosen = parser.parse_args()
    train, dev = treebank(chosen.data, "en_ewt", chosen.sentences)
    data, given = TrainingData(train), dev
    if chosen.predicted:
        read, given = tagged(train, dev, FOLDS)
        data = TrainingData(train, read)
    kind = "predicted" if chosen.predicted else "treebank"
    kept = KeptModels(f"en_ewt-{len(train.sentences)}-{kind}")
    graph, _ = kept.component("graph", GraphParser, GraphConfig(), data)
    labelers = taught(data)
    gold, given = (one.sentences[len(one.sentences) // 2 :] for one in (dev, given))
    found = []
    for effort in EFFORTS:
        graph.effort(effort)
        trees = given.sentences[:]
        graph.apply(trees)
        actions = {"": partial(graph.apply, trees.sentences[:])}
        actions |= {name: partial(labelled, labeler, trees) for name, labeler in labelers.items()}
        seconds = in_turns(actions, chosen.rounds, cpu)
        times = (f"{1e9 * statistics.median(some) / len(trees):,.0f}" for some in seconds.values())
        base = scored(labelers[LINEAR], gold, trees)
        gains = (change(base, scored(labelers[name], gold, trees), "LAS") for name in (FIRST, SECOND))
        heads = evaluate_conllx(gold, trees, punctuation=True)
        found.append(line(f"{effort:g}", cell(heads, "UAS"), cell(base, "LAS"), *gains, *times))
    lines = [
        "# Trees of the graph parser, labelled",
        "",
        f"Written by {command()}: {len(train.sentences):,} training sentences of UD English EWT, second half of the",
        f"development set, words and sentences given, {kind} tags; labelers learn from the gold trees of the same sentences.",
        "The graph parser has no labels of its own: LAS is by the labeler of linear rows, with 95 % intervals by bootstrap over",
        "sentences, and what the others gain over it by paired bootstrap. Punctuation counts. Times are nanoseconds a word of one",
        f"thread's CPU time, median of {chosen.rounds} rounds in turn: of heads, then of labels by each labeler, tables of its document included.",
        "",
        *header(
            *("tolerance of the graph parser", "UAS", f"LAS by {LINEAR}", f"gain by {FIRST}", f"gain by {SECOND}"),
            *("heads, ns", *(f"{name}, ns" for name in labelers)),
        ),
        *found,
    ]
    write_report(HERE / f"graph_trees{'-predicted' * chosen.predicted}.md", lines)


if __name__ == "__main__":
    main()
