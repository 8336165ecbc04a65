"""What the pipeline knows of a component: one base class, whatever the component decides and however it was trained."""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from collections.abc import Collection, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, Protocol, Self, TypeVar, overload

import numpy as np
import numpy.typing as npt

from laconic.corpus import Doc
from laconic.errors import ConfigError
from laconic.features import TemplateSet
from laconic.learn.frozen import Frozen
from laconic.learn.stopping import Stop
from laconic.progress import Progress

if TYPE_CHECKING:
    from laconic.learn.explain import Explanation

MOST_LABELS = 65_534
Labels = npt.NDArray[np.uint16]
"""A label number per word."""
Confidences = npt.NDArray[np.float32]
"""How probable it is, for each word, that what was said of it is right."""
Arrays = dict[str, npt.NDArray[Any]]
State = tuple[Arrays, dict[str, Any]]
"""Arrays and JSON-able facts."""


@dataclass(frozen=True)
class Work:
    """What decisions cost."""

    decisions: int = 0
    templates: int = 0
    rows: int = 0
    """Cache lines of weights read."""

    def __add__(self, other: Work) -> Work:
        return Work(self.decisions + other.decisions, self.templates + other.templates, self.rows + other.rows)


@dataclass
class TrainingData:
    """What components learn from, one after another in the order of the pipeline."""

    gold: Doc
    """A treebank and, where there is some, text that a model has labelled, behind it."""
    predicted: Doc | None = None
    """The same words with columns as predicted by models that did not see them (jackknifed). A component with
    ``offers_predicted`` leaves its own columns here for those that are trained after it."""
    dev: Doc | None = None
    """Development data: the words with columns as earlier components leave them, and the gold of the columns that the
    component writes."""
    silver: int = 0
    """How many sentences at the end of ``gold`` were labelled by a model. They are learned from where a component has
    ``uses_silver``; nothing is calibrated on them."""
    labelled: Iterable[Doc] = ()
    """All text that a model has labelled, of which those sentences were taken, in parts: for what is known of words. It
    may be gone through more than once."""

    @property
    def treebank(self) -> TrainingData:
        """The same without the sentences that a model has labelled."""
        if not self.silver:
            return self
        predicted = None if self.predicted is None else self.predicted.sentences[: -self.silver]
        return TrainingData(self.gold.sentences[: -self.silver], predicted, self.dev, labelled=self.labelled)

    @property
    def read(self) -> Doc:
        """What decisions see in training: predicted columns where there are any. ConfigError where these belong to
        other words."""
        if self.predicted is None:
            return self.gold
        same = np.array_equal(self.predicted.sentence_starts, self.gold.sentence_starts)
        if not same or self.predicted.strings("form") != self.gold.strings("form"):
            raise ConfigError("the predicted document has other words than the training data")
        return self.predicted


class DocumentState(Protocol):
    """What a component remembers of the words before, within one document."""

    def kept(self) -> tuple[npt.NDArray[Any], ...]:
        """Arrays of integers from which ``Component.document_state`` makes an equal one."""
        ...


def within(arrays: Mapping[str, npt.NDArray[Any]], part: str) -> Arrays:
    """The arrays of a part of a component, or of one component of a model: those called ``part.name``, by ``name``."""
    return {name.removeprefix(f"{part}."): array for name, array in arrays.items() if name.startswith(f"{part}.")}


def alphabetical(codes: npt.NDArray[np.integer[Any]], names: Sequence[str]) -> tuple[Labels, list[str]]:
    """Codes of names as label numbers in the order of the alphabet, and the names in that order. ConfigError for more
    labels than a classifier can have."""
    if len(names) > MOST_LABELS:
        raise ConfigError(f"{len(names)} different labels are too many: a classifier has at most {MOST_LABELS:,}")
    order = sorted(range(len(names)), key=names.__getitem__)
    rank = np.empty(len(order), np.uint16)
    rank[order] = np.arange(len(order), dtype=np.uint16)
    return rank[codes], [names[i] for i in order]


def strings_of(value: Any) -> list[str]:
    """A list of strings as a model file has it; ValueError for anything else."""
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise ValueError(f"expected a list of strings, not {value!r:.60}")
    return value


def has_values(doc: Doc, column: str) -> bool:
    """Does any word of the document have a value in the column?"""
    return any(value != "_" for value in doc.codes(column)[1])


