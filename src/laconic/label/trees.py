"""What labelers of finished trees have in common, however they score: what they learn from, what they fill."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Generic, Literal, Protocol, TypeVar

import numpy as np

from laconic._core import label as core
from laconic._core.features import Lexicon, Plan
from laconic.corpus import Doc
from laconic.corpus.doc import fits_a_column
from laconic.corpus.projectivity import Scheme, decode_doc, encode_doc
from laconic.errors import ConfigError, InputError
from laconic.evaluate.score import Bools
from laconic.features import TagColumn, TemplateSet, build_lexicon
from laconic.label.candidates import LabelCounts
from laconic.learn.component import Labels, ReadsTags, TrainingData, alphabetical, strings_of


class TreeLabelerConfig(Protocol):
    """How a labeler is trained."""

    @property
    def pos(self) -> TagColumn: ...
    @property
    def projective(self) -> Scheme | Literal["none"]: ...
    @property
    def lexicon_minimum(self) -> int: ...
    @property
    def pair_minimum(self) -> int: ...
    def template_set(self) -> TemplateSet: ...


Config = TypeVar("Config", bound=TreeLabelerConfig)


class TreeLabeler(ReadsTags[Config], Generic[Config]):
    """A component that fills the column of labels. Heads and tags must be there before it: InputError for a sentence
    whose heads are absent or no tree."""

    needs = writes = ("deprel",)
    by_default = False
    uses_predicted = True
    confidence_key = "ArcConf"

    @classmethod
    def check_dev(cls, config: Config, dev: Doc) -> None:
        super().check_dev(config, dev)
        if dev.heads.min(initial=0) < 0:
            raise ConfigError(f"the development data has sentences without heads: arcs are what the {cls.name} labels")

    @property
    def metrics(self) -> tuple[str, ...]:
        return ("LAS",)

    def write(self, doc: Doc, labels: Labels) -> None:
        """Fill the column of labels; with ``projective``, heads of lifted arcs change."""
        doc.set_codes("deprel", labels.astype(np.int32), list(self.labels))
        if self.config.projective != "none":
            decode_doc(doc, self.config.projective)


@dataclass(frozen=True)
class ArcsToLearn:
    """What is to be learned about the arcs of a document."""

    doc: Doc
    """What decisions read: heads and tags, given or predicted."""
    gold: Labels
    """The number of the gold label of each word."""
    right: Bools
    """Arcs of the gold tree: only these have a right label."""
    names: list[str]
    """Of the labels."""
    pos: TagColumn
    lexicon_minimum: int
    pair_minimum: int

    def lexicon(self, plan: Plan, chosen: Bools) -> Lexicon:
        """Of the forms that some words have often enough."""
        forms, names = self.doc.codes("form")
        return build_lexicon(plan, names, np.bincount(forms[chosen], minlength=len(names)), cutoff=self.lexicon_minimum)

    def counts(self, chosen: Bools) -> LabelCounts:
        """Of the right labels of some words, by the tags of both words of an arc."""
        teach = chosen & self.right
        keys = core.pair_keys(self.doc.columns, self.pos)
        counts = LabelCounts.of(keys[teach], self.gold[teach], len(self.names), self.pair_minimum)
        return counts.with_roots(self.gold[teach & (self.doc.heads == 0)])


def arcs_to_learn(config: TreeLabelerConfig, data: TrainingData) -> ArcsToLearn:
    """ConfigError if the document has no heads or labels, InputError that names the first sentence without heads where
    others have them."""
    doc = _projective(data.gold, config)
    # Only the tags may be predicted: then the trees are those of the treebank, whose arcs are lifted here too.
    read = doc if data.predicted is None else _projective(data.read, config)
    gold, names = gold_relations(doc)
    if doc.heads.max(initial=-1) < 0 or names == ["_"]:
        raise ConfigError("the training data has no labelled trees to learn from")
    if doc.heads.min() < 0:
        number = int(np.searchsorted(doc.sentence_starts, int(np.argmin(doc.heads)), side="right"))
        raise InputError(f"sentence {number} of the training data has no heads: arcs are what a labeler learns from")
    right = np.asarray(read.heads == doc.heads)
    return ArcsToLearn(read, gold, right, names, config.pos, config.lexicon_minimum, config.pair_minimum)


def _projective(doc: Doc, config: TreeLabelerConfig) -> Doc:
    """The document with projective trees whose labels tell of lifted arcs, if that is wanted and there are heads.
    ConfigError where these are no trees."""
    if config.projective == "none" or not len(doc) or doc.heads.min() < 0:
        return doc
    encoded = doc.sentences[:]
    try:
        encode_doc(encoded, config.projective)
    except ValueError as error:
        raise ConfigError(f"a labeler cannot learn from the trees of the training data: {error}") from None
    return encoded


def gold_relations(doc: Doc) -> tuple[Labels, list[str]]:
    """Label numbers of all words, and the labels in alphabetical order."""
    return alphabetical(*doc.codes("deprel"))


def label_names(facts: Mapping[str, Any]) -> list[str]:
    """The labels that a model stores; ValueError where they are none."""
    names = strings_of(facts["names"])
    if not all(map(fits_a_column, names)):
        raise ValueError("labels do not fit a column")
    return names
