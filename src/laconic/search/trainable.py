"""What can be searched: anything that can be trained with a template set and scored.

``Trainable`` is all that a search needs. Where the features of a pool of templates can be looked up once for all trials
(``PoolSource``), ``PooledTrainable`` trains with any selection of them without looking anything up again.
"""

from __future__ import annotations

import base64
import hashlib
import json
import math
from abc import ABC, abstractmethod
from dataclasses import Field, asdict, dataclass, fields
from functools import cached_property
from typing import Any, ClassVar, Generic, Protocol, Self, TypeVar

import numpy as np
import numpy.typing as npt

from laconic._core.learn import Examples, shuffled
from laconic._core.search import right, scores
from laconic.corpus import Doc
from laconic.errors import ConfigError
from laconic.evaluate.bootstrap import Floats
from laconic.evaluate.score import Bools
from laconic.features import TemplateSet
from laconic.learn import Component, Settings, train_linear
from laconic.learn.folding import select
from laconic.progress import finished

Numbers = npt.NDArray[np.uint32]
Config = TypeVar("Config")


class TrialSettings(Protocol):
    """How a component is trained: a dataclass with these among its fields."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    @property
    def epochs(self) -> int: ...
    @property
    def seed(self) -> int: ...


@dataclass(frozen=True)
class Trial:
    """Templates in order, the share of the training data to learn from, and how."""

    templates: TemplateSet
    share: float
    settings: TrialSettings

    def __post_init__(self) -> None:
        if not 0 < self.share <= 1:
            raise ConfigError(f"the share of a trial must be above 0 and not above 1, not {self.share}")

    @property
    def work(self) -> float:
        """In proportion to the cost."""
        return self.share * len(self.templates) * self.settings.epochs

    @property
    def facts(self) -> list[Any]:
        """Its name in a journal is the text of the templates, so that a result serves every search that comes by the
        same set."""
        return ["trial", str(self.templates), self.share, asdict(self.settings)]

    def run(self, trainable: Trainable) -> TrialResult:
        return trainable.run(self)

    def pack(self, result: TrialResult) -> Any:
        return result.packed()

    def unpack(self, value: Any) -> TrialResult:
        return TrialResult.unpacked(value)


@dataclass(frozen=True)
class TrialResult:
    """Which of the things that the development data ask for came out right."""

    right: Bools

    @property
    def score(self) -> float:
        return float(self.right.mean()) if len(self.right) else 0.0

    def gain(self, before: Self) -> tuple[float, float]:
        """How much better this is, and the standard error of that, both as shares of what was asked (paired)."""
        change = self.right.astype(np.float64) - before.right
        return float(change.mean()), float(change.std() / np.sqrt(max(1, len(change))))

    def packed(self) -> dict[str, Any]:
        return {"asked": len(self.right), "right": base64.b85encode(np.packbits(self.right).tobytes()).decode()}

    @classmethod
    def unpacked(cls, value: dict[str, Any]) -> Self:
        """From what ``packed`` gave. ValueError, KeyError or TypeError for anything else."""
        bits, asked = np.frombuffer(base64.b85decode(value["right"]), np.uint8), value["asked"]
        if not isinstance(asked, int) or len(bits) != -(-asked // 8):
            raise ValueError(f"{len(bits)} bytes cannot hold {asked} answers")
        return cls(np.unpackbits(bits, count=asked).astype(bool))


class Trainable(Protocol):
    """One component on one corpus. It must survive pickling where processes cannot be forked."""

    @property
    def settings(self) -> TrialSettings:
        """How the component is going to be trained; search trains the same way."""

    @property
    def digest(self) -> str:
        """Tells apart whatever can change the result of a trial, but for the trial itself: data and configuration."""

    def prepare(self) -> None:
        """Compute what all trials share, so that processes that are forked after it share it too."""

    def run(self, trial: Trial) -> TrialResult:
        """Train and score. Depends on the trainable and the trial alone."""


@dataclass(frozen=True)
class Pool:
    """Decisions to learn from and decisions to be judged by, with the features of the whole pool of templates."""

    train: Examples
    develop: Examples
    """Finished like ``train``: the same features have the same numbers."""

    def sample(self, share: float, seed: int) -> Numbers:
        """A share of the training decisions, drawn once per seed: a smaller share is a part of a larger one."""
        return drawn(len(self.train), share, seed)

    def features(self) -> npt.NDArray[np.int64]:
        """How many features each template has."""
        return np.bincount(self.train.template_of(), minlength=self.train.templates)


class PoolSource(Protocol):
    """Can show its decisions with the features of all templates looked up."""

    @property
    def templates(self) -> TemplateSet:
        """The pool."""

    @property
    def fixed(self) -> int:
        """How many templates of the pool stand first in every order, as in the pool: those that a decision reads at
        one go, as it reads what the form of a word says (0: none)."""

    @property
    def settings(self) -> Settings:
        """As of a trainable."""

    @property
    def digest(self) -> str:
        """As of a trainable."""

    def pool(self) -> Pool:
        """Look all features up, once. The same at every call."""


@dataclass(frozen=True)
class PooledTrainable:
    """Trials with templates of a pool, over decisions that do not depend on each other. A trial costs its training."""

    source: PoolSource

    @property
    def settings(self) -> Settings:
        return self.source.settings

    @property
    def templates(self) -> TemplateSet:
        return self.source.templates

    @property
    def pool(self) -> Pool:
        return self._pool

    @cached_property
    def _pool(self) -> Pool:
        return self.source.pool()

    @property
    def fixed(self) -> tuple[int, ...]:
        """The templates that stand first whatever they are worth."""
        return tuple(range(self.source.fixed))

    @cached_property
    def digest(self) -> str:
        """Which features there are, and which tags stand left of a decision, depends on all templates of the pool and
        on how they are trained."""
        return digest_of(self.source.digest, str(self.templates), json.dumps(asdict(self.settings), sort_keys=True))

    def prepare(self) -> None:
        self._pool  # noqa: B018

    def trial(self, order: tuple[int, ...], share: float, settings: Settings) -> Trial:
        """By the numbers that templates have in the pool."""
        templates = self.templates
        return Trial(TemplateSet(templates.kind, tuple(templates[number] for number in order)), share, settings)

    def run(self, trial: Trial) -> TrialResult:
        assert isinstance(trial.settings, Settings)
        pool, known = self._pool, {str(template): number for number, template in enumerate(self.templates)}
        try:
            order = numbers([known[str(template)] for template in trial.templates])
        except KeyError as missing:
            raise ConfigError(f"the pool has no template {missing.args[0]}") from None
        learned = weights(pool.train.select(order, pool.sample(trial.share, trial.settings.seed)), trial.settings)
        judged = pool.develop.select(order, np.arange(len(pool.develop), dtype=np.uint32))
        return TrialResult(right(judged, scores(judged, learned)).astype(bool))

    def __reduce__(self) -> tuple[Any, ...]:
        return PooledTrainable, (self.source,)  # each process looks the features up itself


@dataclass(frozen=True)
class CorpusTrainable(ABC, Generic[Config]):
    """A component by its configuration, with a document to learn from and one to be judged by. A trial fits the
    component and lets it annotate the development document, so that a decision sees what was decided before it."""

    config: Config
    train: Doc
    develop: Doc

    @property
    @abstractmethod
    def settings(self) -> TrialSettings:
        """Those of the configuration."""

    @abstractmethod
    def facts(self) -> Any:
        """What of the configuration can change the result of a trial, as JSON has it: not how margins are calibrated,
        nor what a trial says itself, the templates and how they are trained."""

    @cached_property
    def digest(self) -> str:
        return digest_of(self.train.to_conllu(), self.develop.to_conllu(), json.dumps(self.facts(), sort_keys=True))

    def prepare(self) -> None:
        """Trials share nothing but the documents."""

    def run(self, trial: Trial) -> TrialResult:
        """Cost: one training on a share of the sentences, and the annotation of the development document."""
        return self.judged(self.fitted(trial), self.develop)

    def fitted(self, trial: Trial) -> Component:
        """The component, trained as the trial says. ConfigError without a template."""
        if not len(trial.templates):
            raise ConfigError("a component is trained with at least one template")
        chosen = np.zeros(len(self.train.sentences), bool)
        chosen[drawn(len(chosen), trial.share, trial.settings.seed)] = True
        return self.fit(select(self.train, chosen), trial)

    def judged(self, component: Component, gold: Doc) -> TrialResult:
        """What the component gets right in a document."""
        guess = gold.sentences[:]
        component.apply(guess)
        return TrialResult(self.correct(guess, gold))

    @abstractmethod
    def fit(self, train: Doc, trial: Trial) -> Component:
        """Fit the component to ``train`` with the templates and settings of the trial."""

    @abstractmethod
    def correct(self, guess: Doc, gold: Doc) -> Bools:
        """Of each word of a document, whether ``guess`` has it right."""

    def __reduce__(self) -> tuple[Any, ...]:
        rest = (getattr(self, one.name) for one in fields(self)[3:])
        return rebuilt, (type(self), self.config, self.train.to_conllu(), self.develop.to_conllu(), *rest)


@dataclass(frozen=True)
class DecisionTrainable(CorpusTrainable[Config]):
    """A component with linear rows. As a ``PoolSource`` it shows its decisions, each by itself."""

    @property
    @abstractmethod
    def templates(self) -> TemplateSet:
        """Those of the configuration: the pool."""

    @property
    @abstractmethod
    def settings(self) -> Settings: ...

    @property
    def fixed(self) -> int:
        """No template comes first by rule."""
        return 0

    def pool(self) -> Pool:
        """Nothing is looked up again at later calls."""
        return self._pool

    @cached_property
    def _pool(self) -> Pool:
        return self.look_up()

    @abstractmethod
    def look_up(self) -> Pool:
        """All decisions with their features."""


def same_values(guess: Doc, gold: Doc, column: str) -> Bools:
    """Which values of a column are those of another document of the same words."""
    return np.asarray(np.array(guess.strings(column)) == np.array(gold.strings(column)))


def rebuilt(kind: type[Any], config: Any, train: str, develop: str, *rest: Any) -> Any:
    """What ``__reduce__`` took apart: in another process a document is read from its text."""
    return kind(config, Doc.from_conllu(train), Doc.from_conllu(develop), *rest)


def weights(examples: Examples, settings: Settings) -> Floats:
    """Train on examples of the templates in question; one row of label weights per feature."""
    if not examples.templates:
        return np.zeros((0, examples.labels))
    return finished(train_linear(examples, examples.templates, settings)).weights(examples)


def numbers(values: npt.ArrayLike) -> Numbers:
    return np.asarray(values, np.uint32)


def drawn(size: int, share: float, seed: int) -> Numbers:
    """A share of so many things, ascending; a smaller share is a part of a larger one of the same seed."""
    return np.sort(shuffled(size, seed)[: max(1, round(share * size))])


def first_share(doc: Doc, share: float) -> Doc:
    """A share of the sentences of a document from its front, at least one."""
    return doc.sentences[: max(1, math.ceil(share * len(doc.sentences)))]


def digest_of(*parts: str) -> str:
    return hashlib.sha256("".join(hashlib.sha256(part.encode()).hexdigest() for part in parts).encode()).hexdigest()
