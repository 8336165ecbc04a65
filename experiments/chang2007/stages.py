"""What the experiments of this directory share: the two learners, tags and parsers."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from experiments.common import arguments, pos_of
from laconic.corpus import Doc
from laconic.features import load_set
from laconic.learn import Settings, TrainingData
from laconic.progress import finished
from laconic.transition import LookAhead, Parser, ParserConfig, ParserWork

EXITS = (4, 8, 14, 22, 34)
LEARNERS = {
    "SNoW perceptron": Settings(mode="full", loss="snow", update="perceptron", margin=2.0, rate=0.05, exits=EXITS),
    "prefix classifier": Settings(l2=1e-4, exits=EXITS),
}
FOLDS = 3
"""Of the jackknife."""
METRICS = {"Dependency": "dependencies", "Root": "root", "Complete": "sentence", "Leaf": "leaf"}


def without_history() -> str:
    """The templates of the step-back parser less the terms that name the last moves."""
    lines = str(load_set("stepback")).splitlines()
    kept = [" & ".join(term for term in line.split(" & ") if not term.startswith("HISTORY")) for line in lines]
    return "\n".join(dict.fromkeys(line for line in kept if line))


FEATURES = {"all": "stepback", "no history": without_history()}
"""The templates of the paper's features, and the same but for the last moves."""


def options(text: str | None, treebanks: Sequence[str]) -> argparse.Namespace:
    parser = arguments(text)
    parser.add_argument("--sentences", type=int, default=None, help="train on so many sentences of each treebank")
    parser.add_argument("treebanks", nargs="*", default=list(treebanks))
    return parser.parse_args()


def fit_stages(
    waits: str, learner: str, train: Doc, read_from: Doc | None = None, templates: str = "stepback"
) -> Parser:
    """A step-back parser of heads alone; trees are lifted before training, and the lifting is not undone."""
    settings = LEARNERS[learner]
    config = ParserConfig(
        scorer="linear",
        system="step-back",
        waits=waits,  # type: ignore[arg-type]
        labels="none",
        templates=templates,
        settings=settings,
        label_settings=settings,
        pos=pos_of(train),  # type: ignore[arg-type]
        folds=2,
    )
    return finished(Parser.fit(config, TrainingData(train, read_from)))


def looked_ahead(parser: Parser, depth: int, doc: Doc) -> tuple[Doc, ParserWork]:
    copy = doc.sentences[:]
    work = parser.searching(LookAhead(depth)).apply(copy)
    return copy, work


def parsed(parser: Parser, depth: int, doc: Doc) -> Doc:
    return looked_ahead(parser, depth, doc)[0]
