"""What components have in common: how they are turned, what their work cost, how their parts are stored."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Literal, Protocol, Self, TypeVar, overload

import numpy as np
import numpy.typing as npt

from laconic.corpus import Doc
from laconic.errors import ConfigError
from laconic.features import TemplateSet
from laconic.learn.frozen import Frozen
from laconic.learn.stopping import Stop

MOST_LABELS = 65_534
Labels = npt.NDArray[np.uint16]
"""A label number per word."""
Confidences = npt.NDArray[np.float32]
"""How probable it is, for each word, that what was said of it is right."""


@dataclass(frozen=True)
class Work:
    """What decisions cost."""

    decisions: int = 0
    templates: int = 0
    rows: int = 0
    """Cache lines of weights read."""

    def __add__(self, other: Work) -> Work:
        return Work(self.decisions + other.decisions, self.templates + other.templates, self.rows + other.rows)


def within(arrays: Mapping[str, npt.NDArray[Any]], part: str) -> dict[str, npt.NDArray[Any]]:
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


class OneClassifier(ABC, Generic[Config]):
    """A component with one classifier, and its knob. One object serves any number of threads."""

    def __init__(self, config: Config, stop: Stop) -> None:
        self.config, self.stop = config, stop

    @property
    @abstractmethod
    def frozen(self) -> Frozen: ...

    @property
    def templates(self) -> str:
        """The template set as text."""
        return str(self.config.template_set())

    def effort(self, tolerance: float) -> None:
        """Let this share of the decisions differ from the full model's, for speed; 0: none."""
        self.stop = self.frozen.stop(tolerance)


class PerWord(OneClassifier[Config]):
    """A component that decides once about each word and fills columns with what was decided."""

    def __init__(self, config: Config, decision: Decision) -> None:
        super().__init__(config, decision.frozen.stop(0.0))
        self._decision = decision

    @property
    def frozen(self) -> Frozen:
        return self._decision.frozen

    @overload
    def predict(self, doc: Doc, *, confidence: Literal[False] = False) -> tuple[Labels, Work]: ...
    @overload
    def predict(self, doc: Doc, *, confidence: Literal[True]) -> tuple[Labels, Work, Confidences]: ...
    def predict(self, doc: Doc, *, confidence: bool = False) -> tuple[Labels, Work] | tuple[Labels, Work, Confidences]:
        """A label number per word, what it cost, and on request how probable each label is to be right. InputError
        where the document lacks what is decided about. Cost: linear in the words."""
        labels, depths, rows, sure = self._decision.decide(doc, self.stop, confidence)
        work = Work(len(labels), int(depths.sum()), rows)
        return (labels, work, sure) if confidence else (labels, work)

    def apply(self, doc: Doc) -> Work:
        """Fill the columns of a document."""
        labels, work = self.predict(doc)
        self.write(doc, labels)
        return work

    def confident(self, doc: Doc) -> Confidences:
        """Fill the columns of a document; how probable it is for each word that what stands there is right."""
        labels, _, sure = self.predict(doc, confidence=True)
        self.write(doc, labels)
        return sure

    @abstractmethod
    def write(self, doc: Doc, labels: Labels) -> None:
        """Fill the columns of a document with what was predicted."""

    def turned_as(self, other: Self) -> Self:
        """This component, with the effort of another."""
        self.stop = other.stop
        return self
