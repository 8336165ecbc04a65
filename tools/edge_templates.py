"""Writes the template sets of the graph parser: ``python tools/edge_templates.py`` (``--check`` only compares).

The paper (he2013) counts its templates, 268 for arcs and 112 for pairs of siblings, and names their ingredients: words,
prefixes, suffixes, coarse and fine tags, direction, length, words around and between. This scheme gives these counts.
An arc's template stands for two, one as written and one with direction and distance of the modifier; a weight for each
of their values is a lane of its row, so that 134 lines are 268 templates and 56 are 112.

Templates of one word come first: they are computed once per word, not once per arc. Behind them the order is by hand:
tags, then words with tags, then word pairs, then words around and between.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

SETS = Path(__file__).parent.parent / "src" / "laconic" / "features" / "sets"
WORDS = ("LEX", "LOWER", "PREFIX5", "SUFFIX3")
TAGS = ("XPOS", "UPOS")
AROUND = (
    "H-1 H M M+1",
    "H M M+1",
    "H-1 H M",
    "H-1 M M+1",
    "H-1 H M+1",
    "H H+1 M-1 M",
    "H M-1 M",
    "H H+1 M",
    "H+1 M-1 M",
    "H H+1 M-1",
    "H-1 H M-1 M",
    "H H+1 M M+1",
)
FIRST = """\
# Possible arcs of a graph parser (he2013), made by tools/edge_templates.py. Each line stands for two templates: as it
# is, and with direction and distance of the modifier, which are the lanes of its row. 134 lines, 268 templates.
"""
BEHIND_VECTORS = """\
# Possible arcs of a graph parser that already has scores by vectors of words, made by tools/edge_templates.py: what two
# words give together, since what one word gives is in its vectors. Each line stands for two templates: as it is, and
# with direction and distance of the modifier, which are the lanes of its row. 72 lines, 144 templates.
"""
WORDS_ALONE = """\
# Single words as heads and as modifiers, for the factored scorer of a graph parser, made by tools/edge_templates.py.
# Templates about the form of one word stand together: known forms have one row for all of them.
"""
SECOND_BRIEF = """\
# Pairs of adjacent siblings for a graph parser, made by tools/edge_templates.py: those of graph-siblings without
# prefixes. Each line stands for two templates: as it is, and with the direction of the modifier. 34 lines, 68 of them.
"""
SECOND = """\
# Pairs of adjacent siblings for a graph parser (he2013), made by tools/edge_templates.py. Each line stands for two
# templates: as it is, and with the direction of the modifier. 56 lines, 112 templates.
"""


def place(short: str) -> str:
    """``H-1`` is HEAD-1, ``S`` is SIB."""
    return {"H": "HEAD", "M": "MOD", "S": "SIB"}[short[0]] + short[1:]


def joined(*terms: tuple[str, str]) -> str:
    return " & ".join(f"{attribute}({place(at) if at[0] != 'B' else at})" for attribute, at in terms)


def tags(tag: str, places: str) -> str:
    return joined(*((tag, at) for at in places.split()))


def word_and_tag(word: str, tag: str) -> list[str]:
    return [
        joined((word, "H"), (tag, "M")),
        joined((tag, "H"), (word, "M")),
        joined((word, "H"), (tag, "H"), (tag, "M")),
        joined((tag, "H"), (word, "M"), (tag, "M")),
    ]


def word_pairs(word: str) -> list[str]:
    both = [joined((word, "H"), (tag, "H"), (word, "M"), (tag, "M")) for tag in TAGS]
    return [joined((word, "H"), (word, "M")), *both]


def tag_pairs() -> list[str]:
    return [tags(tag, "H M") for tag in TAGS] + [
        joined(("XPOS", "H"), ("UPOS", "M")),
        joined(("UPOS", "H"), ("XPOS", "M")),
    ]


def around(tag: str) -> list[str]:
    return [tags(tag, places) for places in AROUND]


def near() -> list[str]:
    lines = [joined((tag, "H"), (tag, "M"), ("LEX", x)) for tag in TAGS for x in ("H-1", "H+1", "M-1", "M+1")]
    lines += [joined((tag, "H"), (tag, "M"), (tag, x)) for tag in TAGS for x in ("H-2", "H+2", "M-2", "M+2")]
    return [*lines, joined(("FEATS", "H"), ("FEATS", "M"))]


def between(attribute: str | None) -> list[str]:
    """With an attribute of the words between, or with the tag that head and modifier have in the line."""
    return [joined((tag, "H"), (attribute or tag, "BETWEEN"), (tag, "M")) for tag in TAGS]


def first_order() -> Iterator[list[str]]:
    """Groups of templates of arcs."""
    one_word = [joined((word, at)) for word in WORDS for at in "HM"]
    one_word += [joined((tag, at)) for tag in TAGS for at in "HM"]
    one_word += [joined((word, at), (tag, at)) for word in WORDS for tag in TAGS for at in "HM"]
    for tag in TAGS:
        for at in "HM":
            one_word += [tags(tag, f"{at}-1 {at}"), tags(tag, f"{at} {at}+1"), tags(tag, f"{at}-1 {at} {at}+1")]
    yield one_word + tag_pairs()
    yield around("XPOS") + word_and_tag("LOWER", "XPOS") + word_and_tag("LOWER", "UPOS")
    yield between(None) + word_pairs("LOWER")
    yield near()
    yield around("UPOS")
    for_affixes = [line for word in ("SUFFIX3", "PREFIX5") for tag in TAGS for line in word_and_tag(word, tag)]
    yield for_affixes + [line for word in ("SUFFIX3", "PREFIX5") for line in word_pairs(word)]
    rest = [line for tag in TAGS for line in word_and_tag("LEX", tag)] + word_pairs("LEX")
    yield [*rest, joined(("SHAPE", "H"), ("SHAPE", "M")), *between("LEX")]


def behind_vectors() -> Iterator[list[str]]:
    """Groups of templates of arcs that read two words."""
    yield tag_pairs() + around("XPOS") + word_and_tag("LOWER", "XPOS") + word_and_tag("LOWER", "UPOS")
    yield between(None) + word_pairs("LOWER") + near()
    suffixes = [line for tag in TAGS for line in word_and_tag("SUFFIX3", tag)] + word_pairs("SUFFIX3")
    yield [*around("UPOS"), *suffixes, joined(("SHAPE", "H"), ("SHAPE", "M")), *between("LEX")]


def second_order(words: tuple[str, ...]) -> Iterator[list[str]]:
    """Groups of templates of siblings."""
    yield [tags(tag, places) for tag in TAGS for places in ("H S M", "S M", "H S")] + [
        joined(("GAP", "S")),
        *(joined((tag, "S"), (tag, "M"), ("GAP", "S")) for tag in TAGS),
    ]
    yield [tags("UPOS", f"H S M {x}") for x in ("M-1", "M+1", "S+1")]

    def triples(word: str, tag: str) -> list[str]:
        one = [[(word if at == place else tag, at) for at in "HSM"] for place in "HSM"]
        two = [[(tag if at == place else word, at) for at in "HSM"] for place in "MSH"]
        pairs = [
            [(word, "S"), (tag, "M")],
            [(tag, "S"), (word, "M")],
            [(word, "H"), (tag, "S")],
            [(tag, "H"), (word, "S")],
        ]
        return [joined(*terms) for terms in one + two + pairs]

    for word in words:
        own = [joined((word, "S"), (word, "M")), joined((word, "H"), (word, "S"))]
        yield [line for tag in TAGS for line in triples(word, tag)] + own


def single_words() -> Iterator[list[str]]:
    """Templates of the factored scorer: what is around a word, two words to each side."""
    for at in "HM":
        near = [at, f"{at}-1", f"{at}+1", f"{at}-2", f"{at}+2"]
        lines = [joined(("MORPH", place)) for place in near]
        lines += [tags("XPOS", places) for places in (f"{at}-1 {at}", f"{at} {at}+1", f"{at}-1 {at}+1")]
        lines += [
            tags("UPOS", places)
            for places in (f"{at}-1 {at} {at}+1", f"{at}-2 {at}-1 {at}", f"{at} {at}+1 {at}+2", f"{at}-1 {at} {at}+2")
        ]
        lines += [joined((word, place)) for place in near for word in ("LEX", "LOWER", "SUFFIX3", "SHAPE")]
        yield lines


def text(head: str, groups: Iterator[list[str]]) -> str:
    return head + "# group\n".join("".join(f"{line}\n" for line in group) for group in groups)


def files() -> dict[Path, str]:
    lines = "".join(f"{line}\n" for group in single_words() for line in group)
    return {
        SETS / "graph-words.templates": WORDS_ALONE + lines,
        SETS / "graph.templates": text(FIRST, first_order()),
        SETS / "graph-pairs.templates": text(BEHIND_VECTORS, behind_vectors()),
        SETS / "graph-siblings.templates": text(SECOND, second_order(("LEX", "PREFIX5"))),
        SETS / "graph-siblings-brief.templates": text(SECOND_BRIEF, second_order(("LEX",))),
    }


def main() -> None:
    for path, made in files().items():
        if "--check" not in sys.argv:
            path.write_text(made, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != made:
            sys.exit(f"{path.name} is not what tools/edge_templates.py writes")


if __name__ == "__main__":
    main()
