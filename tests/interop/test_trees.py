"""Pictures of trees: what is drawn where."""

from __future__ import annotations

import itertools
import re
import xml.etree.ElementTree as ET
from html.parser import HTMLParser
from random import Random

import numpy as np
import pytest
from conllu_strategies import conllu_bytes, random_heads
from hypothesis import given
from hypothesis import strategies as st

from laconic.corpus import Doc
from laconic.corpus.projectivity import lift
from laconic.interop.arcs import Arc, levels
from laconic.interop.layout import EDGE, Word, tree_layout
from laconic.interop.terminal import tree

SVG = "{http://www.w3.org/2000/svg}"


def drawn(doc: Doc, **options: object) -> ET.Element:
    return ET.fromstring(doc.svg(**options))  # type: ignore[arg-type]


def groups(picture: ET.Element, kind: str) -> list[ET.Element]:
    return [g for g in picture.iter(f"{SVG}g") if (g.get("class") or "").split()[:1] == [kind]]


def centre(group: ET.Element) -> float:
    text = group.find(f"{SVG}text")
    assert text is not None
    return float(text.get("x", ""))


def chain(words: int) -> Doc:
    heads = list(range(words))
    return Doc.from_words([[f"word{i}" for i in range(words)]], head=[heads], deprel=[["dep"] * words])


@given(st.integers(0, 2**32), st.integers(1, 30), st.booleans())
def test_an_arc_lies_above_all_it_covers_and_shares_a_level_with_none_it_overlaps(
    seed: int, size: int, apart: bool
) -> None:
    heads = random_heads(Random(seed), size)
    spans = [(min(h - 1, w), max(h - 1, w)) for w, h in enumerate(heads) if h]
    found = levels(spans, size, apart=apart)
    for (a, b), level in zip(spans, found, strict=True):
        under = [other for (c, d), other in zip(spans, found, strict=True) if (a, b) != (c, d) and a <= c and d <= b]
        assert level > max(under, default=0)
        for (c, d), other in zip(spans, found, strict=True):
            touches = c <= b and a <= d if apart else c < b and a < d
            if (a, b) != (c, d) and touches:
                assert level != other


@given(st.integers(0, 2**32), st.integers(1, 30))
def test_a_projective_tree_is_no_higher_than_its_nesting(seed: int, size: int) -> None:
    """Brute force: the level of an arc is the length of the longest chain of arcs inside one another under it."""
    random = Random(seed)
    heads = [0, *(random.choice([word - 1, 1]) for word in range(2, size + 1))]  # to the neighbour or to the first
    spans = [(min(h - 1, w), max(h - 1, w)) for w, h in enumerate(heads) if h]

    def nesting(a: int, b: int) -> int:
        return 1 + max((nesting(c, d) for c, d in spans if a <= c and d <= b and (c, d) != (a, b)), default=0)

    assert levels(spans, size) == [nesting(a, b) for a, b in spans]


@given(conllu_bytes())
def test_any_document_is_drawn_as_well_formed_xml_with_every_word_and_arc(data: bytes) -> None:
    doc = Doc.from_conllu(data)
    picture = drawn(doc, rows=("upos", "lemma", "xpos", "feats"))
    assert len(groups(picture, "word")) == len(doc)
    arrows = [g for g in groups(picture, "arc") if g.find(f"{SVG}path[@class='point']") is not None]
    assert len(arrows) == sum(head >= 0 for head in doc.heads.tolist())


@given(st.text(), st.text(), st.text())
def test_hostile_text_stays_text(form: str, tag: str, label: str) -> None:
    rows = [
        "".join(c for c in text.encode("utf-8", "replace").decode() if c not in "\t\n\r\0")
        or "<script>alert(1)</script>"
        for text in (form, tag, label)
    ]
    word, upos, deprel = ("x" if row.strip() == "" else row for row in rows)
    doc = Doc.from_words([[word, "b"]], upos=[[upos, '"><script>']], head=[[2, 0]], deprel=[[deprel, "]]>"]])
    picture = drawn(doc)
    assert {element.tag.removeprefix(SVG) for element in picture.iter()} <= {
        "svg",
        "title",
        "style",
        "rect",
        "g",
        "path",
        "text",
    }
    assert all(not name.startswith("on") for element in picture.iter() for name in element.attrib)


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.seen: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)
        self.seen += [name for name, _ in attrs if name.startswith("on")]


def test_notebooks_show_escaped_text_and_not_too_much() -> None:
    doc = Doc.from_words(
        [["<img src=x onerror=alert(1)>", "&amp;"]] * 30, comments=[["# text = </figcaption><script>"]] * 30
    )
    html = doc._repr_html_()
    parser = Tags()
    parser.feed(html)
    assert set(parser.seen) <= {
        "div",
        "style",
        "figure",
        "figcaption",
        "svg",
        "title",
        "rect",
        "g",
        "path",
        "text",
        "p",
    }
    assert parser.seen.count("svg") == 10
    assert "20 more sentences" in html


