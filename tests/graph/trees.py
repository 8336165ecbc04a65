"""All trees over a few words: the oracle of decoders and of what locked arcs rule out."""

from __future__ import annotations

from functools import cache
from itertools import pairwise, product

import numpy as np
from numpy.typing import NDArray

from laconic._core import graph

Heads = NDArray[np.int32]


def is_tree(heads: tuple[int, ...]) -> bool:
    for word in range(1, len(heads) + 1):
        steps = 0
        while word and steps <= len(heads):
            word, steps = heads[word - 1], steps + 1
        if word:
            return False
    return True


def crosses(a: tuple[int, int], b: tuple[int, int]) -> bool:
    (i, j), (k, m) = sorted(a), sorted(b)
    return i < k < j < m or k < i < m < j


def is_projective(heads: tuple[int, ...]) -> bool:
    arcs = [(head, word) for word, head in enumerate(heads, 1)]
    return not any(crosses(a, b) for at, a in enumerate(arcs) for b in arcs[:at])


@cache
def all_trees(words: int, projective: bool, single_root: bool) -> Heads:
    """One row per tree. At most six words."""
    found = [
        heads
        for heads in product(*([head for head in range(words + 1) if head != word] for word in range(1, words + 1)))
        if (not single_root or heads.count(0) == 1) and is_tree(heads) and (not projective or is_projective(heads))
    ]
    return np.array(found, np.int32).reshape(len(found), words)


def alive_trees(trees: Heads, alive: NDArray[np.bool_]) -> Heads:
    """Those of which all edges are alive."""
    return trees[alive[np.arange(trees.shape[1]), trees].all(axis=1)]


def edge_sums(trees: Heads, scores: NDArray[np.int32]) -> NDArray[np.int64]:
    return scores[np.arange(trees.shape[1]), trees].astype(np.int64).sum(axis=1)


def part_sum(heads: tuple[int, ...], parts: NDArray[np.int32]) -> int:
    """Of adjacent siblings: by head, modifier and sibling, without a sibling at the head."""
    total = 0
    for head in range(len(heads) + 1):
        modifiers = [word for word, of in enumerate(heads, 1) if of == head]
        for side in ([m for m in modifiers if m > head], [m for m in reversed(modifiers) if m < head]):
            total += sum(int(parts[head, m, s]) for s, m in pairwise([head, *side]))
    return total


def edges_of(scores: NDArray[np.int32], alive: NDArray[np.bool_] | None = None, **limits: int) -> graph.Edges:
    """Edges from matrices by word and head, also where the rows of the core have a window."""
    words = scores.shape[0]
    edges = graph.Edges(words, **limits)
    heads = edges.heads()
    rows = np.arange(words)[:, None]
    edges.set_scores(np.ascontiguousarray(np.where(heads >= 0, scores[rows, heads], 0), np.int32))
    if alive is not None:
        edges.set_alive(np.ascontiguousarray((heads >= 0) & alive[rows, heads]))
    return edges


def possible_edges(words: int) -> NDArray[np.bool_]:
    alive = np.ones((words, words + 1), bool)
    alive[np.arange(words), np.arange(1, words + 1)] = False
    return alive


def sum_of(heads: Heads, scores: NDArray[np.int32]) -> int:
    return int(scores[np.arange(len(heads)), heads].astype(np.int64).sum())
