"""Trees as pictures: self-contained SVG, the same bytes for the same document, light or dark as the viewer is."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from html import escape
from importlib.resources import files

from laconic.corpus import Doc, Entity, Sentence
from laconic.interop.arcs import arcs_of
from laconic.interop.glyphs import right_to_left, shown, width
from laconic.interop.layout import FORM, LABEL, TAG, Curve, Line, TreeLayout, Word, tree_layout
from laconic.interop.rows import ABSENT

ROWS = ("upos", "xpos", "lemma", "feats")
RELATIONS = {
    "core": frozenset(["nsubj", "csubj", "obj", "iobj", "ccomp", "xcomp"]),
    "modifier": frozenset(
        ["obl", "advmod", "amod", "nmod", "acl", "advcl", "nummod", "appos", "conj", "discourse", "vocative", "expl"]
    ),
    "function": frozenset(["det", "case", "mark", "aux", "cop", "cc", "punct", "clf", "fixed"]),
    "root": frozenset(("root",)),
}
CLASSES = {
    "noun": frozenset(["NOUN", "PROPN", "PRON"]),
    "verb": frozenset(["VERB", "AUX"]),
    "describing": frozenset(["ADJ", "ADV", "NUM"]),
}
KINDS = {"PER": 0, "PERSON": 0, "LOC": 1, "GPE": 1, "ORG": 2, "MISC": 3}
ROW_HEIGHT = 15.0
CORNER = 7.0


@dataclass(frozen=True)
class Style:
    """How trees are drawn."""

    width: float | None = 1000
    """Pixels at most: longer sentences go on in the next line. None: never."""
    rows: tuple[str, ...] = ("upos",)
    """What stands under the words: upos, xpos, lemma, feats."""
    css: bool = True
    """Bring the style along; else the page must have ``stylesheet()``."""
    paper: bool = True
    """Paint the background."""

    def __post_init__(self) -> None:
        for row in self.rows:
            if row not in ROWS:
                raise ValueError(f"under words can stand {', '.join(ROWS)}, not {row!r}")
        if self.width is not None and not self.width >= 1:
            raise ValueError(f"a picture must be at least one pixel wide, not {self.width}")


@dataclass(frozen=True)
class Picture:
    """What is inside an SVG element, and its size."""

    body: str
    width: float
    height: float
    mirrored: bool = False


@cache
def stylesheet() -> str:
    """The CSS of all trees. Colours are variables; a page may set others."""
    return files("laconic.interop").joinpath("tree.css").read_text("utf-8")


def to_svg(doc: Doc, style: Style | None = None) -> str:
    """All sentences of a document in one picture, one under the other."""
    chosen = style or Style()
    return framed(list(pictures(doc, chosen)), chosen, doc.text)


def pictures(doc: Doc, style: Style) -> Iterator[Picture]:
    """One picture per sentence."""
    for sentence in doc.sentences:
        yield _picture(sentence, style)


def framed(parts: list[Picture], style: Style, text: str) -> str:
    """Pictures one under the other as one SVG element; ``text`` says what they show to those who cannot see it."""
    wide = max((part.width for part in parts), default=0.0)
    high = sum(part.height for part in parts)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="laconic-tree" role="img" width="{_n(wide)}" '
        f'height="{_n(high)}" viewBox="0 0 {_n(wide)} {_n(high)}">',
        f"<title>{_text(text, 300)}</title>",
    ]
    if style.css:
        lines.append(f"<style>{stylesheet()}</style>")
    if style.paper:
        lines.append(f'<rect class="paper" width="{_n(wide)}" height="{_n(high)}"/>')
    top = 0.0
    for part in parts:
        left = wide - part.width if part.mirrored else 0.0
        lines.append(f'<g transform="translate({_n(left)} {_n(top)})">\n{part.body}</g>')
        top += part.height
    return "\n".join([*lines, "</svg>"]) + "\n"


def _picture(sentence: Sentence, style: Style) -> Picture:
    forms = sentence.words
    rows = [sentence.strings(name) for name in style.rows]
    rows = [row if any(value != ABSENT for value in row) else [] for row in rows]
    words = [
        Word(shown(form), tuple("" if row[i] == ABSENT else shown(row[i]) for row in rows if row))
        for i, form in enumerate(forms)
    ]
    arcs = arcs_of(sentence.heads.tolist(), [shown(label) for label in sentence.strings("deprel")])
    names = [name for name, row in zip(style.rows, rows, strict=True) if row]
    return _Drawing(
        sentence, tree_layout(words, arcs, style.width), sentence.entities, names, right_to_left(forms)
    ).picture()


@dataclass
class _Drawing:
    sentence: Sentence
    layout: TreeLayout
    spans: list[Entity]
    rows: list[str]
    mirrored: bool

    def picture(self) -> Picture:
        parts: list[str] = []
        top = 0.0
        for line in self.layout.lines:
            body, height = self._line(line, top)
            parts += body
            top += height
        return Picture("".join(f"{part}\n" for part in parts), self.layout.width, top, self.mirrored)

    def _x(self, x: float) -> float:
        return self.layout.width - x if self.mirrored else x

    def _line(self, line: Line, top: float) -> tuple[list[str], float]:
        step = 24.0 if line.levels <= 8 else max(15.0, 192.0 / line.levels)
        ground = top + 22 + step * line.levels  # where arcs meet words
        baseline = ground + FORM
        below = baseline + ROW_HEIGHT * len(self.rows) + 2
        parts: list[str] = []
        multiwords = self._multiwords(line, below)
        if multiwords:
            below += 20
        parts += self._entities(line, ground, below)
        parts += multiwords
        if any(self._inside(span, line) for span in self.spans):
            below += 18
        parts += [self._curve(curve, ground, step) for curve in line.curves]
        parts += [self._word(index, x, baseline) for index, x in enumerate(line.centres, line.first)]
        return parts, below + 12 - top

    def _word(self, index: int, x: float, baseline: float) -> str:
        word, token = self.layout.words[index], self.sentence[index]
        facts = (token.form, token.lemma, token.upos, token.xpos, str(token.feats), str(token.misc))
        title = "  ".join(fact for fact in facts if fact != ABSENT)
        at, direction = _n(self._x(x)), ' direction="rtl"' if self.mirrored else ""
        rows = [f'<text class="form" x="{at}" y="{_n(baseline)}"{direction}>{escape(word.form)}</text>']
        for number, (name, value) in enumerate(zip(self.rows, word.rows, strict=True), 1):
            kind = f"tag {_class(CLASSES, value)}".rstrip() if name == "upos" else "row"
            if value:
                y = baseline + ROW_HEIGHT * number + 1
                rows.append(f'<text class="{kind}" x="{at}" y="{_n(y)}">{escape(value)}</text>')
        return f'<g class="word" data-word="{index + 1}"><title>{_text(title, 500)}</title>{"".join(rows)}</g>'

    def _curve(self, curve: Curve, ground: float, step: float) -> str:
        arc, y = curve.arc, ground - step * curve.level
        kind = _class(RELATIONS, arc.label.partition(":")[0]) or "other"
        begin, end = self._x(curve.begin), self._x(curve.end)
        parts = []
        if curve.upright:
            line = f"M{_n(begin)} {_n(y + 5)}V{_n(ground - 5)}"
            label = arc.label if arc.head < 0 else f"{arc.label} ← {shown(self.layout.words[arc.head].form, 16)}"
            middle = begin
        else:
            line = self._path(curve, begin, end, y, ground)
            label, middle = arc.label, (begin + end) / 2
        parts.append(f'<path class="line" d="{line}"/><path class="hit" d="{line}"/>')
        points_here = curve.upright or not (curve.open_begin if arc.word < arc.head else curve.open_end)
        if points_here:
            x = end if curve.upright or arc.word > arc.head else begin
            parts.append(f'<path class="point" d="M{_n(x)} {_n(ground)}l-3.6 -7h7.2z"/>')
        if label and curve.labelled:
            inner = width(label, LABEL) / 2 + 2
            middle = min(max(middle, inner), max(inner, self.layout.width - inner))
            parts.append(f'<text class="label" x="{_n(middle)}" y="{_n(y + 4)}">{escape(label)}</text>')
        names = f'data-word="{arc.word + 1}" data-head="{arc.head + 1}"'
        what = f"{arc.label}: {arc.head + 1} → {arc.word + 1}"
        return f'<g class="arc {kind}" {names}><title>{_text(what, 100)}</title>{"".join(parts)}</g>'

    def _path(self, curve: Curve, begin: float, end: float, y: float, ground: float) -> str:
        """Up, along and down with round corners; an open side runs out of the line."""
        way = 1.0 if end > begin else -1.0
        corner = min(CORNER, abs(end - begin) / 2, ground - y)
        arrives_left = curve.arc.word < curve.arc.head
        foot, head = ground - 2.0, ground - 6.0
        if curve.open_begin:
            path = f"M{_n(begin)} {_n(y)}"
        else:
            bottom = head if arrives_left else foot
            path = f"M{_n(begin)} {_n(bottom)}V{_n(y + corner)}Q{_n(begin)} {_n(y)} {_n(begin + way * corner)} {_n(y)}"
        if curve.open_end:
            return path + f"H{_n(end)}"
        bottom = foot if arrives_left else head
        return path + f"H{_n(end - way * corner)}Q{_n(end)} {_n(y)} {_n(end)} {_n(y + corner)}V{_n(bottom)}"

    def _inside(self, span: Entity, line: Line) -> bool:
        first, last = span.begin - self.sentence.begin, span.stop - 1 - self.sentence.begin
        return first < line.stop and last >= line.first

    def _extent(self, first: int, last: int, line: Line) -> tuple[float, float]:
        """The left and right edges of the words from ``first`` to ``last`` as far as they lie in the line."""
        first, last = max(first, line.first), min(last, line.stop - 1)
        left = line.centres[first - line.first] - self.layout.words[first].width / 2
        right = line.centres[last - line.first] + self.layout.words[last].width / 2
        a, b = sorted((self._x(left), self._x(right)))
        return a, b

    def _entities(self, line: Line, ground: float, below: float) -> list[str]:
        parts = []
        for span in self.spans:
            if self._inside(span, line):
                left, right = self._extent(span.begin - self.sentence.begin, span.stop - 1 - self.sentence.begin, line)
                label = shown(span.label, 20)
                room = width(label, TAG) + 4
                middle = (left + right) / 2
                left, right = min(left - 5, middle - room / 2), max(right + 5, middle + room / 2)
                size = f'width="{_n(right - left)}" height="{_n(below + 18 - ground - 1)}"'
                parts.append(
                    f'<rect class="e{_colour(span.label)}" x="{_n(left)}" y="{_n(ground + 1)}" {size} rx="6"/>'
                )
                parts.append(f'<text class="kind" x="{_n(middle)}" y="{_n(below + 12)}">{escape(label)}</text>')
        return parts

    def _multiwords(self, line: Line, below: float) -> list[str]:
        parts = []
        for token in self.sentence.multiword_tokens:
            first, last = token.first - 1, token.last - 1
            if first < line.stop and last >= line.first:
                left, right = self._extent(first, last, line)
                brace = f"M{_n(left)} {_n(below)}v4H{_n(right)}v-4"
                parts.append(f'<path class="brace" d="{brace}"/>')
                middle, y = (left + right) / 2, below + 16
                parts.append(f'<text class="surface" x="{_n(middle)}" y="{_n(y)}">{_text(token.form, 40)}</text>')
        return parts


def _class(classes: dict[str, frozenset[str]], value: str) -> str:
    return next((name for name, members in classes.items() if value in members), "")


def _colour(label: str) -> int:
    return KINDS.get(label, zlib.crc32(label.encode("utf-8", "replace")) % 6)


def _text(text: str, longest: int) -> str:
    return escape(shown(text, longest))


def _n(value: float) -> str:
    """A number with one decimal at most, the same on every machine."""
    text = f"{value:.1f}"
    return text[:-2] if text.endswith(".0") else text
