"""Which labels are likely between two kinds of characters: most characters of a text then need no decision."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from laconic._core import text as core

INSIDE, TOKEN, SENTENCE = 1, 2, 4
NONE, SPACE, WIDE, LINE, BLANK = range(5)
SELDOM = 20
"""A combination seen less often also allows the labels of its first two parts."""


@dataclass(frozen=True)
class BoundaryStatistics:
    """What is learned beside the weights, as plain arrays."""

    masks: npt.NDArray[np.uint8]
    """Likely labels between two kinds of characters: see :func:`likely_labels`."""
    gaps: npt.NDArray[np.uint8]
    """As which kind of white space each kind is read."""
    words: npt.NDArray[np.uint32]
    """Atoms of lower-cased words, and how they are written inside sentences."""
    casing: npt.NDArray[np.uint8]

    @classmethod
    def learn(
        cls,
        training: core.Training,
        chosen: npt.NDArray[np.uint8],
        share: float,
        casing_minimum: int,
        treebank: int,
    ) -> BoundaryStatistics:
        """From the chosen sentences. Behind the first ``treebank`` of all stands text that was made of them: what is
        likely without it stays likely, and words are counted once, lest every word of a sentence be a known one."""
        counts = training.boundary_counts(chosen)
        masks = likely_labels(counts, share)
        own = chosen.copy()
        own[treebank:] = 0
        shown = training.boundary_counts(own)
        masks = np.where(shown.sum(axis=3).reshape(-1) > 0, masks | likely_labels(shown, share), masks)
        words, casing = training.casing(own, casing_minimum)
        return cls(masks, read_gaps(counts), words, casing)

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, npt.NDArray[Any]]) -> Self:
        """KeyError where one is missing."""
        return cls(arrays["masks"], arrays["gaps"], arrays["words"], arrays["casing"])

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        return {"masks": self.masks, "gaps": self.gaps, "words": self.words, "casing": self.casing}

    def tables(self) -> core.BoundaryTables:
        """For the core; ModelError where the arrays make no sense."""
        return core.BoundaryTables(self.masks, self.gaps.tolist(), self.words, self.casing)


def read_gaps(counts: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint8]:
    """As which kind of white space each kind is read: itself if training showed it, otherwise the nearest.

    A blank line is always itself: where training has none it ends a sentence.
    """
    seen = counts.sum(axis=(0, 2, 3)) > 0
    gaps = np.arange(len(seen), dtype=np.uint8)
    for kind in (WIDE, LINE):
        if not seen[kind]:
            gaps[kind] = SPACE
    return gaps


def likely_labels(counts: npt.NDArray[np.uint32], share: float) -> npt.NDArray[np.uint8]:
    """For each character kind, gap and character kind behind it a mask of labels, flat.

    Labels below the share are left out. A combination that training seldom showed may also have the labels of its
    first two parts; where training showed neither, any label that the gap allows.
    """
    general = _masks(counts.sum(axis=2), share)[:, :, None]
    exact = _masks(counts, share)
    often = counts.sum(axis=3) >= SELDOM
    masks = np.where(often, exact, exact | general)
    allowed = np.full(counts.shape[1], TOKEN | SENTENCE, np.uint8)
    allowed[NONE] = INSIDE | TOKEN | SENTENCE
    allowed[BLANK] = SENTENCE
    masks = np.where(masks == 0, allowed[None, :, None], masks)
    return np.ascontiguousarray(masks, np.uint8).reshape(-1)


def _masks(counts: npt.NDArray[np.uint32], share: float) -> npt.NDArray[np.uint8]:
    """Bit y of a mask is set if label y, the last axis, has its share."""
    totals = counts.sum(axis=-1, keepdims=True)
    likely = counts >= np.maximum(1, share * totals)
    bits = (1 << np.arange(counts.shape[-1])).astype(np.uint8)
    return np.asarray((likely * bits).sum(axis=-1), np.uint8)
