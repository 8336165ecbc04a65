"""Pictures that are written as characters: what treebanks call symbols, and hardly show."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

# Ranges of Unicode, fixed here rather than asked of Python, whose version would otherwise decide what a model knows.
PICTURES = (
    (0x1F300, 0x1F5FF),
    (0x1F600, 0x1F64F),
    (0x1F680, 0x1F6FF),
    (0x1F900, 0x1F9FF),
    (0x1FA70, 0x1FAFF),
)
SIGNS = ((0x2600, 0x26FF), (0x2700, 0x275A), (0x2761, 0x2767))
"""Older ones, which are text, as bullets and the like, unless a selector follows."""
COLOURED = (
    (0x231A, 0x231B),
    (0x23E9, 0x23EC),
    (0x2614, 0x2615),
    (0x2648, 0x2653),
    (0x26A1, 0x26A1),
    (0x26BD, 0x26BE),
    (0x26C4, 0x26C5),
    (0x2705, 0x2705),
    (0x270A, 0x270B),
    (0x2728, 0x2728),
    (0x274C, 0x274C),
    (0x2753, 0x2755),
    (0x2757, 0x2757),
    (0x2B50, 0x2B50),
    (0x2B55, 0x2B55),
)
"""Those of the older ones that are pictures without a selector, too."""
PEOPLE = (
    (0x261D, 0x261D),
    (0x270A, 0x270D),
    (0x1F442, 0x1F443),
    (0x1F446, 0x1F450),
    (0x1F466, 0x1F478),
    (0x1F481, 0x1F487),
    (0x1F4AA, 0x1F4AA),
    (0x1F590, 0x1F596),
    (0x1F645, 0x1F647),
    (0x1F64B, 0x1F64F),
    (0x1F90C, 0x1F91F),
    (0x1F926, 0x1F93E),
    (0x1F9D1, 0x1F9DD),
)
"""May have one of five colours."""
SELECTOR = "\ufe0f"
COLOURS = tuple(map(chr, range(0x1F3FB, 0x1F400)))
LETTERS = tuple(map(chr, range(0x1F1E6, 0x1F200)))
"""Two of them are a flag."""


def emoji() -> Iterator[str]:
    """Single pictures, those with a selector or a colour, and flags; not those that are joined of several."""
    for begin, end in (*PICTURES, *COLOURED):
        yield from map(chr, range(begin, end + 1))
    for begin, end in (*SIGNS, (0x1F300, 0x1F5FF)):
        yield from (chr(code) + SELECTOR for code in range(begin, end + 1))
    for begin, end in PEOPLE:
        yield from (chr(code) + colour for code in range(begin, end + 1) for colour in COLOURS)
    yield from map("".join, product(LETTERS, LETTERS))
