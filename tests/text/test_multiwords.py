"""Which tokens are split into words, and into which."""

from __future__ import annotations

import pytest

from laconic._core.text import Multiwords
from laconic.corpus import Doc
from laconic.errors import ModelError
from laconic.text import learn_multiwords

SPLIT = {
    "da": ["de", "a"],
    "don't": ["do", "n't"],
    "can't": ["ca", "n't"],
    "isn't": ["is", "n't"],
    "wasn't": ["was", "n't"],
}


def learned() -> Multiwords:
    sentences = [words for words in SPLIT.values() for _ in range(3)]
    tokens = [[(1, len(words), form)] for form, words in SPLIT.items() for _ in range(3)]
    plain = [["a", "ant", "n't", "cent", "da"]]
    return learn_multiwords(Doc.from_words(sentences + plain, multiword_tokens=[*tokens, []]))


@pytest.mark.parametrize(
    ("form", "words"),
    [
        ("da", ["de", "a"]),
        ("Da", ["De", "a"]),
        ("DA", ["DE", "A"]),
        ("don't", ["do", "n't"]),
        ("DON'T", ["DO", "N'T"]),
        ("couldn't", ["could", "n't"]),
        ("ÉN'T", ["É", "N'T"]),
        ("DON\u2019T", ["DO", "N\u2019T"]),
        ("couldn\u2019t", ["could", "n\u2019t"]),
        ("n't", []),
        ("n\u2019t", []),
        ("ant", []),
        ("cent", []),
        ("", []),
        ("nada", []),
    ],
)
def test_known_tokens_and_known_endings_are_split_in_the_casing_of_the_token(form: str, words: list[str]) -> None:
    assert learned().split(form) == words


def test_a_token_with_a_typographic_apostrophe_that_is_one_word_stays_one() -> None:
    sentences = [words for words in SPLIT.values() for _ in range(3)] + [["ain\u2019t", "don\u2019t"]] * 5
    tokens = [[(1, len(words), form)] for form, words in SPLIT.items() for _ in range(3)] + [[]] * 5
    learned = learn_multiwords(Doc.from_words(sentences, multiword_tokens=tokens))
    assert learned.split("ain\u2019t") == learned.split("don\u2019t") == []
    assert learned.split("ain't") == ["ai", "n't"]


def test_an_ending_that_many_tokens_have_unsplit_is_no_ending() -> None:
    sentences = [["un", "o"]] * 3 + [["uno"], ["dueto"], ["trio"], ["alto"], ["ganso"]]
    tokens: list[list[tuple[int, int, str]]] = [[(1, 2, f"{letter}uno")] for letter in "abc"]
    doc = Doc.from_words(sentences, multiword_tokens=[*tokens, *[[]] * 5])
    assert learn_multiwords(doc).split("dino") == []


def test_a_token_is_split_as_it_is_most_often() -> None:
    doc = Doc.from_words([["de", "le"], ["de", "le"], ["du"]], multiword_tokens=[[(1, 2, "du")], [(1, 2, "du")], []])
    assert learn_multiwords(doc).split("du") == ["de", "le"]


def test_a_token_that_is_both_goes_by_the_one_behind_it() -> None:
    rows = [
        (["It", "'s", "a", "dog"], [(1, 2, "It's")]),
        (["it", "s", "a", "cat"], [(1, 2, "its")]),
        (["its", "tail"], []),
        (["its", "tail"], []),
        (["its", "a", "."], []),
        (["its", "."], []),
        (["it", "s", "late"], [(1, 2, "its")]),
    ]
    rows += [(["it", "\u2019s", "a", "cow"], [(1, 2, "it\u2019s")])] * 3
    doc = Doc.from_words([words for words, _ in rows], multiword_tokens=[tokens for _, tokens in rows])
    learned = learn_multiwords(doc)
    assert learned.split("its", "a") == ["it", "s"]
    assert learned.split("ITS", "A") == ["IT", "S"]
    assert learned.split("its") == learned.split("its", "tail") == learned.split("its", "late") == []
    assert learned.split("it's", "tail") == ["it", "'s"]
    again = Multiwords.from_arrays(**learned.arrays())
    assert again.split("its", "a") == ["it", "s"]


@pytest.mark.parametrize(
    ("tokens", "endings", "begins", "words"),
    [
        (["a"], [], [0], []),
        (["a"], [], [0, 1], ["x"]),
        (["a"], [], [0, 2], ["x", ""]),
        (["a"], [], [0, 2], ["x", "y\n"]),
        (["a"], [], [0, 3], ["x", "y"]),
        ([], ["s"], [0, 0], []),
        ([""], [], [0, 2], ["x", "y"]),
        (["\na"], [], [0, 2], ["x", "y"]),
        ([], [""], [0, 2], ["x", "y"]),
    ],
)
def test_what_cannot_be_a_split_is_refused(
    tokens: list[str], endings: list[str], begins: list[int], words: list[str]
) -> None:
    with pytest.raises(ModelError):
        Multiwords(tokens, endings, begins, words)
