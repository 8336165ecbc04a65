"""One tree out of the trees of several parsers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from laconic._core import graph as core
from laconic.corpus import Doc
from laconic.errors import InputError


def vote(docs: Sequence[Doc], weights: Sequence[int] | None = None, single_root: bool = True) -> NDArray[np.int32]:
    """The heads of the trees with the most votes.

    ``docs`` are the same sentences, each document with the trees of another parser. Every document votes for its arcs
    with its weight (1, if none are given), and for each sentence the tree of the highest sum is decoded, whose arcs may
    cross; among equal ones the arcs of earlier documents count more. With ``single_root`` it has one root where the
    arcs voted for allow that. Linear in the number of words but for the decoding.

    Sagae & Lavie (2006), Parser Combination by Reparsing.
    """
    if not docs:
        raise InputError("nothing to vote on: give at least one document")
    starts = np.asarray(docs[0].sentence_starts, np.uint32)
    for number, doc in enumerate(docs[1:], 2):
        if not np.array_equal(doc.sentence_starts, starts):
            raise InputError(f"document {number} has other sentences than the first: vote on trees of the same words")
    chosen = [1] * len(docs) if weights is None else list(weights)
    if len(chosen) != len(docs) or not all(0 < weight <= 1_000_000 for weight in chosen):
        raise InputError("give each document a weight from 1 to 1000000")
    return core.vote(np.stack([doc.heads for doc in docs]), starts, chosen, single_root)