class Component(ABC):
    """A trained component. The pipeline, the command line and the server ask it and never look at its type, so that a
    new component is a subclass and an entry of ``laconic.pipeline.components.COMPONENTS``.

    One object serves any number of threads, as long as none of them sets its effort.
    """

    name: ClassVar[str]
    """In configurations, model files and messages."""
    config_type: ClassVar[type]
    """The dataclass of its configuration; its defaults are those of a training that says nothing."""
    needs: ClassVar[tuple[str, ...]] = ()
    """Columns of which one must have values in a treebank to learn from."""
    writes: ClassVar[tuple[str, ...]] = ()
    """All columns that a component of this class may write; ``columns`` are those that one does."""
    by_default: ClassVar[bool] = True
    """Trained where the configuration names no components and the data show something of it."""
    not_shown: ClassVar[str] = ""
    """What to warn of where it would be trained by default and the data do not show anything of it."""
    instead_of: ClassVar[str] = ""
    """The name of another component that does the same work: a model is not trained with both."""
    uses_predicted: ClassVar[bool] = False
    """Learns from ``TrainingData.predicted`` where there is some."""
    offers_predicted: ClassVar[bool] = False
    """``fit`` sets ``TrainingData.predicted``, with its own columns as predicted by the models of the folds."""
    uses_silver: ClassVar[bool] = False
    """Learns from text that a model has labelled, too."""
    reads_labelled: ClassVar[bool] = False
    """Takes from such text which words there are, and learns no decision from it."""
    segments: ClassVar[bool] = False
    """Makes documents from raw text, with ``predict``, ``split`` and ``piece`` as ``laconic.text.Segmenter`` has them;
    ``apply`` leaves a document as it is."""
    in_order: ClassVar[bool] = False
    """Decisions depend on words of earlier sentences: see ``document_state``."""
    confidence_key: ClassVar[str] = ""
    """The entry of MISC for how probable it is that a word is right; empty: the component cannot tell."""

    labels: Sequence[str] = ()
    """What it chooses from; empty where labels have no names."""

    # Training

    @classmethod
    @abstractmethod
    def fit(cls, config: Any, data: TrainingData) -> Generator[Progress, None, Self]:
        """Train. The generator yields how far it is and returns the component. Same data, configuration and build: same
        bytes. ConfigError for data that nothing can be learned from."""

    @classmethod
    def is_shown(cls, doc: Doc, config: Any) -> bool:
        """Can something be learned from the document?"""
        return any(has_values(doc, column) for column in cls.needs)

    @classmethod
    def measured_by(cls, config: Any) -> tuple[str, ...]:
        """Columns of development data, one of which must have values for a score to say something."""
        return cls.needs

    @classmethod
    def check_dev(cls, config: Any, dev: Doc) -> None:
        """ConfigError where the component could not be measured on these development data."""
        columns = cls.measured_by(config)
        if columns and not any(has_values(dev, column) for column in columns):
            raise ConfigError(f"the development data has no {' or '.join(columns)} to measure the {cls.name} by")

    # Columns and scores

    @property
    def columns(self) -> tuple[str, ...]:
        """What is written; ``entities`` are in MISC."""
        return self.writes

    @property
    def reads(self) -> tuple[str, ...]:
        """Columns that other components, or the user, must have written before."""
        return ()

    @property
    @abstractmethod
    def metrics(self) -> tuple[str, ...]:
        """By which scores the component is judged: of several the lowest counts."""

    def score(self, gold: Doc, guess: Doc) -> float:
        """F1 against gold, in percent."""
        from laconic.evaluate import evaluate

        found = evaluate(gold, guess, single_root=False)
        return min(found[name].f1 for name in self.metrics)

    def judge(self, gold: Doc, given: Doc) -> tuple[float, Work]:
        """The score against gold and what it cost. ``given`` is what the component works on: the gold document, or the
        same as earlier components left it."""
        guess = given.sentences[:]
        work = self.apply(guess)
        return self.score(gold, guess), work

    # Decisions

    @property
    def stages(self) -> tuple[Component, ...]:
        """The decisions of the component one after another, each of which fills columns of its own."""
        return (self,)

    @property
    @abstractmethod
    def classifiers(self) -> tuple[Frozen, ...]:
        """Weights, candidates and margins of each kind of decision."""

    @property
    @abstractmethod
    def templates(self) -> str:
        """The template sets as text."""

    @abstractmethod
    def apply(self, doc: Doc, state: Any = None) -> Work:
        """Fill the columns of a document; what that cost. ``state`` is what ``document_state`` made, for a document
        that comes in pieces. Cost: linear in the words."""

    def document_state(self, kept: Sequence[npt.ArrayLike] | None = None) -> DocumentState | None:
        """Of a component with ``in_order``: what to hand to ``apply`` with each piece of a document, empty or as
        another one ``kept`` it."""
        return None

    def confident(self, doc: Doc) -> Confidences:
        """Fill the columns of a document; how probable it is for each word that what stands there is right. ValueError
        where that was not calibrated. Only with ``confidence_key``."""
        raise NotImplementedError(f"the {self.name} cannot tell how sure it is")

    def confident_of(self, doc: Doc, columns: Collection[str]) -> Confidences:
        """Like ``confident``, where only some of the columns count because another component fills the others anew. The
        same, unless the component tells them apart."""
        return self.confident(doc)

    def explain(self, doc: Doc, sentences: Sequence[int] | None = None) -> list[Explanation]:
        """Why each word of a document that the component has filled, or of some of its sentences, was decided on as it
        was. Nothing where that is not known."""
        return []

    # Effort

    @property
    def tolerances(self) -> list[float]:
        """Those for which there are calibrated margins."""
        return sorted({tolerance for one in self.classifiers for tolerance in one.stops if tolerance > 0})

    @abstractmethod
    def effort(self, tolerance: float) -> None:
        """Let this share of the decisions differ from the full model's, for speed; 0: none."""

    @property
    def search_efforts(self) -> tuple[str, ...]:
        """Names of efforts beyond the full model, which try several decisions."""
        return ()

    def search_effort(self, name: str) -> None:
        """Set one of the ``search_efforts``."""
        raise ConfigError(f"the {self.name} has no effort {name!r}")

    @property
    def explainable(self) -> bool:
        """Can decisions be explained at the effort that is set?"""
        return True

    def shared_copy(self) -> Self:
        """A component that shares all that was learned, but has an effort of its own."""
        return copy.copy(self)

    # Model files

    @abstractmethod
    def state(self) -> State:
        """Arrays and JSON-able facts from which ``from_state`` builds an equal component."""

    @classmethod
    @abstractmethod
    def from_state(cls, arrays: Mapping[str, npt.NDArray[Any]], facts: Mapping[str, Any]) -> Self:
        """ModelError unless everything fits together."""


