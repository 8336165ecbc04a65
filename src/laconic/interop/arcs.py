"""Arcs of a tree over words in a line, and how high each runs: by how many lie under it, not by its length."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, slots=True)
class Arc:
    """From ``head`` to ``word`` (positions in the sentence, from 0 on); ``head`` is -1 for a root."""

    head: int
    word: int
    label: str

    @property
    def left(self) -> int:
        return min(self.head, self.word)

    @property
    def right(self) -> int:
        return max(self.head, self.word)


def arcs_of(heads: Sequence[int], labels: Sequence[str]) -> list[Arc]:
    """The arcs that can be drawn: a head that is absent, outside the sentence or the word itself has none."""
    return [
        Arc(head - 1, word, "" if label == "_" else label)
        for word, (head, label) in enumerate(zip(heads, labels, strict=True))
        if 0 <= head <= len(heads) and head - 1 != word
    ]


def levels(spans: Sequence[tuple[int, int]], words: int, *, apart: bool = False) -> list[int]:
    """The level of each span ``(left, right)`` of words, from 1 on: above all that it covers, and never on one with
    what it crosses, nor, if they are to be ``apart``, with what it meets at a word. -1 and ``words`` stand for what
    lies beyond the line; a span of one word stands upright in it.

    Cost: one look over the covered words per span.
    """
    heights = np.zeros(words + 1, np.int32)  # of what is drawn so far before each word, and behind the last
    found = [0] * len(spans)
    for number in sorted(range(len(spans)), key=lambda i: (spans[i][1] - spans[i][0], spans[i])):
        left, right = spans[number]
        if left == right:
            continue
        covered = heights[left + (not apart) : right + 1]
        found[number] = level = int(covered.max()) + 1
        covered[:] = level
    for number, (left, right) in enumerate(spans):
        if left == right:
            beside = heights[max(0, left - 1) : left + 3]
            found[number] = level = int(beside.max()) + 1
            beside[:] = level  # labels of neighbours stand one above the other
    return found
