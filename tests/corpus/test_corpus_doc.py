"""Documents from Python: building, looking, writing to them."""

from __future__ import annotations

import gc
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

import laconic
from laconic.corpus import Doc, read

SAMPLE = Path(laconic.__file__).parent / "data" / "sample.conllu"


def test_words_in_lists_make_a_document() -> None:
    doc = Doc.from_words(
        [["The", "dog", "barks"], ["Look", "!"]],
        upos=[["DET", "NOUN", "VERB"], ["VERB", "PUNCT"]],
        head=[[2, 3, 0], [0, 1]],
        deprel=[["det", "nsubj", "root"], ["root", "punct"]],
        misc=[["_", "_", "_"], ["SpaceAfter=No", "_"]],
        comments=[["# sent_id = 1"], []],
    )
    assert len(doc) == 5
    assert doc.sentence_starts.tolist() == [0, 3, 5]
    assert doc.heads.tolist() == [2, 3, 0, 0, 1]
    assert doc.text == "The dog barks Look!"
    assert [token.upos for token in doc.sentences[0]] == ["DET", "NOUN", "VERB"]
    assert doc.sentences[0].sent_id == "1"
    assert Doc.from_conllu(doc.to_conllu()) == doc


def test_without_fields_all_columns_are_blank_and_there_are_no_heads() -> None:
    doc = Doc.from_words([["a", "b"]])
    assert doc.to_conllu() == "1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n2\tb\t_\t_\t_\t_\t_\t_\t_\t_\n\n"
    assert doc.heads.tolist() == [-1, -1]


def test_multiword_tokens_can_be_given() -> None:
    doc = Doc.from_words([["We", "do", "n't", "."]], multiword_tokens=[[(2, 3, "don't", "SpaceAfter=No")]])
    assert doc.text == "We don't."
    assert [(t.id, t.form, t.start, t.end) for t in doc.multiword_tokens[0]] == [("2-3", "don't", 3, 8)]
    assert [(t.start, t.end) for t in doc.sentences[0]] == [(0, 2), (3, 5), (5, 8), (8, 9)]


