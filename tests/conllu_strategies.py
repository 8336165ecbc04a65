"""Valid CoNLL-U of every odd kind, for property tests."""

from __future__ import annotations

from random import Random

from hypothesis import strategies as st

CHARACTERS = st.characters(codec="utf-8", exclude_characters="\t\n\r\0")
CELLS = ["_", "a b", "#", "é", "漢字", "👩‍🚀", "x=1|y", "\u0301", "\u2028", " ", "-", "1.1", "�"]
MISCS = [
    *CELLS,
    "SpaceAfter=No",
    "SpacesAfter=\\n\\n",
    "SpacesBefore=\\s|X=1",
    "A=b|SpaceAfter=No",
    "SpacesInToken=a\\sb",
]
COMMENTS = ["# newdoc", "# newdoc id = d1", "# newpar", "# sent_id = 7", "# text = a b", "#", "# text = _ _"]


def random_heads(random: Random, size: int) -> list[int]:
    """A random forest: words are attached one after another to the root or to a word attached before."""
    order = random.sample(range(1, size + 1), size)
    result = [0] * size
    for place, word in enumerate(order):
        result[word - 1] = random.choice([0, *order[:place]]) if place else 0
    return result


def sentence_lines(random: Random, cells: list[str], most: int) -> list[str]:
    lines = random.sample(COMMENTS, random.randrange(3))
    size = random.randint(1, most)
    tree = random_heads(random, size) if random.random() < 0.8 else None
    covered = 0
    for word in range(size + 1):
        if word:
            row = random.choices(cells, k=7)
            head = "_" if tree is None else str(tree[word - 1])
            lines.append("\t".join([str(word), *row[:5], head, *row[5:], random.choice(MISCS)]))
        for minor in range(1, random.choice([1, 1, 1, 1, 2, 3])):
            lines.append("\t".join([f"{word}.{minor}", *random.choices(cells, k=9)]))
        if covered <= word < size and random.random() < 0.3:
            covered = random.randint(word + 1, size)
            lines.append("\t".join([f"{word + 1}-{covered}", *random.choices(cells, k=8), random.choice(MISCS)]))
    return lines


@st.composite
def conllu_bytes(draw: st.DrawFn, max_sentences: int = 5, max_words: int = 6) -> bytes:
    """Whole files, with byte order marks, either line end, blank lines where they may be, and open ends."""
    random = Random(draw(st.integers(0, 2**32)))
    cells = CELLS + draw(st.lists(st.text(CHARACTERS, min_size=1, max_size=6), max_size=3))
    text = random.choice(["", "", "", "\ufeff"]) + random.choice(["", "", "\n", "\r\n\n"])
    count = draw(st.integers(0, max_sentences))
    for place in range(count):
        end = random.choice(["\n", "\n", "\r\n"])
        gaps = [end * 2, end * 2, end + "\n", end * 3, end + "\r\n\n"]
        if place + 1 == count:
            gaps += ["", end]
        text += end.join(sentence_lines(random, cells, max_words)) + random.choice(gaps)
    return text.encode()
