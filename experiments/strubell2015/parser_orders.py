"""Learns orders for the templates of the transition parser, moves and labels.

    python experiments/strubell2015/parser_orders.py [--data DIR] [--moves 1200] [--labels 2000] [--out DIR]

Group orthogonal matching pursuit (strubell2015) over the decisions along the gold paths of so many sentences of UD
English EWT, spread over the treebank, 50 in a run. Writes parser.templates and parser-labels.templates to OUT. Needs the
treebank.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import Literal

from laconic.corpus import Doc, read
from laconic.learn import Settings
from laconic.progress import finished
from laconic.search import ParserTrainable, Pursuit, order
from laconic.transition import ParserConfig

HERE = Path(__file__).resolve().parent
RUN = 50
FILES: dict[Literal["moves", "labels"], str] = {"moves": "parser", "labels": "parser-labels"}


def spread(doc: Doc, sentences: int) -> Doc:
    """So many sentences of all parts of a document."""
    step = max(RUN, len(doc.sentences) * RUN // sentences)
    return Doc.concatenate(doc.sentences[i : i + RUN] for i in range(0, len(doc.sentences), step))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    beside = HERE.parent.parent.parent / "shared" / "data"
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("LACONIC_DATA", beside)))
    parser.add_argument("--moves", type=int, default=1200)
    parser.add_argument("--labels", type=int, default=2000)
    parser.add_argument("--out", type=Path, default=HERE)
    arguments = parser.parse_args()
    place = arguments.data / "ud" / "en_ewt"
    if not (place / "train.conllu").exists():
        sys.exit(f"needs the treebank {place}")
    train, dev = read(place / "train.conllu"), read(place / "dev.conllu")
    settings = Settings(mode="full", l2=1e-4, epochs=2)
    config = ParserConfig(scorer="linear", settings=settings, label_settings=settings, folds=0)
    for part, file in FILES.items():
        sample = spread(train, getattr(arguments, part))
        trainable = ParserTrainable(config, sample, dev.sentences[:RUN], part)
        found = finished(
            order(
                trainable, Pursuit(epochs=2), processes=1, command="python experiments/strubell2015/parser_orders.py"
            ),
            lambda step: print(step, file=sys.stderr),
        )
        found.write(arguments.out / f"{file}.templates")


if __name__ == "__main__":
    main()
