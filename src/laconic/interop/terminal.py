"""A document for a terminal: a line per word, and the tree beside it drawn with lines."""

from __future__ import annotations

from collections.abc import Iterator

from laconic.corpus import Doc, Sentence
from laconic.interop.arcs import Arc, arcs_of, levels
from laconic.interop.glyphs import cells, shown
from laconic.interop.rows import ABSENT, Rows

UP, DOWN, LEFT, RIGHT = 1, 2, 4, 8
LINES = {
    0: " ",
    UP | DOWN: "│",
    LEFT | RIGHT: "─",
    DOWN | RIGHT: "╭",
    UP | RIGHT: "╰",
    UP | DOWN | RIGHT: "├",
    DOWN | LEFT | RIGHT: "┬",
    UP | LEFT | RIGHT: "┴",
}
DEEPEST = 24
"""Arcs of trees that need more columns than this are left out: HEAD still tells the tree."""


def table(doc: Doc) -> Iterator[str]:
    """Lines of aligned columns, with an empty line after each sentence. Columns that say nothing are left out."""
    rows = Rows.of(doc)
    for sentence in doc.sentences:
        yield from _sentence(rows, sentence)
        yield "\n"


def _sentence(rows: Rows, sentence: Sentence) -> Iterator[str]:
    begin, stop = sentence.begin, sentence.stop
    heads, labels = rows.head[begin:stop], rows.deprel[begin:stop]
    entity = [""] * (stop - begin)
    for span in sentence.entities:
        for word in range(span.begin, span.stop):
            entity[word - begin] = f"{'B' if word == span.begin else 'I'}-{shown(span.label)}"
    columns: list[list[str]] = [
        [str(number) for number in range(1, stop - begin + 1)],
        tree(arcs_of(heads, labels), stop - begin),
        *(_shown(getattr(rows, name)[begin:stop]) for name in ("form", "lemma", "upos", "xpos", "feats")),
        ["" if head < 0 else str(head) for head in heads],
        _shown(labels),
        entity,
    ]
    columns = [column for column in columns if any(column)]
    widths = [max(map(cells, column), default=0) for column in columns]
    for line in zip(*columns, strict=True):
        padded = (value + " " * (width - cells(value)) for value, width in zip(line, widths, strict=True))
        yield "  ".join(padded).rstrip() + "\n"


def _shown(values: list[str]) -> list[str]:
    return ["" if value == ABSENT else shown(value) for value in values]


def tree(arcs: list[Arc], words: int) -> list[str]:
    """A tree on its side: for each word the lines that pass it, and an arrow if one ends there."""
    joined = [arc for arc in arcs if arc.head >= 0]
    heights = levels([(arc.left, arc.right) for arc in joined], words, apart=True)
    depth = max(heights, default=0)
    if not joined or depth > DEEPEST:
        return [""] * words
    grid = [[0] * depth for _ in range(words)]
    for arc, height in zip(joined, heights, strict=True):
        column = depth - height
        grid[arc.left][column] |= DOWN | RIGHT
        grid[arc.right][column] |= UP | RIGHT
        for row in range(arc.left + 1, arc.right):
            grid[row][column] |= UP | DOWN
        for row in (arc.left, arc.right):
            for cell in range(column + 1, depth):
                grid[row][cell] |= LEFT | RIGHT
    ends = {arc.word for arc in joined}
    return [
        "".join(LINES.get(cell, "┼") for cell in row) + ("►" if word in ends else "─" if row[-1] & RIGHT else " ")
        for word, row in enumerate(grid)
    ]