def test_the_same_document_is_the_same_picture() -> None:
    assert chain(40).svg() == chain(40).svg()


def test_a_picture_needs_nothing_from_elsewhere() -> None:
    text = chain(3).svg().replace('xmlns="http://www.w3.org/2000/svg"', "")
    assert not re.search(r"https?:|@import|url\(|href", text)
    assert "prefers-color-scheme: dark" in text


def test_right_to_left_text_runs_from_right_to_left() -> None:
    doc = Doc.from_words([["הילד", "אכל", "תפוח"]], head=[[2, 0, 2]], deprel=[["nsubj", "root", "obj"]])
    x = [centre(word) for word in groups(drawn(doc), "word")]
    assert x == sorted(x, reverse=True)
    mixed = Doc.from_words([["הילד", "אכל", "pizza"]])
    x = [centre(word) for word in groups(drawn(mixed), "word")]
    assert x == sorted(x, reverse=True)
    latin = [centre(word) for word in groups(drawn(chain(3)), "word")]
    assert latin == sorted(latin)


@pytest.mark.parametrize("width", [200, 500, 1000])
def test_long_sentences_go_on_in_the_next_line(width: int) -> None:
    picture = drawn(chain(60), width=width)
    assert float(picture.get("width", "")) <= width
    assert float(drawn(chain(60), width=None).get("width", "")) > 2000
    x = [centre(word) for word in groups(picture, "word")]
    assert sum(b < a for a, b in itertools.pairwise(x)) >= 60 * 40 / width - 1


@given(st.integers(0, 2**32), st.integers(1, 40), st.sampled_from([None, 120.0, 400.0]))
def test_words_do_not_overlap_and_labels_fit_between_them(seed: int, size: int, width: float | None) -> None:
    random = Random(seed)
    heads = random_heads(random, size)
    words = [Word("w" * random.randint(1, 12), ("TAG",)) for _ in range(size)]
    arcs = [Arc(head - 1, word, random.choice(["a", "nsubj", "nmod:poss:xyz"])) for word, head in enumerate(heads)]
    layout = tree_layout(words, arcs, width)
    assert sum(len(line.centres) for line in layout.lines) == size
    for line in layout.lines:
        edges = [
            (x - words[line.first + i].width / 2, x + words[line.first + i].width / 2)
            for i, x in enumerate(line.centres)
        ]
        assert edges[0][0] >= EDGE - 0.01
        assert edges[-1][1] <= layout.width - EDGE + 0.01
        assert all(right < left for (_, right), (left, _) in itertools.pairwise(edges))
    labelled = [curve.arc for line in layout.lines for curve in line.curves if curve.labelled]
    assert {arc.word for arc in labelled} == set(range(size))


@pytest.mark.parametrize("kind", ["star", "chain", "end"])
def test_a_sentence_of_ten_thousand_words_is_a_picture_of_bounded_size(kind: str) -> None:
    size = 10_000
    heads = {"star": [0] + [1] * (size - 1), "chain": list(range(size)), "end": [size] * (size - 1) + [0]}[kind]
    doc = Doc.from_words([["word"] * size], head=[heads], deprel=[["dep"] * size])
    picture = doc.svg()
    assert len(picture) < 2000 * size
    assert float(re.search(r'height="([\d.]+)"', picture)[1]) < 60 * size  # type: ignore[index]
    assert len(doc._repr_html_()) < 2000 * size


def test_a_cycle_a_loop_and_heads_that_are_nowhere_are_drawn_as_far_as_they_go() -> None:
    doc = Doc.from_words([["a", "b", "c", "d"]], head=[[2, 1, 3, 0]], deprel=[["x", "y", "z", "root"]])
    doc.heads[3] = 9
    assert len(groups(drawn(doc), "arc")) == 2


def test_what_stands_under_words_is_checked() -> None:
    with pytest.raises(ValueError, match="upos, xpos, lemma, feats"):
        chain(2).svg(rows=("colour",))
    with pytest.raises(ValueError, match="one pixel"):
        chain(2).svg(width=0)


@given(st.integers(0, 2**32), st.integers(1, 12))
def test_a_projective_tree_in_a_terminal_can_be_read_back(seed: int, size: int) -> None:
    """Follows the lines down each column: an arc begins at a corner or branch and ends at the next."""
    heads = lift(np.array(random_heads(Random(seed), size), np.int32)).tolist()
    lines = tree([Arc(head - 1, word, "") for word, head in enumerate(heads)], size)
    assert [line.endswith("►") for line in lines] == [head > 0 for head in heads]
    found = set()
    for column in range(len(lines[0]) - 1):
        top = -1
        for row, line in enumerate(lines):
            if line[column] in "╰┴":
                found.add((top, row))
            elif line[column] in "╭┬":
                top = row
    assert found == {(min(head - 1, word), max(head - 1, word)) for word, head in enumerate(heads) if head}
