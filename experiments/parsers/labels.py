"""Three methods of labelling: with the move, right after it, and in a second stage over the whole tree: labels.md beside this file.

    python -m experiments.parsers.labels [--data DIR] [--sentences N] [--rounds 7] [treebank ...]

Needs the treebanks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from experiments.common import arguments, command, pos_of, treebank, write_report
from experiments.tables import cell, change, header, line, ratio
from experiments.timing import cpu
from laconic.corpus import Doc
from laconic.evaluate import Scores, evaluate
from laconic.label import Labeler, LabelerConfig
from laconic.learn import TrainingData
from laconic.progress import finished
from laconic.transition import Parser, ParserConfig

HERE = Path(__file__).resolve().parent

METHODS = {
    ("linear", "joint"): "with the move",
    ("linear", "after"): "after the move",
    ("linear", "none"): "second stage",
    ("hidden", "after"): "after the move",
    ("hidden", "none"): "second stage",
}


@dataclass
class Method:
    scorer: str
    name: str
    scores: Scores
    run: Callable[[], object]
    seconds: list[float] = field(default_factory=list)


def fitted(train: Doc, dev: Doc) -> Iterator[Method]:
    pos = pos_of(train)
    second = finished(Labeler.fit(LabelerConfig(pos=pos, projective="head", folds=0), TrainingData(train)))  # type: ignore[arg-type]
    for (scorer, labels), name in METHODS.items():
        config = ParserConfig(scorer=scorer, labels=labels, pos=pos, folds=0)  # type: ignore[arg-type]
        parser = finished(Parser.fit(config, TrainingData(train)))

        def run(parser: Parser = parser, stages: bool = labels == "none") -> Doc:
            guess = dev.sentences[:]
            parser.apply(guess)
            if stages:
                second.apply(guess)
            return guess

        yield Method(scorer, name, evaluate(dev, run(), single_root=False), run)


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--sentences", type=int, default=None, help="train on so many sentences of each treebank")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("treebanks", nargs="*", default=("en_ewt", "sv_talbanken"))
    chosen = parser.parse_args()
    lines = [
        "# Three methods of labelling",
        "",
        f"Written by {command()}: development sets, gold tokens, tags of the treebank, arc-hybrid, greedy,",
        "all templates, official scorer. The second stage learns from the trees of the treebank and undoes the lifting of",
        "non-projective arcs, as the other two methods do by themselves. Hidden rows have no joint classes. Changes are against",
        "the first method of the same scorer. 95 % intervals by (paired) bootstrap over sentences. Time: CPU time of heads and",
        f"labels over that of the first method, median and spread of {chosen.rounds} alternating rounds.",
        "",
        *header("treebank", "sentences", "scorer", "labels", "UAS", "LAS", "change of UAS", "change of LAS", "time"),
    ]
    for name in chosen.treebanks:
        train, dev = treebank(chosen.data, name, chosen.sentences)
        found = list(fitted(train, dev))
        for _ in range(chosen.rounds):
            for method in found:
                method.seconds.append(cpu(method.run))
        for method in found:
            first = next(one for one in found if one.scorer == method.scorer)
            changes = [change(first.scores, method.scores, metric) for metric in ("UAS", "LAS")]
            cells = [cell(method.scores, metric) for metric in ("UAS", "LAS")]
            more = ["", "", "1"] if method is first else [*changes, ratio(method.seconds, first.seconds)]
            lines.append(line(name, f"{len(train.sentences):,}", method.scorer, method.name, *cells, *more))
        write_report(HERE / "labels.md", lines)


if __name__ == "__main__":
    main()
