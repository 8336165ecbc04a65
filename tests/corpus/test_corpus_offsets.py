"""Every word is found in the text of its document."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import conllu_strategies
import pytest
from hypothesis import given
from hypothesis import strategies as st

import laconic
from laconic.corpus import Doc, MultiwordToken, Token, read

SAMPLE = Path(laconic.__file__).parent / "data" / "sample.conllu"


def assert_words_are_in_the_text(doc: Doc, known: bool = False) -> None:
    text = doc.text
    before = 0
    for sentence in doc.sentences:
        multiwords = {token.first: token for token in sentence.multiword_tokens}
        words = iter(sentence)
        for word in words:
            token = multiwords.get(word.id, word)
            parts = [word]
            if isinstance(token, MultiwordToken):
                parts += [next(words) for _ in range(token.first, token.last)]
            if token.start < 0:
                assert not known
                assert {(part.start, part.end) for part in parts} == {(-1, -1)}
                continue
            assert text[token.start : token.end] == ("a b" if "SpacesInToken=" in str(token.misc) else token.form)
            assert token.start >= before
            before = token.end
            assert_parts_are_in_their_token(text, token.start, token.end, parts)


def assert_parts_are_in_their_token(text: str, start: int, end: int, parts: list[Token]) -> None:
    places = [(part.start, part.end) for part in parts]
    if len(parts) == 1 or not spelled(text[start:end], [part.form for part in parts]):
        assert set(places) == {(start, end)}
        return
    assert (places[0][0], places[-1][1]) == (start, end)
    for part, (first, last) in zip(parts, places, strict=True):
        assert bare(text[first:last]) == bare(part.form)
    for (_, last), (first, _) in pairwise(places):
        assert text[last:first] == "" or text[last:first].isspace()


def spelled(token: str, words: list[str]) -> bool:
    return all(bare(word) for word in words) and bare("".join(words)) == bare(token)


def bare(text: str) -> list[str]:
    """Its letters, with neither case nor white space; one for each character that is left."""
    return [char.lower()[0] for char in text if char > " " and not char.isspace()]


@given(conllu_strategies.conllu_bytes())
def test_the_text_between_the_offsets_is_the_token(data: bytes) -> None:
    assert_words_are_in_the_text(Doc.from_conllu(data))


@pytest.mark.parametrize(
    "name", ["en_ewt", "pt_bosque", "ja_gsd", "cs_mix", "sl_ssj500k", "zh_gsd", "ar_padt_small", "tr_imst"]
)
def test_every_word_of_a_treebank_is_found_in_its_text(treebanks: Path, name: str) -> None:
    doc = read(treebanks / name / "dev.conllu")
    assert_words_are_in_the_text(doc, known=True)
    for sentence in list(doc.sentences)[:50]:
        assert doc.text[sentence.start : sentence.end] == sentence.text.strip()


def test_documents_and_paragraphs_are_set_apart() -> None:
    doc = read(SAMPLE)
    assert_words_are_in_the_text(doc, known=True)
    assert [part.count("\n\n") for part in (doc.text, *(d.text for d in doc.documents()))] == [3, 1, 1]
    assert doc.text == "\n\n".join(part.text for part in doc.documents())


def lines(*cells: tuple[str, str]) -> str:
    return "".join(f"{i}\t{form}\t_\t_\t_\t_\t_\t_\t_\t{misc}\n" for i, (form, misc) in enumerate(cells, 1)) + "\n"


def test_spaces_are_laid_out_as_the_annotation_says() -> None:
    doc = Doc.from_conllu(
        "# text = a b\n"
        + lines(("a", "SpacesBefore=\\s\\s|SpacesAfter=\\s\\t\\p\\\\\\n"), ("b", "SpacesAfter=\\r\\n"))
        + lines(("c d", "SpacesInToken=c\\s\\sd|SpaceAfter=No"), ("!", "SpaceAfter=No"))
        + lines(("é", "_"), ("f", "SpacesAfter=\\n"))
    )
    assert doc.text == "  a \t|\\\nb\r\nc  d!é f\n"
    assert doc.starts.tolist() == [2, 8, 11, 15, 16, 18]
    assert doc.ends.tolist() == [3, 9, 15, 16, 17, 19]
    assert doc.sentences[0].text == "a b"
    assert doc.sentences[1].text == "c  d!"


def test_a_text_that_disagrees_with_the_forms_leaves_their_places_unknown() -> None:
    doc = Doc.from_conllu("# text = one two\n" + lines(("one", "_"), ("three", "_")) + lines(("x", "_")))
    assert doc.text == "one two x"
    assert doc.starts.tolist() == [-1, -1, 8]
    assert doc.ends.tolist() == [-1, -1, 9]


def test_offsets_count_characters_and_not_bytes() -> None:
    doc = Doc.from_conllu("# text = 👩‍🚀 žije\n" + lines(("👩‍🚀", "_"), ("žije", "_")))
    assert [(token.start, token.end) for token in doc.sentences[0]] == [(0, 3), (4, 8)]


def multiword(token: str, words: list[str], misc: str = "_") -> Doc:
    """A sentence with a word before the token and one behind it, and ``# text``, unless MISC says what the text is."""
    text = f"# text = x {token} y\n" if misc == "_" else ""
    rows = [f"{i}\t{form}" + "\t_" * 8 + "\n" for i, form in enumerate(["x", *words, "y"], 1)]
    rows.insert(1, f"2-{len(words) + 1}\t{token}" + "\t_" * 7 + f"\t{misc}\n")
    return Doc.from_conllu(text + "".join(rows) + "\n")


