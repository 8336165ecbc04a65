"""Documents read word by word, as people who know spaCy or Stanza expect; trees against networkx."""

from __future__ import annotations

import pickle
from pathlib import Path

import networkx as nx
import numpy as np
import pytest
from conllu_strategies import conllu_bytes
from hypothesis import assume, given
from hypothesis import strategies as st

import laconic
from laconic.corpus import Doc, Entity, Span, Token, read
from laconic.errors import InputError
from laconic.evaluate.entities import find_spans
from laconic.interop.rows import entity_tags

SAMPLE = Path(laconic.__file__).parent / "data" / "sample.conllu"


@pytest.fixture
def doc() -> Doc:
    return read(SAMPLE)


def test_a_document_is_its_words(doc: Doc) -> None:
    words = list(doc)
    assert [token.index for token in words] == list(range(len(doc)))
    assert [token.text for token in words] == doc.strings("form") == [str(token) for token in words]
    assert [token.id for token in words] == [token.id for sentence in doc.sentences for token in sentence]
    assert doc[3] == words[3] == doc[3 - len(doc)]
    assert doc[3] in {words[3]}
    assert doc[3] != doc[4]
    assert doc[3] != read(SAMPLE)[3]
    assert doc[3] != 3
    assert (doc[3].sentence, doc[3].sentence[doc[3].id - 1]) == (doc.sentences[0], doc[3])
    for wrong in (len(doc), -len(doc) - 1):
        with pytest.raises(IndexError):
            doc[wrong]
    with pytest.raises(IndexError, match="no such word"):
        Token(doc, len(doc))
    assert list(Doc.from_words([])) == []


def test_spans_are_words_in_a_row(doc: Doc) -> None:
    span = doc[1:4]
    assert isinstance(span, Span)
    assert (span.words, len(span), span[-1]) == (doc.strings("form")[1:4], 3, doc[3])
    assert (span.text, span.start, span.end) == (doc.text[doc[1].start : doc[3].end], doc[1].start, doc[3].end)
    assert span == doc.sentences[0][1:4] == span[0:] != doc[1:5]
    assert len({span, doc[1:4]}) == 1
    assert (doc[2] in span, doc[4] in span, read(SAMPLE)[2] in span) == (True, False, False)
    assert span.lemma == " ".join(token.lemma for token in span)
    across = doc[len(doc.sentences[0]) - 1 : len(doc.sentences[0]) + 1]
    assert across.text == doc.text[across.start : across.end]
    assert (doc[3:1].text, len(doc[3:1]), doc[3:1].start) == ("", 0, -1)
    again = pickle.loads(pickle.dumps(span))
    assert (type(again), again.words) == (Span, span.words)
    with pytest.raises(ValueError, match="words in a row"):
        doc[::2]


@given(conllu_bytes())
def test_the_text_of_a_span_is_what_its_offsets_say(data: bytes) -> None:
    doc = Doc.from_conllu(data)
    for sentence in doc.sentences:
        for begin in range(len(sentence)):
            span = sentence[begin : begin + 2]
            known = span.start >= 0 and span.end >= span.start
            assert span.text == (doc.text[span.start : span.end] if known else " ".join(span.words))


@st.composite
def trees(draw: st.DrawFn) -> Doc:
    rows = []
    for size in draw(st.lists(st.integers(1, 8), min_size=1, max_size=3)):
        order = draw(st.permutations(range(1, size + 1)))
        heads = {word: draw(st.sampled_from([0, *order[:place]])) for place, word in enumerate(order)}
        heads[order[0]] = 0
        rows.append([heads[word] for word in range(1, size + 1)])
    return Doc.from_words([["w"] * len(row) for row in rows], head=rows)


