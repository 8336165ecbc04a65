"""One tree out of the trees of several parsers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from laconic._core import graph as core
from laconic.corpus import Doc
from laconic.errors import InputError

HEAVIEST = 1_000_000
"""The largest weight of a vote."""


def vote(docs: Sequence[Doc], weights: ArrayLike | None = None, single_root: bool = True) -> NDArray[np.int32]:
    """The heads of the trees with the most votes.

    ``docs`` are the same sentences, each document with the trees of another parser. Every document votes for its arcs
    with its weight (1, if none are given), or with a row of ``weights`` that has one for each word; for each sentence
    the tree of the highest sum is decoded, whose arcs may cross; among equal ones the arcs of earlier documents count
    more. With ``single_root`` it has one root where the arcs voted for allow that. Linear in the number of words but
    for the decoding.

    Sagae & Lavie (2006), Parser Combination by Reparsing.
    """
    if not docs:
        raise InputError("nothing to vote on: give at least one document")
    starts = np.asarray(docs[0].sentence_starts, np.uint32)
    for number, doc in enumerate(docs[1:], 2):
        if not np.array_equal(doc.sentence_starts, starts):
            raise InputError(f"document {number} has other sentences than the first: vote on trees of the same words")
    heads = np.stack([doc.heads for doc in docs])
    given = np.asarray(1 if weights is None else weights)
    shapes = ((), (len(docs),), heads.shape)
    if given.shape not in shapes or given.dtype.kind not in "iu" or ((given < 1) | (given > HEAVIEST)).any():
        raise InputError(f"give each document a weight from 1 to {HEAVIEST}, or one for each of its words")
    each = np.broadcast_to(given if given.ndim == 2 else given.reshape(-1, 1), heads.shape)
    return core.vote(heads, starts, np.ascontiguousarray(each, np.int32), single_root)
