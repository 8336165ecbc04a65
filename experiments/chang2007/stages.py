"""What the experiments of this directory share: data, the two learners, parsers, and rows of Markdown."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from laconic.corpus import Doc, read
from laconic.evaluate import Scores, compare, intervals
from laconic.learn import Settings
from laconic.progress import finished
from laconic.tag import Morphology, MorphologyConfig
from laconic.transition import LookAhead, Parser, ParserConfig

EXITS = (4, 8, 14, 22, 34)
LEARNERS = {
    "SNoW perceptron": Settings(mode="full", loss="snow", update="perceptron", margin=2.0, rate=0.05, exits=EXITS),
    "prefix classifier": Settings(l2=1e-4, exits=EXITS),
}
METRICS = {"Dependency": "dependencies", "Root": "root", "Complete": "sentence", "Leaf": "leaf"}


def options(text: str | None, treebanks: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=text, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("LACONIC_DATA", "../shared/data")))
    parser.add_argument("treebanks", nargs="*", default=list(treebanks))
    chosen = parser.parse_args()
    if not (chosen.data / "ud").is_dir():
        sys.exit(f"no treebanks in {chosen.data}: this needs ud/<treebank>/train.conllu and dev.conllu there")
    return chosen


def treebank(data: Path, name: str) -> tuple[Doc, Doc]:
    """Training and development set."""
    place = data / "ud" / name
    return tuple(read(next(place.glob(f"{part}.conll*")), "conllu") for part in ("train", "dev"))  # type: ignore[return-value]


def pos_of(doc: Doc) -> str:
    return "upos" if any(value != "_" for value in doc.codes("upos")[1]) else "xpos"


def tagged(train: Doc, dev: Doc, folds: int = 3) -> tuple[Doc, Doc]:
    """Both with predicted tags: the training set by jackknifing."""
    config = MorphologyConfig()
    config = replace(config, tagger=replace(config.tagger, folds=folds), features=replace(config.features, folds=folds))
    morphology, jackknifed = finished(Morphology.fit_and_jackknife(config, train))
    assert jackknifed is not None
    copy = dev.sentences[:]
    morphology.apply(copy)
    return jackknifed, copy


def fit(system: str, learner: str, train: Doc, read_from: Doc | None = None) -> Parser:
    """A parser of heads alone; trees are lifted before training, and the lifting is not undone."""
    settings = LEARNERS[learner]
    config = ParserConfig(
        scorer="linear",
        system=system,  # type: ignore[arg-type]
        labels="none",
        templates="stepback",
        settings=settings,
        label_settings=settings,
        pos=pos_of(train),  # type: ignore[arg-type]
        folds=2,
    )
    return finished(Parser.fit(config, train, read_from))


def parsed(parser: Parser, depth: int, doc: Doc) -> Doc:
    copy = doc.sentences[:]
    parser.searching(LookAhead(depth)).apply(copy)
    return copy


def cell(scores: Scores, metric: str) -> str:
    found = intervals(scores)[metric]
    return f"{found.value:.2f} ({found.low:.2f} to {found.high:.2f})"


def change(first: Scores, second: Scores, metric: str) -> str:
    found = compare(first, second)[metric]
    return f"{found.value:+.2f} ({found.low:+.2f} to {found.high:+.2f})"


def write(path: Path, lines: Sequence[str]) -> None:
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print("\n".join(lines), flush=True)
