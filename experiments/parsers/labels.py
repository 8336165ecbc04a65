"""Labels three ways: with the move, right after it, and in a second stage over the whole tree: labels.md beside this file.

    python experiments/parsers/labels.py [--data DIR] [--sentences N] [--rounds 7] [treebank ...]

Needs the treebanks.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from common import arguments, cell, change, command, cpu, header, line, pos_of, ratio, treebank, write  # noqa: E402

from laconic.corpus import Doc  # noqa: E402
from laconic.evaluate import Scores, evaluate  # noqa: E402
from laconic.label import Labeler, LabelerConfig  # noqa: E402
from laconic.learn import TrainingData  # noqa: E402
from laconic.progress import finished  # noqa: E402
from laconic.transition import Parser, ParserConfig  # noqa: E402

WAYS = {
    ("linear", "joint"): "with the move",
    ("linear", "after"): "after the move",
    ("linear", "none"): "second stage",
    ("hidden", "after"): "after the move",
    ("hidden", "none"): "second stage",
}


@dataclass
class Way:
    scorer: str
    name: str
    scores: Scores
    run: Callable[[], object]
    seconds: list[float] = field(default_factory=list)


def ways(train: Doc, dev: Doc) -> Iterator[Way]:
    pos = pos_of(train)
    second = finished(Labeler.fit(LabelerConfig(pos=pos, projective="head", folds=0), TrainingData(train)))  # type: ignore[arg-type]
    for (scorer, labels), name in WAYS.items():
        config = ParserConfig(scorer=scorer, labels=labels, pos=pos, folds=0)  # type: ignore[arg-type]
        parser = finished(Parser.fit(config, TrainingData(train)))

        def run(parser: Parser = parser, stages: bool = labels == "none") -> Doc:
            guess = dev.sentences[:]
            parser.apply(guess)
            if stages:
                second.apply(guess)
            return guess

        yield Way(scorer, name, evaluate(dev, run(), single_root=False), run)


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--sentences", type=int, default=None, help="train on so many sentences of each treebank")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("treebanks", nargs="*", default=("en_ewt", "sv_talbanken"))
    chosen = parser.parse_args()
    lines = [
        "# Labels three ways",
        "",
        f"Written by {command()}: development sets, gold tokens, tags of the treebank, arc-hybrid, greedy,",
        "all templates, official scorer. The second stage learns from the trees of the treebank and undoes the lifting of",
        "non-projective arcs, as the other two ways do by themselves. Hidden rows have no joint classes. Changes are against",
        "the first way of the same scorer. 95 % intervals by (paired) bootstrap over sentences. Time: CPU time of heads and",
        f"labels over that of the first way, median and spread of {chosen.rounds} alternating rounds.",
        "",
        *header("treebank", "sentences", "scorer", "labels", "UAS", "LAS", "change of UAS", "change of LAS", "time"),
    ]
    for name in chosen.treebanks:
        train, dev = treebank(chosen.data, name, chosen.sentences)
        found = list(ways(train, dev))
        for _ in range(chosen.rounds):
            for way in found:
                way.seconds.append(cpu(way.run))
        for way in found:
            first = next(one for one in found if one.scorer == way.scorer)
            changes = [change(first.scores, way.scores, metric) for metric in ("UAS", "LAS")]
            cells = [cell(way.scores, metric) for metric in ("UAS", "LAS")]
            more = ["", "", "1"] if way is first else [*changes, ratio(way.seconds, first.seconds)]
            lines.append(line(name, f"{len(train.sentences):,}", way.scorer, way.name, *cells, *more))
        write(HERE / "labels.md", lines)


if __name__ == "__main__":
    main()
