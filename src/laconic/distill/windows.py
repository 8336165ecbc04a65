"""Sentences as an encoder reads them: words in pieces, and long sentences in windows that overlap."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

CASINGS = ("lower", "title", "upper", "mixed", "digits", "other", "none")
NO_CASING = len(CASINGS) - 1
"""Of pieces that belong to no word."""


def casing(form: str) -> int:
    """The class of a word's case, for encoders that do not see it."""
    letters = [c for c in form if c.isalpha()]
    if not letters:
        return 4 if any(c.isdigit() for c in form) else 5
    if all(c.islower() for c in letters):
        return 0
    if form[:1].isupper() and all(c.islower() for c in letters[1:]):
        return 1
    if all(c.isupper() for c in letters):
        return 2
    # Scripts without case are as lower case.
    return 3 if any(c.isupper() for c in letters) else 0


@dataclass(frozen=True)
class Window:
    """Words of a sentence that the encoder reads at once."""

    first: int
    last: int
    """Behind the last word."""
    reads: tuple[int, int]
    """The words whose vectors are taken from this window."""


def windows(lengths: Sequence[int], longest: int) -> list[Window]:
    """Cut a sentence, given the number of pieces of each word, into windows of at most ``longest`` pieces.

    A sentence that fits is one window. Otherwise windows hold as many whole words as fit, each begins at the middle of
    the one before, and a word's vector is taken from the window in which it stands farther from the edge: up to the
    middle of what two windows share from the first of them, behind it from the second. Linear.
    """
    total = sum(lengths)
    if total <= longest:
        return [Window(0, len(lengths), (0, len(lengths)))]
    spans: list[tuple[int, int]] = []
    first = 0
    while True:
        last, used = first, 0
        while last < len(lengths) and used + lengths[last] <= longest:
            used += lengths[last]
            last += 1
        spans.append((first, last))
        if last == len(lengths):
            break
        half, first_next = used // 2, first
        while half > 0 and first_next < last - 1:
            half -= lengths[first_next]
            first_next += 1
        first = max(first + 1, first_next)
    edges = [0]
    for (_, behind), (begin, _) in pairwise(spans):
        edges.append((begin + behind + 1) // 2)
    edges.append(len(lengths))
    return [Window(*span, (edges[i], edges[i + 1])) for i, span in enumerate(spans)]