@pytest.mark.parametrize("words", [["The", "dog"], "The dog", [["The"], "dog"]])
def test_a_flat_list_of_words_is_refused_with_what_to_write(words: list[list[str]]) -> None:
    with pytest.raises(ValueError, match=r'write \[\["The", "dog", "barks"\]\]'):
        Doc.from_words(words)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"upos": [["X"]]}, "shape of the words"),
        ({"upos": ["X", "Y"]}, "flat list"),
        ({"tag": [["X", "Y"]]}, "no field 'tag'"),
        ({"form": [["X", "Y"]]}, "no field 'form'"),
        ({"upos": [["X", ""]]}, "empty string"),
        ({"upos": [["X", "a\tb"]]}, "tab, line end or NUL"),
        ({"comments": [["no sign"]]}, "starts with #"),
        ({"comments": [["# two\nlines"]]}, "starts with #"),
        ({"multiword_tokens": [[(2, 3, "x")]]}, "out of the sentence"),
        ({"multiword_tokens": [[(1, 2, "x"), (2, 2, "x")]]}, "out of order"),
    ],
)
def test_fields_that_cannot_be_are_refused(fields: dict[str, list[list[str]]], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Doc.from_words([["a", "b"]], **fields)


def test_words_that_are_no_strings_are_refused() -> None:
    with pytest.raises(TypeError, match="string"):
        Doc.from_words([["a", 1]])
    with pytest.raises(ValueError, match="no words"):
        Doc.from_words([["a"], []])


def test_tokens_show_every_field() -> None:
    token = read(SAMPLE).sentences[0][2]
    assert (token.id, token.form, token.lemma, token.upos, token.xpos) == (3, "leaves", "leave", "VERB", "VBZ")
    assert (token.head_index, token.deprel, token.deps, str(token.misc)) == (0, "root", "0:root", "_")
    assert str(token.feats).startswith("Mood=Ind|")
    assert (token.start, token.end) == (10, 16)


def test_sentences_are_sequences() -> None:
    doc = read(SAMPLE)
    sentence = doc.sentences[-1]
    assert sentence[-1].form == "!"
    assert [token.form for token in sentence[1:3]] == ["it", "("]
    assert next(token.form for token in reversed(sentence)) == "!"
    assert sentence.words == [token.form for token in sentence.tokens]
    assert len(doc.sentences) == 10
    with pytest.raises(IndexError):
        doc.sentences[10]
    with pytest.raises(IndexError):
        sentence[len(sentence)]


def test_slices_of_sentences_are_documents() -> None:
    doc = read(SAMPLE)
    assert [s.sent_id for s in doc.sentences[1:3].sentences] == ["harbour-2", "harbour-3"]
    assert [s.sent_id for s in doc.sentences[::-4].sentences] == ["kitchen-5", "kitchen-1", "harbour-2"]
    assert len(doc.sentences[5:2]) == 0
    assert doc.sentences[:] == doc


def test_comments_name_documents_paragraphs_and_sentences() -> None:
    sentences = read(SAMPLE).sentences
    assert [s.newdoc for s in sentences].count(None) == 8
    assert (sentences[0].newdoc, sentences[0].newpar, sentences[0].sent_id) == ("harbour", "harbour-p1", "harbour-1")
    assert (sentences[1].newdoc, sentences[1].newpar) == (None, None)
    bare = Doc.from_conllu("# newdoc\n#newpar\n# newdoc_x = 1\n# text=a\n1\ta" + "\t_" * 8 + "\n").sentences[0]
    assert (bare.newdoc, bare.newpar, bare.sent_id, bare.text) == ("", "", None, "a")


def test_equality_sees_every_part() -> None:
    text = SAMPLE.read_text(encoding="utf-8")
    doc = Doc.from_conllu(text)
    assert doc == Doc.from_conllu(text.replace("\n", "\r\n"))
    for old, new in [
        ("ferry\tferry", "ferry\tboat"),
        ("# sent_id = harbour-2", "# sent_id = harbour-x"),
        ("2-3\tdoesn't", "2-3\tdoesnt"),
        ("7.1\tdrinks", "7.1\t_"),
        ("\t2\tdet", "\t3\tdet"),
    ]:
        assert doc != Doc.from_conllu(text.replace(old, new, 1))
    assert doc != "a string"


def test_arrays_are_views_that_outlive_their_document() -> None:
    doc = read(SAMPLE)
    assert np.shares_memory(doc.heads, doc.heads)
    assert np.shares_memory(doc.starts, doc.starts)
    doc.heads[0] = 3
    assert doc.sentences[0][0].head_index == 3
    doc.sentences[0].heads[0] = 2
    assert doc.heads[0] == 2
    with pytest.raises(ValueError, match="read-only"):
        doc.sentence_starts[0] = 1
    arrays = [doc.heads, doc.starts, doc.sentence_starts, doc.codes("form")[0]]
    before = [array.tolist() for array in arrays]
    del doc
    gc.collect()
    noise = [read(SAMPLE) for _ in range(50)]
    assert [array.tolist() for array in arrays] == before
    assert len(noise) == 50


def test_codes_that_fit_no_value_are_refused() -> None:
    doc = Doc.from_words([["a", "b"]])
    with pytest.raises(ValueError, match="code 2 is out of range"):
        doc.set_codes("upos", [0, 2], ["X", "Y"])
    with pytest.raises(ValueError, match="expected one for each of the 2 words"):
        doc.set_codes("upos", [0], ["X"])
    with pytest.raises(ValueError, match="no field"):
        doc.set_codes("tag", [0, 0], ["X"])
    assert doc.strings("upos") == ["_", "_"]


def test_offsets_follow_a_change_of_the_forms() -> None:
    doc = Doc.from_words([["a", "b"]])
    ends = doc.ends
    assert ends.tolist() == [1, 3]
    doc.set_codes("form", [0, 1], ["long", "x"])
    assert ends.tolist() == [4, 6]
    assert doc.text == "long x"


def test_many_threads_may_read_one_document() -> None:
    doc = read(SAMPLE)
    expected = (read(SAMPLE).starts.tolist(), doc.to_conllu(), doc.text)
    results = []

    def look() -> None:
        results.append((doc.starts.tolist(), doc.to_conllu(), doc.text))

    threads = [threading.Thread(target=look) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [expected] * 8


def test_the_corpus_room_imports_no_door() -> None:
    code = "import sys, laconic.corpus; print([m for m in ('rich', 'typer', 'sklearn') if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout == b"[]\n"
