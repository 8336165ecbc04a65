"""The labeler: the label of every arc, once the tree is whole (chang2007, section 4.1)."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Self, get_args, overload

import numpy as np
import numpy.typing as npt

from laconic.corpus import Doc
from laconic.corpus.projectivity import Scheme, decode_doc, encode_doc
from laconic.errors import ConfigError, ModelError
from laconic.features import TemplateSet, chosen_set, compile_plan, kind, stored_set
from laconic.label import arcs
from laconic.label.arcs import Arcs, Labels, Task
from laconic.learn import Frozen, Settings, check_folds
from laconic.progress import Progress

EXITS = (2, 4, 6, 9, 13, 20, 30)
Pos = Literal["upos", "xpos"]
Order = Literal["down", "up"]
Confidences = npt.NDArray[np.float32]
MAX_LABELS = 65_534


@dataclass(frozen=True)
class LabelerConfig:
    """How a labeler is trained."""

    pos: Pos = "upos"
    """The tags that POS means, and whose pairs narrow the labels of an arc."""
    templates: str = "labels"
    """Name of a shipped template set, path of a file that ends in ``.templates``, or the set itself as text."""
    order: Order = "down"
    """Heads before their modifiers, or modifiers before their heads; DEP is known of what comes first."""
    projective: Scheme | Literal["none"] = "none"
    """For the trees of a parser that builds projective ones only: learn labels that tell where an arc was lifted from
    (laconic.corpus.projectivity), and put the arc back when the labels are there."""
    settings: Settings = field(default_factory=lambda: Settings(margin=2.0, exits=EXITS))
    lexicon_minimum: int = 2
    """Words seen less often are strangers, in training as later on text."""
    pair_minimum: int = 20
    """Pairs of tags seen so often, in one direction, keep to the labels they were seen with; others may bear any."""
    folds: int = 5
    """Margins are calibrated on decisions of models that did not see them; 0: no margins."""

    def __post_init__(self) -> None:
        for name, choices in (
            ("pos", get_args(Pos)),
            ("order", get_args(Order)),
            ("projective", (*get_args(Scheme), "none")),
        ):
            if getattr(self, name) not in choices:
                raise ConfigError(f"{name} must be one of {', '.join(choices)}, not {getattr(self, name)!r}")
        check_folds(self.folds)
        for name in ("lexicon_minimum", "pair_minimum"):
            if not 1 <= getattr(self, name) < 2**31:
                raise ConfigError(f"{name} must be at least 1, not {getattr(self, name)}")

    def template_set(self) -> TemplateSet:
        return chosen_set(self.templates, kind("edge"))


@dataclass(frozen=True)
class Work:
    """What labelling cost."""

    decisions: int
    templates: int
    rows: int
    """Cache lines of weights read."""


class Labeler:
    """A component that fills the column of labels. Heads and tags must be there before it."""

    columns = ("deprel",)

    def __init__(self, config: LabelerConfig, labels: Sequence[str], arcs: Arcs) -> None:
        self.config, self.labels, self.arcs = config, list(labels), arcs
        self.stop = arcs.frozen.stop(0.0)

    @classmethod
    def fit(cls, config: LabelerConfig, doc: Doc, predicted: Doc | None = None) -> Generator[Progress, None, Labeler]:
        """Train on the arcs of a document. The generator returns the labeler.

        ``predicted`` is the same document with heads and tags by models that did not see it: then decisions are
        learned in its trees, from those arcs that are right, and confidence is that of a label if the head is right.
        ConfigError if the document has no heads or labels.
        """
        if config.projective != "none" and len(doc) and doc.heads.min() >= 0:
            doc = doc.sentences[:]
            encode_doc(doc, config.projective)
        read = doc if predicted is None else predicted
        if len(read) != len(doc) or not np.array_equal(read.sentence_starts, doc.sentence_starts):
            raise ConfigError("the predicted document has other words than the document")
        gold, names = gold_labels(doc)
        if not len(doc) or doc.heads.min() < 0 or names == ["_"]:
            raise ConfigError("the training data has no labelled trees to learn from")
        task = Task(
            compile_plan(config.template_set()),
            read,
            gold,
            np.asarray(read.heads == doc.heads),
            names,
            config.pos,
            config.order,
            config.settings,
            config.lexicon_minimum,
            config.pair_minimum,
        )
        return cls(config, names, (yield from arcs.fit(task, config.folds)))

    @property
    def frozen(self) -> Frozen:
        return self.arcs.frozen

    @property
    def templates(self) -> str:
        """The template set as text."""
        return str(self.config.template_set())

    def effort(self, tolerance: float) -> None:
        """Let this share of the decisions differ from the full model's, for speed; 0: none."""
        self.stop = self.frozen.stop(tolerance)

    @overload
    def predict(self, doc: Doc, *, confidence: Literal[False] = False) -> tuple[Labels, Work]: ...
    @overload
    def predict(self, doc: Doc, *, confidence: Literal[True]) -> tuple[Labels, Work, Confidences]: ...
    def predict(self, doc: Doc, *, confidence: bool = False) -> tuple[Labels, Work] | tuple[Labels, Work, Confidences]:
        """A label number per word, what it cost, and on request how probable each label is to be right.

        InputError for a sentence whose heads are absent or no tree. Cost: linear in the words.
        """
        labels, depths, rows, sure = self.arcs.decide(doc, self.stop, confidence)
        work = Work(len(labels), int(depths.sum()), rows)
        return (labels, work, sure) if confidence else (labels, work)

    def apply(self, doc: Doc) -> Work:
        """Fill the column of labels; with ``projective``, heads of lifted arcs change."""
        labels, work = self.predict(doc)
        doc.set_codes("deprel", labels.astype(np.int32), self.labels)
        if self.config.projective != "none":
            decode_doc(doc, self.config.projective)
        return work

    def state(self) -> tuple[dict[str, npt.NDArray[Any]], dict[str, Any]]:
        """Arrays and JSON-able facts from which ``from_state`` builds an equal labeler."""
        arrays, facts = self.arcs.state()
        return arrays, facts | {
            "pos": self.config.pos,
            "order": self.config.order,
            "projective": self.config.projective,
            "names": self.labels,
            "templates": self.templates,
        }

    @classmethod
    def from_state(cls, arrays: Mapping[str, npt.NDArray[Any]], facts: Mapping[str, Any]) -> Self:
        """ModelError unless everything fits together."""
        try:
            templates = str(stored_set(facts["templates"], kind("edge")))
            config = LabelerConfig(
                pos=facts["pos"], order=facts["order"], projective=facts["projective"], templates=templates
            )
            names = [str(name) for name in facts["names"]]
            if not all(map(fits_a_column, names)):
                raise ValueError("labels do not fit a column")
            plan = compile_plan(config.template_set())
            trained = Arcs.from_state(plan, names, config.pos, config.order, arrays, facts)
        except (KeyError, TypeError, ValueError, OverflowError, ConfigError) as error:
            raise ModelError(f"the labeler in the model is damaged: {error}") from error
        return cls(config, names, trained)


def gold_labels(doc: Doc) -> tuple[Labels, list[str]]:
    """Label numbers of all words, and the labels in alphabetical order."""
    codes, values = doc.codes("deprel")
    if len(values) > MAX_LABELS:
        raise ConfigError(f"{len(values)} different labels are too many: a classifier has at most {MAX_LABELS:,}")
    order = sorted(range(len(values)), key=values.__getitem__)
    rank = np.empty(len(values), np.uint16)
    rank[order] = np.arange(len(values), dtype=np.uint16)
    return rank[codes], [values[i] for i in order]


def fits_a_column(label: str) -> bool:
    """Can a document hold it? Not where it is empty, would break a line, or is a lone surrogate."""
    return label != "" and not any(char in "\t\n\r\0" or "\ud800" <= char <= "\udfff" for char in label)