@given(trees())
def test_relatives_are_those_of_the_graph(doc: Doc) -> None:
    for sentence in doc.sentences:
        graph = nx.DiGraph()
        graph.add_nodes_from(range(1, len(sentence) + 1))
        graph.add_edges_from((token.head_index, token.id) for token in sentence if token.head_index)
        for token in sentence:
            assert [one.id for one in token.children] == sorted(graph.successors(token.id))
            assert token.lefts + token.rights == token.children
            assert all(one.id < token.id for one in token.lefts)
            assert all(one.id > token.id for one in token.rights)
            assert [one.id for one in token.subtree] == sorted({token.id, *nx.descendants(graph, token.id)})
            up = [one.id for one in token.ancestors]
            assert set(up) == nx.ancestors(graph, token.id)
            assert up == sorted(up, key=lambda id: -len(nx.ancestors(graph, id)))
            assert token.head == (sentence[token.head_index - 1] if token.head_index else token)
        assert sentence.root == next(token for token in sentence if token.head_index == 0)


@given(st.lists(st.integers(-2, 7), min_size=1, max_size=6))
def test_heads_that_are_no_tree_end_and_give_words_of_the_sentence(heads: list[int]) -> None:
    doc = Doc.from_words([["w"] * len(heads)])
    doc.heads[:] = np.array(heads, np.int32)
    for token in doc:
        for found in (token.children, token.subtree, token.ancestors):
            assert len(set(found)) == len(found) <= len(heads)
        assert token in token.subtree
        if token.head_index > len(heads):
            with pytest.raises(InputError, match="not in the sentence"):
                token.head  # noqa: B018


def test_a_head_is_set_as_a_token(doc: Doc) -> None:
    first, second = doc[0], doc[1]
    first.head = second
    assert (first.head, first.head_index) == (second, second.id)
    first.head = first
    assert (first.head, first.head_index) == (first, 0)
    with pytest.raises(TypeError, match="head_index takes an id"):
        first.head = 2  # type: ignore[assignment]
    for other in (doc[-1], read(SAMPLE)[1]):
        with pytest.raises(InputError, match="another sentence"):
            first.head = other


def test_the_root_of_a_span_is_its_highest_word() -> None:
    doc = Doc.from_words([["the", "old", "town", "sleeps"]], head=[[3, 3, 4, 0]])
    assert (doc[0:3].root, doc[0:2].root, doc[0:4].root) == (doc[2], doc[0], doc[3])
    for bare in (Doc.from_words([["a"]])[0:1], doc[0:0]):
        with pytest.raises(InputError, match=r"no root|no words"):
            bare.root  # noqa: B018


def test_features_are_a_mapping_that_prints_as_the_column(doc: Doc) -> None:
    token = doc.sentences[0][2]
    column = "Mood=Ind|Number=Sing|Person=3|Tense=Pres|VerbForm=Fin"
    assert (str(token.feats), token.feats) == (column, column)
    assert dict(token.feats) == dict(pair.split("=") for pair in column.split("|")) == token.feats
    assert (token.feats["Mood"], token.feats.get("Case"), token.feats.get("Case", "-")) == ("Ind", None, "-")
    assert ("Mood" in token.feats, "Case" in token.feats, len(token.feats)) == (True, False, 5)
    kept = token.feats
    token.feats["Case"] = "Nom"
    assert str(kept) == f"Case=Nom|{column}"
    del token.feats["Case"]
    token.feats["Mood"] = "Imp"
    assert str(token.feats) == column.replace("Ind", "Imp")
    token.feats = {"Number": "Plur", "case": "Acc"}
    assert str(token.feats) == "case=Acc|Number=Plur"
    token.feats = {}
    assert (str(token.feats), len(token.feats), dict(token.feats), token.feats.get("_")) == ("_", 0, {}, None)
    with pytest.raises(KeyError):
        token.feats["Case"]
    with pytest.raises(KeyError):
        del token.feats["Case"]
    for key, value in (("", "x"), ("a=b", "c"), ("a|b", "c"), ("a", "b|c"), ("a", "")):
        with pytest.raises(InputError):
            token.feats[key] = value
    with pytest.raises(InputError, match="tab"):
        token.feats["a"] = "\t"
    with pytest.raises(TypeError, match="is a string"):
        token.feats["a"] = 1  # type: ignore[assignment]
    assert str(token.feats) == "_"


