"""Every word is found in the text of its document."""

from __future__ import annotations

from pathlib import Path

import conllu_strategies
import pytest
from hypothesis import given

import laconic
from laconic.corpus import Doc, read

SAMPLE = Path(laconic.__file__).parent / "data" / "sample.conllu"


def surface(doc: Doc) -> list[tuple[str, str, int, int]]:
    """(form, misc, start, end) of the token over each word."""
    result = []
    for sentence in doc.sentences:
        over = {word: token for token in sentence.multiword_tokens for word in range(token.first, token.last + 1)}
        for token in sentence:
            top = over.get(token.id, token)
            result.append((top.form, top.misc, token.start, token.end))
    return result


def assert_words_are_in_the_text(doc: Doc, known: bool = False) -> None:
    text = doc.text
    previous = (0, 0)
    for form, misc, start, end in surface(doc):
        if start < 0:
            assert end < 0
            assert not known
            continue
        if "SpacesInToken=" in misc:
            form = "a b"
        assert text[start:end] == form
        assert start >= previous[1] or (start, end) == previous
        previous = (start, end)


@given(conllu_strategies.conllu_bytes())
def test_the_text_between_the_offsets_is_the_token(data: bytes) -> None:
    assert_words_are_in_the_text(Doc.from_conllu(data))


@pytest.mark.parametrize("name", ["en_ewt", "pt_bosque", "ja_gsd", "cs_mix", "sl_ssj500k", "zh_gsd", "ar_padt_small"])
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