@pytest.mark.parametrize(
    ("token", "words"),
    [
        ("Microsoft's", ["Microsoft", "'s"]),
        ("DON'T", ["do", "n't"]),
        ("haberlos", ["haber", "los"]),
        ("s'il", ["s'", "il"]),
        ("gibt's", ["gibt", "'s"]),
        ("👩‍🚀𝔵'S", ["👩‍🚀𝔵", "'s"]),
        ("İzmir'de", ["izmir", "'de"]),
        ("Žižkův", ["žižk", "ŮV"]),
        ("a b'c", ["a b", "'c"]),
        ("a b", ["a", "b"]),
    ],
)
def test_words_that_spell_their_token_have_places_of_their_own(token: str, words: list[str]) -> None:
    doc = multiword(token, words)
    assert_words_are_in_the_text(doc, known=True)
    assert [len(doc.text[one.start : one.end]) for one in doc.sentences[0][1:-1]] == [len(word) for word in words]


@pytest.mark.parametrize(
    ("token", "words"),
    [
        ("du", ["de", "le"]),
        ("zum", ["zu", "dem"]),
        ("del", ["de", "el"]),
        ("dámelo", ["da", "me", "lo"]),
        ("abc", ["a", "b"]),
        ("abc", ["a", "bcd"]),
        ("STRASSE", ["stra", "ße"]),
        ("kilometrelik", ["_", "kilometrelik"]),
    ],
)
def test_words_that_do_not_spell_their_token_stand_where_it_stands(token: str, words: list[str]) -> None:
    doc = multiword(token, words)
    assert_words_are_in_the_text(doc, known=True)
    assert [(one.start, one.end) for one in doc.sentences[0][1:-1]] == [(2, 2 + len(token))] * len(words)


def test_words_are_found_in_the_white_space_that_a_token_really_has() -> None:
    doc = multiword("New York's", ["New York", "'s"], misc="SpacesInToken=New\\s\\n\u00a0York's")
    assert doc.text == "x New \n\u00a0York's y"
    assert [doc.text[one.start : one.end] for one in doc.sentences[0]] == ["x", "New \n\u00a0York", "'s", "y"]


@given(st.lists(st.text("aB'é漢𝔵 ", min_size=1, max_size=4), min_size=1, max_size=4), st.booleans(), st.booleans())
def test_any_token_cut_into_words_has_them_where_they_were_cut(words: list[str], swap: bool, text: bool) -> None:
    token = "".join(words)
    doc = multiword(token, [word.swapcase() if swap else word for word in words], "_" if text else "A=b")
    assert_words_are_in_the_text(doc)
