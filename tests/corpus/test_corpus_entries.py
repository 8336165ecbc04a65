"""Numbers of sentences and entries of MISC, written for all words at once."""

from __future__ import annotations

import numpy as np
import pytest
from conllu_strategies import conllu_bytes
from hypothesis import given
from hypothesis import strategies as st

from laconic.corpus import Doc


@given(conllu_bytes(), st.data())
def test_an_entry_takes_the_place_of_one_of_its_name_and_leaves_the_others(data: bytes, draw: st.DataObject) -> None:
    doc = Doc.from_conllu(data)
    before = doc.strings("misc")
    values = ["", "1", "a|b"]
    codes = np.array(draw.draw(st.lists(st.integers(0, 2), min_size=len(doc), max_size=len(doc))), np.uint16)
    doc.columns.set_entries("NER", codes, values)
    for old, new, code in zip(before, doc.strings("misc"), codes, strict=True):
        others = [] if old == "_" else [entry for entry in old.split("|") if entry.split("=")[0] != "NER"]
        entry = [] if code == 0 else ["NER=1"] if code == 1 else ["NER=a\\pb"]
        found = [] if new == "_" else new.split("|")
        assert [one for one in found if one.split("=")[0] != "NER"] == others
        assert [one for one in found if one.split("=")[0] == "NER"] == entry
    doc.columns.set_entries("NER", codes, values)
    assert Doc.from_conllu(doc.to_conllu()) == doc


def test_entries_need_a_value_for_every_word() -> None:
    doc = Doc.from_words([["a", "b"]])
    for codes in ([0], [0, 2]):
        with pytest.raises(ValueError, match="code"):
            doc.columns.set_entries("X", np.array(codes, np.uint16), ["", "1"])


def test_the_number_of_a_sentence_stands_behind_what_opens_a_document() -> None:
    doc = Doc.from_words(
        [["a"], ["b"], ["c"]], comments=[["# newdoc id = x", "# newpar", "# text = a"], ["# text = b"], []]
    )
    doc.columns.number_sentences(9)
    assert doc.comments == [
        ["# newdoc id = x", "# newpar", "# sent_id = 9", "# text = a"],
        ["# sent_id = 10", "# text = b"],
        ["# sent_id = 11"],
    ]
    assert [sentence.sent_id for sentence in doc.sentences] == ["9", "10", "11"]
