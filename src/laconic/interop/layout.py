"""Where everything stands in the picture of a tree. Words run on in lines of a given width; nothing is drawn here.

Lines are laid out from left to right. A picture of right-to-left text is the mirror image, made when it is drawn.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from laconic.interop.arcs import Arc, levels
from laconic.interop.glyphs import width

FORM, TAG, LABEL = 16.0, 11.0, 11.0  # font sizes
GAP = 18.0  # between words
EDGE = 14.0  # at both ends of a line
NEAR = 2
"""An arc over more line ends than this is not drawn through: its word says what its head is."""
PORT = 7.0  # between two arcs that meet a word on one side


@dataclass(frozen=True, slots=True)
class Word:
    """What is written at one position: the form, and under it some rows."""

    form: str
    rows: tuple[str, ...]

    @property
    def width(self) -> float:
        return max(width(self.form, FORM), *(width(row, TAG) for row in self.rows), 10.0)


@dataclass(frozen=True, slots=True)
class Curve:
    """The part of an arc that lies in one line: from ``begin`` to ``end`` at a level. A side that is open goes on in
    another line. ``upright``: a root, or an arc whose head is far away; then both are at the same position."""

    arc: Arc
    begin: float
    end: float
    level: int
    open_begin: bool = False
    open_end: bool = False
    upright: bool = False
    labelled: bool = True


@dataclass(frozen=True)
class Line:
    """A run of words with their centres, and the curves above them."""

    first: int
    centres: tuple[float, ...]
    curves: tuple[Curve, ...]
    levels: int

    @property
    def stop(self) -> int:
        return self.first + len(self.centres)


@dataclass(frozen=True)
class TreeLayout:
    words: tuple[Word, ...]
    lines: tuple[Line, ...]
    width: float


def tree_layout(words: Sequence[Word], arcs: Sequence[Arc], longest: float | None) -> TreeLayout:
    """Breaks words into lines no wider than ``longest`` pixels (None: one line) and places all arcs.

    Cost: linear in the words, but for the arcs of one line, which cost their lengths.
    """
    breaks, centres = _lines(words, arcs, longest)
    edge = max((x + word.width / 2 for x, word in zip(centres, words, strict=True)), default=0.0) + EDGE
    line_of = [number for number, (first, stop) in enumerate(breaks) for _ in range(first, stop)]
    inside: list[list[Arc]] = [[] for _ in breaks]
    for arc in arcs:
        here = line_of[arc.word]
        head = line_of[arc.head] if arc.head >= 0 else here
        far = abs(head - here) > NEAR
        for number in (here,) if far else range(min(here, head), max(here, head) + 1):
            inside[number].append(arc)
    lines = tuple(
        _line(first, stop, centres, words, inside[number], line_of, number, edge)
        for number, (first, stop) in enumerate(breaks)
    )
    return TreeLayout(tuple(words), lines, edge)


def _lines(
    words: Sequence[Word], arcs: Sequence[Arc], longest: float | None
) -> tuple[list[tuple[int, int]], list[float]]:
    """First word and end of each line, and the centre of each word in its line: far enough from the words it is tied
    to that labels fit between."""
    ending: list[list[Arc]] = [[] for _ in words]
    for arc in arcs:
        if arc.head >= 0:
            ending[arc.right].append(arc)
    rooms = _rooms(words, arcs)
    breaks: list[tuple[int, int]] = []
    centres: list[float] = []
    first = 0
    for index, word in enumerate(words):
        for start in (first, index):  # in the line that is there, or else in a new one
            x = EDGE + word.width / 2
            if index > start:
                x = centres[-1] + words[index - 1].width / 2 + GAP + word.width / 2
            for arc in ending[index]:
                x = max(x, (centres[arc.left] if arc.left >= start else EDGE) + rooms[arc])
            if index == first or longest is None or x + word.width / 2 + EDGE <= longest:
                break
        if start > first:
            breaks.append((first, index))
            first = index
        centres.append(x)
    if words:
        breaks.append((first, len(words)))
    return breaks, centres


def _rooms(words: Sequence[Word], arcs: Sequence[Arc]) -> dict[Arc, float]:
    """How far apart the words of each arc must stand for its label, given how many longer arcs meet them beside it."""
    sides: dict[tuple[int, bool], list[int]] = {}
    for arc in arcs:
        if arc.head >= 0:
            sides.setdefault((arc.left, True), []).append(arc.right - arc.left)
            sides.setdefault((arc.right, False), []).append(arc.right - arc.left)
    for lengths in sides.values():
        lengths.sort()

    def shift(word: int, rightwards: bool, length: int) -> float:
        lengths = sides[word, rightwards]
        longer = len(lengths) - bisect_right(lengths, length)
        return min(PORT * (longer + 1), words[word].width / 2)

    rooms = {}
    for arc in arcs:
        if arc.head >= 0:
            length = arc.right - arc.left
            shifts = shift(arc.left, True, length) + shift(arc.right, False, length)
            rooms[arc] = width(arc.label, LABEL) + 14 + shifts
    return rooms


def _line(
    first: int,
    stop: int,
    centres: Sequence[float],
    words: Sequence[Word],
    arcs: Sequence[Arc],
    line_of: Sequence[int],
    number: int,
    edge: float,
) -> Line:
    def upright(arc: Arc) -> bool:
        return arc.head < 0 or abs(line_of[arc.head] - line_of[arc.word]) > NEAR

    spans = [
        (arc.word - first, arc.word - first)
        if upright(arc)
        else (max(arc.left - first, -1), min(arc.right - first, stop - first))
        for arc in arcs
    ]
    heights = levels(spans, stop - first)
    ports = _ports(arcs, spans, heights, stop - first, [words[i].width for i in range(first, stop)])
    curves = []
    for index, (arc, (left, right), level) in enumerate(zip(arcs, spans, heights, strict=True)):
        if left == right:
            x = centres[arc.word]
            curves.append(Curve(arc, x, x, level, upright=True))
            continue
        begin = 0.0 if left < 0 else centres[first + left] + ports[index, left]
        end = edge if right == stop - first else centres[first + right] + ports[index, right]
        # In the line where the arc ends for good there is always room for its label.
        labelled = right < stop - first or end - begin > width(arc.label, LABEL) + 24
        curves.append(Curve(arc, begin, end, level, left < 0, right == stop - first, labelled=labelled))
    return Line(first, tuple(centres[first:stop]), tuple(curves), max(heights, default=0))


def _ports(
    arcs: Sequence[Arc],
    spans: Sequence[tuple[int, int]],
    heights: Sequence[int],
    words: int,
    widths: Sequence[float],
) -> dict[tuple[int, int], float]:
    """How far from its word's centre each arc meets it. The highest is the nearest, so that none crosses another."""
    right: list[list[int]] = [[] for _ in range(words)]
    left: list[list[int]] = [[] for _ in range(words)]
    rooted = [False] * words
    for index, (begin, end) in enumerate(spans):
        if begin == end:
            rooted[begin] = True
            continue
        if begin >= 0:
            right[begin].append(index)
        if end < words:
            left[end].append(index)
    ends: dict[tuple[int, int], float] = {}
    for word in range(words):
        for side, sign in ((left[word], -1), (right[word], 1)):
            side.sort(key=lambda index: (-heights[index], arcs[index].word))
            both = bool(left[word] and right[word]) or rooted[word]
            lead = (1.0 if rooted[word] else 0.5) if both else 0.0
            step = min(PORT, widths[word] / 2 / max(1.0, len(side) - 1 + lead))
            for rank, index in enumerate(side):
                ends[index, word] = sign * (rank + lead) * step
    return ends