class TagReading(Protocol):
    """How a component is trained whose templates read tags as POS."""

    @property
    def pos(self) -> str:
        """The column of the tags."""
        ...


PosConfig = TypeVar("PosConfig", bound=TagReading)


class ReadsTags(Component, Generic[PosConfig]):
    """A component whose templates read tags as POS."""

    config: PosConfig

    @property
    def reads(self) -> tuple[str, ...]:
        """The tags that POS means. Templates may read other columns, which the treebank that the component was trained
        on may have lacked."""
        return (self.config.pos,)


class Configured(Protocol):
    """How a component is trained."""

    def template_set(self) -> TemplateSet: ...


class Decision(Protocol):
    """One trained decision per word."""

    @property
    def frozen(self) -> Frozen: ...
    def decide(
        self, doc: Doc, stop: Stop, confidence: bool = False
    ) -> tuple[Labels, npt.NDArray[np.uint32], int, Confidences]:
        """Label and templates computed of each word, rows read in all, and confidences if asked for."""
        ...


Config = TypeVar("Config", bound=Configured)


class OneClassifier(Component, Generic[Config]):
    """A component with one classifier."""

    def __init__(self, config: Config, stop: Stop) -> None:
        self.config, self.stop = config, stop

    @property
    @abstractmethod
    def frozen(self) -> Frozen: ...

    @property
    def classifiers(self) -> tuple[Frozen, ...]:
        return (self.frozen,)

    @property
    def templates(self) -> str:
        """The template set as text."""
        return str(self.config.template_set())

    def effort(self, tolerance: float) -> None:
        self.stop = self.frozen.stop(tolerance)


class WordLabels(Component):
    """A component that finds a label for each word and fills columns with them."""

    @abstractmethod
    def decided(self, doc: Doc, confidence: bool) -> tuple[Labels, Work, Confidences]:
        """A label number per word, what it cost, and confidences if asked for."""

    @overload
    def predict(self, doc: Doc, *, confidence: Literal[False] = False) -> tuple[Labels, Work]: ...
    @overload
    def predict(self, doc: Doc, *, confidence: Literal[True]) -> tuple[Labels, Work, Confidences]: ...
    def predict(self, doc: Doc, *, confidence: bool = False) -> tuple[Labels, Work] | tuple[Labels, Work, Confidences]:
        """A label number per word, what it cost, and on request how probable each label is to be right. InputError
        where the document lacks what is decided about, ValueError where confidence was not calibrated. Cost: linear in
        the words."""
        labels, work, confidences = self.decided(doc, confidence)
        return (labels, work, confidences) if confidence else (labels, work)

    def apply(self, doc: Doc, state: Any = None) -> Work:
        labels, work = self.predict(doc)
        self.write(doc, labels)
        return work

    def confident(self, doc: Doc) -> Confidences:
        labels, _, confidences = self.predict(doc, confidence=True)
        self.write(doc, labels)
        return confidences

    @abstractmethod
    def write(self, doc: Doc, labels: Labels) -> None:
        """Fill the columns of a document with what was predicted."""


class PerWord(OneClassifier[Config], WordLabels):
    """A component that decides once about each word and fills columns with what was decided."""

    def __init__(self, config: Config, decision: Decision) -> None:
        super().__init__(config, decision.frozen.stop(0.0))
        self._decision = decision

    @property
    def frozen(self) -> Frozen:
        return self._decision.frozen

    def decided(self, doc: Doc, confidence: bool) -> tuple[Labels, Work, Confidences]:
        labels, depths, rows, confidences = self._decision.decide(doc, self.stop, confidence)
        return labels, Work(len(labels), int(np.add.reduce(depths)), rows), confidences

    def with_effort_of(self, other: Self) -> Self:
        """This component, with the effort of another."""
        self.stop = other.stop
        return self
