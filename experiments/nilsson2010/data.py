"""What the experiments on discovery share: treebanks, the parser of the paper and its feature sets."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from experiments.common import treebank
from laconic.corpus import Doc
from laconic.features import KINDS, Neighbours, TagColumn, TemplateSet, load_set, parse_set
from laconic.search import HashedSettings, ParserSource, halves
from laconic.transition import ParserConfig

KIND = KINDS["transition"]
Objective = Literal["uas", "las"]
POS: dict[str, TagColumn] = {"swedish": "upos", "english": "xpos"}


def documents(data: Path, language: str, sentences: int | None) -> tuple[Doc, Doc, dict[str, Doc]]:
    """To learn from, to search with, and to report on.

    Swedish (Talbanken): every tenth training sentence is the development set, as in the paper; the report is on the
    treebank's own development set. English (EWT): the search sees the first half of the development set, the report is
    on the second half, and on GUM as the other domain.
    """
    if language == "swedish":
        train, test = treebank(data, "sv_talbanken", sentences)
        tenth = list(range(0, len(train.sentences), 10))
        rest = [number for number in range(len(train.sentences)) if number % 10]
        return some(train, rest), some(train, tenth), {"test": test}
    train, dev = treebank(data, "en_ewt", sentences)
    searched, reported = halves(dev)
    return train, searched, {"EWT": reported, "GUM": treebank(data, "en_gum")[1]}


def some(doc: Doc, numbers: list[int]) -> Doc:
    """Sentences by their numbers."""
    parts = [doc.sentences[number : number + 1].to_conllu() for number in numbers]
    return Doc.from_conllu("".join(parts))


def paper_parser(
    data: Path,
    language: str,
    score: Objective,
    rules: Neighbours,
    sentences: int | None = None,
    settings: HashedSettings | None = None,
) -> ParserSource:
    """Arc-eager, a static gold path, punctuation not scored."""
    train, develop, others = documents(data, language, sentences)
    config = ParserConfig(scorer="linear", system="arc-eager", pos=POS[language])
    return ParserSource(
        config,
        train,
        develop,
        rules.attributes(),
        score=score,
        punctuation=False,
        others=others,
        settings=settings,
    )


def paper_features(language: str) -> TemplateSet:
    """The published sequence; its lc and rc are the first and last of all children."""
    text = str(load_set(f"nilsson2010-{language}"))
    return parse_set(text.replace(" lc", " fc").replace(" rc", " ec"), KIND)


def paper_name(text: str) -> str:
    """A feature as the paper writes it."""
    return text.replace("(", " ").replace(")", "").replace(" fc", " lc").replace(" ec", " rc")
