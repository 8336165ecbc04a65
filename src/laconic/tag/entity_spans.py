"""Entities as tags in MISC, as BILOU labels and as spans."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from laconic.corpus import Doc

if TYPE_CHECKING:
    from laconic.evaluate.entities import Spans

KEY = "NER"
BEGIN, INSIDE, LAST, UNIT = range(4)


def entity_spans(doc: Doc) -> Spans:
    """First and last words and types, as arrays."""
    from laconic.evaluate.columns import tags_of
    from laconic.evaluate.entities import find_spans

    return find_spans(tags_of(doc, KEY), doc.sentence_starts.astype(np.int64))


def annotated_sentences(doc: Doc) -> npt.NDArray[np.uint32]:
    """The sentences of which every word has a tag: a word without one was not looked at."""
    from laconic.evaluate.columns import tags_of
    from laconic.evaluate.entities import UNANNOTATED

    codes, values = tags_of(doc, KEY)
    missing = np.array([value == UNANNOTATED for value in values], np.int64)
    lacking = np.concatenate(([0], np.cumsum(missing[codes] if len(codes) else codes)))
    starts = doc.sentence_starts.astype(np.int64)
    return np.flatnonzero(lacking[starts[1:]] == lacking[starts[:-1]]).astype(np.uint32)


def bilou_names(types: Sequence[str]) -> list[str]:
    """The labels: O, then B, I, L and U of each type, as the core numbers them."""
    return ["O", *(f"{letter}-{kind}" for kind in types for letter in "BILU")]


def bio_names(types: Sequence[str]) -> list[str]:
    """The tags that documents hold for the labels."""
    return ["O", *(f"{letter}-{kind}" for kind in types for letter in "BIIB")]


def bilou_labels(found: Spans, words: int) -> npt.NDArray[np.uint16]:
    """The number of the label of each word."""
    labels = np.zeros(words, np.uint16)
    base = (1 + 4 * found.kind).astype(np.uint16)
    single = found.first == found.last
    depth = np.zeros(words + 1, np.int64)
    np.add.at(depth, found.first, base)
    np.add.at(depth, found.last + 1, -base.astype(np.int64))
    labels[:] = np.cumsum(depth)[:-1]
    labels[labels > 0] += INSIDE
    labels[found.first] = base + np.where(single, UNIT, BEGIN).astype(np.uint16)
    labels[found.last[~single]] = base[~single] + LAST
    return labels
