"""Learns orders for the templates of the transition parser, moves and labels.

    python -m experiments.parsers.orders [--data DIR] [--moves 1200] [--labels 2000] [--out DIR]

Group orthogonal matching pursuit (strubell2015) over the decisions along the gold paths of so many sentences of UD
English EWT, spread over the treebank, 50 in a run. Writes parser.templates and parser-labels.templates to OUT (default: build). Needs the
treebank.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Literal

from experiments.common import arguments, command, treebank
from laconic.corpus import Doc
from laconic.learn import Settings
from laconic.progress import finished
from laconic.search import ParserTrainable, Pursuit, order
from laconic.transition import ParserConfig

RUN = 50
FILES: dict[Literal["moves", "labels"], str] = {"moves": "parser", "labels": "parser-labels"}


def spread(doc: Doc, sentences: int) -> Doc:
    """So many sentences of all parts of a document."""
    step = max(RUN, len(doc.sentences) * RUN // sentences)
    return Doc.concatenate(doc.sentences[i : i + RUN] for i in range(0, len(doc.sentences), step))


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--moves", type=int, default=1200)
    parser.add_argument("--labels", type=int, default=2000)
    parser.add_argument("--out", type=Path, default=Path("build"))
    chosen = parser.parse_args()
    train, dev = treebank(chosen.data, "en_ewt")
    settings = Settings(mode="full", l2=1e-4, epochs=2)
    config = ParserConfig(scorer="linear", settings=settings, label_settings=settings, folds=0)
    for part, file in FILES.items():
        sample = spread(train, getattr(chosen, part))
        trainable = ParserTrainable(config, sample, dev.sentences[:RUN], part)
        run = order(trainable, Pursuit(epochs=2), processes=1, command=command().strip("`"))
        found = finished(run, lambda step: print(step, file=sys.stderr))
        chosen.out.mkdir(parents=True, exist_ok=True)
        found.write(chosen.out / f"{file}.templates")


if __name__ == "__main__":
    main()