def test_misc_keeps_the_order_of_its_entries() -> None:
    doc = Doc.from_words([["a", "b"]], misc=[["Z=1|Bare|Z=2|A=x=y", "_"]])
    misc = doc[0].misc
    assert dict(misc) == {"Z": "1", "Bare": "", "A": "x=y"}
    misc["Z"] = "3"
    misc["New"] = "4"
    assert str(misc) == "Z=3|Bare|A=x=y|New=4"
    doc[1].misc = misc
    assert str(doc[1].misc) == str(misc)
    doc[1].misc["SpaceAfter"] = "No"
    doc[0].misc["SpaceAfter"] = "No"
    assert doc.text == "ab"


TAGS = st.sampled_from(
    ["O", "B-X", "I-X", "L-X", "U-X", "E-Y", "S-Y", "I-Y", "B-", "I-", "B", "_", "Q-X", "O-X", "BX-Y"]
)


@given(st.lists(st.lists(TAGS, min_size=1, max_size=7), min_size=1, max_size=4))
def test_entities_are_those_that_the_scorer_counts(tags: list[list[str]]) -> None:
    doc = Doc.from_words([["w"] * len(row) for row in tags], misc=[[f"A=B|NER={tag}" for tag in row] for row in tags])
    found = find_spans(entity_tags(doc), doc.sentence_starts.astype(np.int64))
    expected = [
        (first, last + 1, found.types[kind])
        for first, last, kind in zip(found.first, found.last, found.kind, strict=True)
    ]
    assert [(one.begin, one.stop, one.label) for one in doc.entities] == expected
    assert doc.ents == doc.entities == [one for sentence in doc.sentences for one in sentence.entities]
    for token in doc:
        assert token.entity == next((one for one in doc.entities if token in one), None)


def test_entities_have_text_label_and_offsets() -> None:
    doc = Doc.from_words([["In", "New", "York", "!"]], misc=[["_", "NER=B-LOC", "NER=I-LOC|SpaceAfter=No", "_"]])
    (place,) = doc.entities
    assert isinstance(place, Entity)
    assert (place.label, place.text, place.start, place.end, place.words) == ("LOC", "New York", 3, 11, ["New", "York"])
    assert place != doc[1:3]
    assert pickle.loads(pickle.dumps(place)).label == "LOC"


def test_noun_chunks_follow_the_tree() -> None:
    rows = [
        ("The", "DET", 4, "det"),
        ("very", "ADV", 3, "advmod"),
        ("old", "ADJ", 4, "amod"),
        ("harbour", "NOUN", 13, "nsubj"),
        ("of", "ADP", 8, "case"),
        ("the", "DET", 8, "det"),
        ("two", "NUM", 8, "nummod"),
        ("islands", "NOUN", 4, "nmod"),
        ("that", "PRON", 11, "obj"),
        ("we", "PRON", 11, "nsubj"),
        ("left", "VERB", 8, "acl:relcl"),
        ("was", "AUX", 13, "cop"),
        ("full", "ADJ", 0, "root"),
        ("of", "ADP", 17, "case"),
        ("Ada", "PROPN", 17, "nmod:poss"),
        ("'s", "PART", 15, "case"),
        ("boats", "NOUN", 13, "obl"),
        ("and", "CCONJ", 19, "cc"),
        ("nets", "NOUN", 17, "conj"),
    ]
    words, upos, head, deprel = zip(*rows, strict=True)
    doc = Doc.from_words([words], upos=[upos], head=[head], deprel=[deprel])
    chunks = [chunk.text for chunk in doc.noun_chunks]
    assert chunks == ["The very old harbour", "the two islands", "that", "we", "Ada 's boats", "nets"]
    assert doc.noun_chunks[0].root.form == "harbour"


@given(conllu_bytes())
def test_noun_chunks_are_in_order_and_apart(data: bytes) -> None:
    doc = Doc.from_conllu(data)
    assume(len(doc))
    covered = [token.index for chunk in doc.noun_chunks for token in chunk]
    assert covered == sorted(set(covered))


def test_words_outlive_the_names_of_their_document() -> None:
    token = read(SAMPLE)[2]
    assert token.doc[2] == token
    assert token.form == "leaves"
