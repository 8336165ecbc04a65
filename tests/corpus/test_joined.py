"""Documents joined and taken apart again."""

from __future__ import annotations

import pytest
from conllu_strategies import conllu_bytes
from hypothesis import given
from hypothesis import strategies as st

from laconic._core.corpus import Joined
from laconic.corpus import Doc


def made(count: int) -> list[Doc]:
    return [Doc.from_words([["a", f"word{number}"], ["b"]]) for number in range(count)]


@given(st.lists(conllu_bytes(), max_size=5))
def test_what_was_not_changed_comes_back_as_it_was(texts: list[bytes]) -> None:
    docs = [Doc.from_conllu(text) for text in texts]
    before = [doc.columns.to_conllu() for doc in docs]
    joined = Joined([doc.columns for doc in docs], [True] * len(docs))
    joined.hand_back([doc.columns for doc in docs])
    assert [doc.columns.to_conllu() for doc in docs] == before


@given(st.lists(conllu_bytes(), max_size=5), st.data())
def test_what_was_written_into_the_whole_comes_back_to_its_part(texts: list[bytes], data: st.DataObject) -> None:
    docs = [Doc.from_conllu(text) for text in texts]
    joined = Joined([doc.columns for doc in docs], [True] * len(docs))
    whole = Doc(joined.columns)
    assert len(whole) == sum(map(len, docs))
    values = st.lists(st.sampled_from(["x", "yy", "wörd", "_"]), min_size=len(whole), max_size=len(whole))
    written = {field: data.draw(values) for field in ("lemma", "upos", "deprel")}
    for field, strings in written.items():
        whole.columns.set_strings(field, strings)
    whole.columns.set_codes("feats", whole.heads * 0, ["A=b"])
    joined.hand_back([doc.columns for doc in docs])
    for field, strings in written.items():
        assert [string for doc in docs for string in doc.strings(field)] == strings
    assert all(set(doc.strings("feats")) <= {"A=b"} for doc in docs)
    assert [word for doc in docs for word in doc.strings("form")] == whole.strings("form")


def test_documents_are_told_apart_where_they_open() -> None:
    docs = made(3)
    for opens, starts in (([True] * 3, [0, 2, 4]), ([False, True, False], [2])):
        assert Joined([doc.columns for doc in docs], opens).columns.document_starts() == starts
    assert [doc.comments for doc in docs] == [[[], []]] * 3


def test_a_shared_value_is_stored_once_in_a_part() -> None:
    doc, other = Doc.from_words([["w"] * 1000]), made(1)[0]
    joined = Joined([doc.columns, other.columns], [True, True])
    joined.columns.set_codes("feats", Doc(joined.columns).heads * 0, ["Long=" + "x" * 1000])
    joined.hand_back([doc.columns, other.columns])
    assert doc.strings("feats") == ["Long=" + "x" * 1000] * 1000
    again = Doc.from_words([["w"] * 1000])
    again.columns.set_codes("feats", again.heads * 0, ["Long=" + "x" * 1000])
    assert doc == again


def test_parts_are_given_back_to_the_documents_they_came_from() -> None:
    docs = made(2)
    joined = Joined([doc.columns for doc in docs], [True, True])
    for wrong in ([docs[0]], [*docs, docs[0]], [docs[0], Doc.from_words([["a"]])], []):
        with pytest.raises(ValueError, match="not the documents that were joined"):
            joined.hand_back([doc.columns for doc in wrong])
    with pytest.raises(ValueError, match="whether it opens"):
        Joined([doc.columns for doc in docs], [True])
    assert len(Doc(Joined([], []).columns)) == 0
