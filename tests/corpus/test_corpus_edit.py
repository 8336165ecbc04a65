"""Writing to the words of a document, one at a time."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path

import numpy as np
import pytest
from conllu_strategies import conllu_bytes
from hypothesis import assume, given
from hypothesis import strategies as st

import laconic
from laconic.corpus import Doc, read
from laconic.errors import InputError

SAMPLE = Path(laconic.__file__).parent / "data" / "sample.conllu"
COLUMNS = {"lemma": 2, "upos": 3, "xpos": 4, "feats": 5, "head": 6, "deprel": 7, "deps": 8, "misc": 9}
STRINGS = [name for name in COLUMNS if name != "head"]
VALUES = st.text(st.characters(codec="utf-8", exclude_characters="\t\n\r\0"), min_size=1, max_size=6)


def changed_cells(before: str, after: str) -> list[tuple[str, int, str]]:
    """(id, column, new value) of all cells that differ; everything else must be the same."""
    old, new = (text.split("\n") for text in (before, after))
    assert len(old) == len(new)
    found = []
    for one, other in zip(old, new, strict=True):
        if one != other:
            cells = list(zip(one.split("\t"), other.split("\t"), strict=True))
            found += [(cells[0][1], place, value) for place, (was, value) in enumerate(cells) if was != value]
    return found


@given(conllu_bytes(), st.sampled_from(STRINGS), VALUES, st.data())
def test_writing_gives_the_change_and_nothing_else(data: bytes, name: str, value: str, choice: st.DataObject) -> None:
    doc = Doc.from_conllu(data)
    assume(len(doc))
    before = doc.to_conllu()
    sentence = doc.sentences[choice.draw(st.integers(0, len(doc.sentences) - 1))]
    token = sentence[choice.draw(st.integers(0, len(sentence) - 1))]
    assume(getattr(token, name) != value)
    doc.starts  # noqa: B018  # offsets that are known must follow
    setattr(token, name, value)
    assert getattr(token, name) == value
    ending = "\r" if name == "misc" and "\r\n" in before else ""
    ((id, column, written),) = changed_cells(before, doc.to_conllu())
    changed = (id.removeprefix("\ufeff"), column, written.removesuffix(ending))  # a byte order mark stays as well
    assert changed == (str(token.id), COLUMNS[name], value)
    again = Doc.from_conllu(doc.to_conllu())
    assert again == doc
    assert (again.text, again.starts.tolist()) == (doc.text, doc.starts.tolist())


def test_every_field_of_the_guide_can_be_written() -> None:
    doc = read(SAMPLE)
    token, before = doc.sentences[3][0], doc.to_conllu()
    for name in STRINGS:
        setattr(token, name, f"new-{name}")
    token.head_index = np.int64(0)
    assert [(column, value) for _, column, value in changed_cells(before, doc.to_conllu())] == [
        (column, "0" if name == "head" else f"new-{name}") for name, column in COLUMNS.items()
    ]


@pytest.mark.parametrize("name", STRINGS)
@pytest.mark.parametrize("value", ["", "a\tb", "a\nb", "a\rb", "a\0b", "\ud800"])
def test_what_cannot_stand_in_a_column_is_refused_with_its_place(name: str, value: str) -> None:
    doc = read(SAMPLE)
    before = doc.to_conllu()
    with pytest.raises(InputError, match=r'^sentences\[1\], word 2 "[^"]+": .*cannot stand in a column'):
        setattr(doc.sentences[1][1], name, value)
    assert doc.to_conllu() == before


@pytest.mark.parametrize("value", [None, 3, b"NOUN"])
def test_a_field_that_is_no_string_is_a_type_error(value: object) -> None:
    token = read(SAMPLE).sentences[0][0]
    with pytest.raises(TypeError, match="expected a string, and _ for no value"):
        token.upos = value  # type: ignore[assignment]


@pytest.mark.parametrize(
    ("head", "message"), [(-2, "out of range"), (4, "out of range"), (2**40, "out of range"), (2, "its own head")]
)
def test_a_head_that_is_not_in_the_sentence_is_refused_with_its_place(head: int, message: str) -> None:
    doc = Doc.from_words([["x"], ["a", "b", "c"]], head=[[0], [0, 1, 1]])
    with pytest.raises(InputError, match=rf'^sentences\[1\], word 2 "b": .*{message}'):
        doc.sentences[1][1].head_index = head
    assert doc.heads.tolist() == [0, 0, 1, 1]
    with pytest.raises(TypeError):
        doc.sentences[1][1].head_index = "1"  # type: ignore[assignment]


def test_one_tree_becomes_another_head_by_head_and_several_roots_are_allowed() -> None:
    doc = Doc.from_words([["a", "b", "c"]], head=[[0, 1, 2]])
    sentence = doc.sentences[0]
    for token, head in zip(sentence, [2, 3, 0], strict=True):  # a cycle on the way
        token.head_index = head
    assert doc.heads.tolist() == [2, 3, 0]
    sentence[0].head_index = 0
    assert Doc.from_conllu(doc.to_conllu()) == doc
    for token in sentence:
        token.head_index = -1
    assert Doc.from_conllu(doc.to_conllu()) == doc


@pytest.mark.parametrize(
    ("heads", "message"),
    [
        ([2, 1, 0], r"sentences\[1\], word 1: a cycle of heads: 1 -> 2 -> 1"),
        ([2, 3, 1], "no root"),
        ([0, -1, 1], "word 2: no head, but other words of the sentence have one"),
    ],
)
def test_heads_that_no_reader_takes_are_not_written(heads: list[int], message: str) -> None:
    doc = Doc.from_words([["x"], ["a", "b", "c"]], head=[[0], heads])
    with pytest.raises(ValueError, match=message):
        doc.to_conllu()


@pytest.mark.parametrize("name", ["form", "text", "children", "id", "index", "doc", "start", "end"])
def test_what_follows_from_the_text_is_read_only(name: str) -> None:
    token = read(SAMPLE).sentences[0][0]
    before = getattr(token, name)
    with pytest.raises(AttributeError, match=f"cannot set {name} of a token: it is read-only"):
        setattr(token, name, before)
    with pytest.raises(AttributeError, match="cannot set pos of a token: there is no such attribute"):
        token.pos = "NOUN"  # type: ignore[attr-defined]


def test_text_and_offsets_follow_where_misc_says_something_new_of_spaces() -> None:
    doc = Doc.from_words([["a", "b", "c"]], misc=[["_", "SpaceAfter=No", "_"]])
    starts = doc.starts
    doc.sentences[0][1].misc = "SpaceAfter=No|NER=O"
    assert (doc.text, starts.tolist()) == ("a bc", [0, 2, 3])
    doc.sentences[0][0].misc = "SpacesAfter=\\s\\s"
    assert (doc.text, starts.tolist()) == ("a  bc", [0, 3, 4])
    doc.sentences[0][1].misc = "_"
    assert (doc.text, starts.tolist()) == ("a  b c", [0, 3, 5])


def test_tokens_are_copied_and_pickled_with_their_document() -> None:
    token = read(SAMPLE).sentences[1][2]
    for other in (copy.copy(token), copy.deepcopy(token), pickle.loads(pickle.dumps(token))):
        assert (other == token) == (other.doc is token.doc)
        assert (other.id, other.form) == (token.id, token.form)
    assert copy.copy(token) == token
    assert token != token.sentence[1]
    deep = copy.deepcopy(token)
    deep.upos = "X"
    assert token.upos != "X"
