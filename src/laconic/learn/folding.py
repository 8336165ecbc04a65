"""Training in folds and calibration: margins and temperatures from decisions of models that did not see them.

All components go through this: whoever has too few sentences to hold some out gets a model without margins.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeVar

import numpy as np
import numpy.typing as npt

from laconic.corpus import Doc
from laconic.evaluate.score import Bools
from laconic.learn.confidence import FinalScores, tempered
from laconic.learn.frozen import Frozen, calibrated
from laconic.learn.stopping import EXIT, TOLERANCES, Stop
from laconic.progress import AnyProgress, side_by_side

MOST_WORDS_OF_PIECE = 1000
SILVER_FOLDS = 2
Sentences = npt.NDArray[np.uint32]
Unit = Literal["document", "piece", "sentence"]
Trained = TypeVar("Trained")
Held = tuple[Trained, Sentences]
"""A model, and sentences that it was not trained on."""


def words_in(doc: Doc, sentences: Sentences) -> Bools:
    """Which words of the document lie in these sentences."""
    starts = doc.sentence_starts.astype(np.int64)
    lengths: npt.NDArray[np.int64] = starts[1:] - starts[:-1]
    chosen = np.zeros(len(lengths), bool)
    chosen[sentences] = True
    return np.repeat(chosen, lengths)


def select(doc: Doc, chosen: Bools) -> Doc:
    """The chosen sentences, in order. Linear in the document."""
    edges = np.flatnonzero(np.diff(np.concatenate(([False], chosen, [False])).astype(np.int8)))
    return Doc.concatenate(doc.sentences[begin:end] for begin, end in edges.reshape(-1, 2).tolist())


@dataclass(frozen=True)
class HeldOut:
    """Decisions on sentences that a model was not trained on, those with a choice only."""

    leads: npt.NDArray[np.float32]
    """After each depth."""
    agrees: Bools
    """Whether the prefix says what the full model says."""

    @classmethod
    def of(cls, leads: npt.NDArray[np.int32], labels: npt.NDArray[np.uint16], scale: float) -> HeldOut:
        """From integer leads, infinite where there was no choice, and the labels after each depth."""
        choice = leads[:, 0] < np.iinfo(np.int32).max
        return cls(np.asarray(leads[choice] / scale, np.float32), np.asarray(labels[choice] == labels[choice][:, -1:]))


Fit = Callable[[Sentences], Generator[AnyProgress, None, Trained]]
"""Trains on some sentences."""


def folds_of(
    doc: Doc, folds: int, unit: Unit = "document", sentences: Sentences | None = None, silver: int = 0
) -> list[Sentences]:
    """The sentences of a document, or those of them that are given, in folds. The sentences of a unit stay together;
    neighbouring units go to different folds. There are never more folds than units, and no fold is empty; there are
    none where that is fewer than two, since a model would then be trained on nothing.

    Units are the documents of a corpus (where there are ten to a fold, otherwise sentences), pieces of documents of a
    thousand words (fewer where there would not be four to a fold), or sentences. With ``silver`` sentences at the end
    of the document there are at most two folds, since half of much text still is much; these sentences are units.
    """
    chosen = np.arange(len(doc.sentences), dtype=np.uint32) if sentences is None else sentences
    if silver:
        treebank, rest = np.split(chosen, [np.searchsorted(chosen, len(doc.sentences) - silver)])
        parts = folds_of(doc, min(folds, SILVER_FOLDS), unit, treebank)
        return [np.concatenate((part, rest[i :: len(parts)])) for i, part in enumerate(parts)]
    units = _units(doc, chosen, folds, unit)
    count = min(folds, len(np.unique(units)))
    return [chosen[units % count == fold] for fold in range(count)] if count > 1 else []


def _units(doc: Doc, sentences: Sentences, folds: int, unit: Unit) -> npt.NDArray[np.int64]:
    """The number of the unit of each of the sentences, ascending by one."""
    documents = np.searchsorted(np.array(doc.columns.document_starts(), np.int64), sentences, side="right")
    if unit == "document" and len(np.unique(documents)) >= 10 * min(folds, len(sentences)):
        return np.unique(documents, return_inverse=True)[1]  # some have none of the sentences
    if unit == "piece":
        # A piece is a document, or what of it lies between multiples of so many words.
        size = max(1, min(MOST_WORDS_OF_PIECE, len(doc) // (4 * max(1, folds))))
        parts = documents * (len(doc) // size + 1) + doc.sentence_starts.astype(np.int64)[sentences] // size
        return np.cumsum(np.diff(parts, prepend=parts[:1]) != 0)
    return np.arange(len(sentences))


def fit_folded(
    fit: Fit[AnyProgress, Trained], sentences: Sentences, parts: Sequence[Sentences], done: int = 0
) -> Generator[AnyProgress, None, tuple[Trained, list[Held[Trained]]]]:
    """A model of all sentences, and for each of the ``folds_of`` them one without its sentences, with these sentences.
    ``done`` trainings went before, for progress. They are trained side by side: memory is that of as many trainings as
    there are processors."""
    runs = [fit(sentences), *(fit(rest) for rest in _others(parts))]
    model, *models = yield from _in_whole(runs, ["weights", *["margins"] * len(parts)], done, done + len(runs))
    return model, list(zip(models, parts, strict=True))


def fit_held_out(
    fit: Fit[AnyProgress, Trained], parts: Sequence[Sentences], what: str, done: int, of: int
) -> Generator[AnyProgress, None, list[Held[Trained]]]:
    """For each part a model of the sentences of all others, and the part; trainings ``done + 1`` … among ``of``."""
    models = yield from _in_whole([fit(rest) for rest in _others(parts)], [what] * len(parts), done, of)
    return list(zip(models, parts, strict=True))


def _others(parts: Sequence[Sentences]) -> list[Sentences]:
    """For each part the sentences of all others, in order."""
    return [np.sort(np.concatenate([*parts[:fold], *parts[fold + 1 :]])) for fold in range(len(parts))]


def _in_whole(
    runs: Sequence[Generator[AnyProgress, None, Trained]], names: Sequence[str], done: int, of: int
) -> Generator[AnyProgress, None, list[Trained]]:
    """Trainings side by side, of as many steps each; progress is that within ``of`` such trainings, of which some were
    ``done`` before."""
    trainings, steps = side_by_side(runs), 0
    while True:
        try:
            number, step = next(trainings)
        except StopIteration as stop:
            trained: list[Trained] = stop.value
            return trained
        steps += 1
        yield replace(step, what=names[number], done=done * step.of + steps, of=of * step.of)


def without_silver(held: Sequence[Held[Trained]], doc: Doc, silver: int) -> list[Held[Trained]]:
    """The same models with the sentences of the treebank alone: what a model has labelled calibrates nothing."""
    return [(model, outside[outside < len(doc.sentences) - silver]) for model, outside in held]


def with_margins(
    frozen: Frozen,
    held: Sequence[HeldOut],
    depths: Sequence[int],
    tolerances: Sequence[float] = TOLERANCES,
    exit_cost: float = EXIT,
) -> Frozen:
    """The same weights with margins for all tolerances."""
    leads = np.concatenate([one.leads for one in held])
    return calibrated(frozen, leads, np.concatenate([one.agrees for one in held]), depths, tolerances, exit_cost)


def with_temperatures(frozen: Frozen, final_scores: Callable[[Stop], FinalScores], *, platt: bool = False) -> Frozen:
    """The same classifier with temperatures for the full model and for all margins. ``final_scores`` tells how held-out
    decisions end at given margins; ``platt`` as for ``tempered``."""
    stops = {0.0: Stop.never(frozen.table.templates), **frozen.stops}
    return replace(
        frozen, stops={tolerance: tempered(stop, final_scores(stop), platt=platt) for tolerance, stop in stops.items()}
    )
