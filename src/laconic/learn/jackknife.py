"""Predictions of models that did not see what they predict."""

from __future__ import annotations

from collections.abc import Callable, Generator

import numpy as np
import numpy.typing as npt

from laconic.corpus import Doc
from laconic.errors import ConfigError
from laconic.learn.component import Component
from laconic.progress import Progress, within_whole

Fit = Callable[[Doc], Generator[Progress, None, Component]]
MAX_FOLDS = 100


def check_folds(folds: int, name: str = "folds") -> None:
    """None at all, or at least two: one would leave nothing to train on."""
    if folds != 0 and not 2 <= folds <= MAX_FOLDS:
        raise ConfigError(f"{name} must be 0 or from 2 to {MAX_FOLDS}, not {folds}")


def fold_of(doc: Doc, folds: int) -> npt.NDArray[np.int64]:
    """The fold of each sentence. Sentences of one document stay together where there are enough documents, ten to a
    fold; otherwise neighbours go to different folds."""
    if folds < 2:
        raise ConfigError(f"a corpus is cut into at least 2 folds, not {folds}")
    sentences = np.arange(len(doc.sentences))
    documents = np.searchsorted(np.array(doc.columns.document_starts(), np.int64), sentences, side="right")
    enough = len(np.unique(documents)) >= 10 * folds
    return np.asarray((documents if enough else sentences) % folds, np.int64)


def select(doc: Doc, chosen: npt.NDArray[np.bool_]) -> Doc:
    """The chosen sentences, in order. Linear in the document."""
    edges = np.flatnonzero(np.diff(np.concatenate(([False], chosen, [False])).astype(np.int8)))
    return Doc.concatenate(doc.sentences[begin:end] for begin, end in edges.reshape(-1, 2).tolist())


def jackknife(fit: Fit, doc: Doc, folds: int = 10) -> Generator[Progress, None, Doc]:
    """The document with the component's columns as predicted by models that were not trained on the sentence.

    ``fit`` trains on a document and returns a component. Cost: ``folds`` trainings on almost all of the document.
    """
    number = fold_of(doc, folds)
    parts = []
    for fold in range(folds):
        held = number == fold
        if not held.any():
            continue
        if held.all():
            raise ConfigError("too few sentences to train on some and predict others")
        component = yield from within_whole(fit(select(doc, ~held)), f"fold {fold + 1} of {folds}", fold, folds)
        part = select(doc, held)
        component.apply(part)
        parts.append((np.flatnonzero(held), part))
    order = np.concatenate([sentences for sentences, _ in parts]) if parts else np.zeros(0, np.int64)
    whole = Doc.concatenate(part for _, part in parts)
    return Doc.concatenate(whole.sentences[at : at + 1] for at in np.argsort(order, kind="stable").tolist())
