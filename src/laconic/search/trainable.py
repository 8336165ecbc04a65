"""What can be searched: anything that can show its decisions with the features of all templates looked up."""

from __future__ import annotations

import hashlib
import json
from abc import ABC, abstractmethod
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, Generic, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from laconic._core.learn import Examples, shuffled
from laconic.corpus import Doc
from laconic.features import TemplateSet
from laconic.learn import Settings

Numbers = npt.NDArray[np.uint32]
Config = TypeVar("Config")


@dataclass(frozen=True)
class Pool:
    """Decisions to learn from and decisions to be judged by, with the features of the whole pool of templates."""

    train: Examples
    develop: Examples
    """Finished like ``train``: the same features have the same numbers."""

    def sample(self, share: float, seed: int) -> Numbers:
        """A share of the training decisions, drawn once per seed: a smaller share is a part of a larger one."""
        size = len(self.train)
        return np.sort(shuffled(size, seed)[: max(1, round(share * size))])

    def features(self) -> npt.NDArray[np.int64]:
        """How many features each template has."""
        return np.bincount(self.train.template_of(), minlength=self.train.templates)


class Trainable(Protocol):
    """One component on one corpus. It must survive pickling where processes cannot be forked."""

    @property
    def templates(self) -> TemplateSet:
        """The pool to order."""

    @property
    def head(self) -> int:
        """How many templates of the pool stand first, in the order of the pool: those that a decision reads at one go,
        as it reads what the form of a word says (0: none)."""

    @property
    def settings(self) -> Settings:
        """How the component is going to be trained; search trains the same way."""

    @property
    def digest(self) -> str:
        """Tells apart whatever can change a result: data, templates, configuration."""

    def pool(self) -> Pool:
        """Look all features up, once. The same at every call."""


@dataclass(frozen=True)
class CorpusTrainable(ABC, Generic[Config]):
    """A component by its configuration, with a document to learn from and one to be judged by."""

    config: Config
    train: Doc
    develop: Doc

    @property
    def head(self) -> int:
        """No template comes first by rule."""
        return 0

    @abstractmethod
    def facts(self) -> Any:
        """What of the configuration can change an order, as JSON has it: not how margins are calibrated, nor where
        templates lie."""

    @cached_property
    def digest(self) -> str:
        parts = (self.train.to_conllu(), self.develop.to_conllu(), json.dumps(self.facts(), sort_keys=True))
        return hashlib.sha256("".join(hashlib.sha256(part.encode()).hexdigest() for part in parts).encode()).hexdigest()

    def pool(self) -> Pool:
        """Nothing is looked up again at later calls."""
        return self._pool

    @cached_property
    def _pool(self) -> Pool:
        return self.look_up()

    @abstractmethod
    def look_up(self) -> Pool:
        """All decisions with their features."""

    def __reduce__(self) -> tuple[Any, ...]:
        rest = (getattr(self, one.name) for one in fields(self)[3:])
        return _rebuilt, (type(self), self.config, self.train.to_conllu(), self.develop.to_conllu(), *rest)


def _rebuilt(kind: type[Any], config: Any, train: str, develop: str, *rest: Any) -> Any:
    return kind(config, Doc.from_conllu(train), Doc.from_conllu(develop), *rest)


def numbers(values: npt.ArrayLike) -> Numbers:
    return np.asarray(values, np.uint32)
