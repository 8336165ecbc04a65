"""Training in folds: models that did not see what they are calibrated on."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from laconic.corpus import Doc
from laconic.learn.frozen import Frozen, calibrated
from laconic.learn.jackknife import fold_of
from laconic.learn.stopping import TOLERANCES
from laconic.progress import Progress, told

Sentences = npt.NDArray[np.uint32]
Chosen = npt.NDArray[np.bool_]
Model = TypeVar("Model")
Held = tuple[Model, Sentences]
"""A model, and sentences that it was not trained on."""


def words_in(doc: Doc, sentences: Sentences) -> Chosen:
    """Which words of the document lie in these sentences."""
    starts = doc.sentence_starts.astype(np.int64)
    lengths: npt.NDArray[np.int64] = starts[1:] - starts[:-1]
    chosen = np.zeros(len(lengths), bool)
    chosen[sentences] = True
    return np.repeat(chosen, lengths)


@dataclass(frozen=True)
class HeldOut:
    """Decisions on sentences that a model was not trained on, those with a choice only."""

    leads: npt.NDArray[np.float32]
    """After each depth."""
    agrees: Chosen
    """Whether the prefix says what the full model says."""

    @classmethod
    def of(cls, leads: npt.NDArray[np.int32], labels: npt.NDArray[np.uint16], scale: float) -> HeldOut:
        """From integer leads, infinite where there was no choice, and the labels after each depth."""
        choice = leads[:, 0] < np.iinfo(np.int32).max
        return cls(np.asarray(leads[choice] / scale, np.float32), np.asarray(labels[choice] == labels[choice][:, -1:]))


Fit = Callable[[Sentences], Generator[Progress, None, Model]]
"""Trains on some sentences."""


def fit_folded(fit: Fit[Model], doc: Doc, folds: int) -> Generator[Progress, None, tuple[Model, list[Held[Model]]]]:
    """A model of all sentences; then one for each fold without its sentences, and these sentences. No folds are made
    where none are wanted or there are too few sentences."""
    sentences = np.arange(len(doc.sentences), dtype=np.uint32)
    count = min(folds, len(sentences))
    parts: list[Sentences] = []
    if count > 1:
        number = fold_of(doc, count)
        parts = [sentences[number == fold] for fold in range(count)]
        if any(len(part) in (0, len(sentences)) for part in parts):
            parts = []
    rounds = 1 + len(parts)
    model = yield from told(fit(sentences), "weights", 0, rounds)
    models = yield from fit_folds(fit, parts, "margins", 1, rounds)
    return model, list(zip(models, parts, strict=True))


def fit_folds(
    fit: Fit[Model], parts: Sequence[Sentences], what: str, done: int, of: int
) -> Generator[Progress, None, list[Model]]:
    """For each part a model of the sentences of all others; trainings ``done + 1`` … among ``of``."""
    models = []
    for fold in range(len(parts)):
        rest = np.sort(np.concatenate([part for i, part in enumerate(parts) if i != fold]))
        models.append((yield from told(fit(rest), what, done + fold, of)))
    return models


def with_margins(
    frozen: Frozen, held: Sequence[HeldOut], depths: Sequence[int], tolerances: Sequence[float] = TOLERANCES
) -> Frozen:
    """The same weights with margins for all tolerances."""
    leads = np.concatenate([one.leads for one in held])
    return calibrated(frozen, leads, np.concatenate([one.agrees for one in held]), depths, tolerances)
