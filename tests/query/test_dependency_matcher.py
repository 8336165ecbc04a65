"""Patterns as spaCy's DependencyMatcher takes them, against that matcher."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import laconic
from laconic.corpus import Doc, read
from laconic.errors import InputError
from laconic.query import Query

SPACY_RELATIONS = "< > << >> . .* ; ;* $+ $- $++ $-- >+ >- >++ >-- <+ <- <++ <--"


@pytest.fixture
def sample() -> Doc:
    return read(Path(laconic.__file__).parent / "data" / "sample.conllu")


def test_patterns_of_spacy_are_taken(sample: Doc) -> None:
    pattern = [
        {"RIGHT_ID": "verb", "RIGHT_ATTRS": {"POS": {"IN": ["VERB", "AUX"]}, "LEMMA": {"NOT_IN": ["be"]}}},
        {"LEFT_ID": "verb", "REL_OP": ">", "RIGHT_ID": "who", "RIGHT_ATTRS": {"DEP": "nsubj", "TAG": {"REGEX": "^NN"}}},
        {"LEFT_ID": "who", "REL_OP": ";*", "RIGHT_ID": "before", "RIGHT_ATTRS": {"LOWER": "the"}},
    ]
    expected = sample.find("{upos:/VERB|AUX/;lemma!:be}=verb >nsubj ({xpos:/NN.*/}=who -- {lower:the}=before)")
    assert [one.words for one in sample.find(pattern)] == [one.words for one in expected] != []


@pytest.mark.parametrize("operator", SPACY_RELATIONS.split())
def test_relations_of_spacy_mean_what_they_mean_there(sample: Doc, operator: str) -> None:
    pytest.importorskip("spacy")
    from spacy.matcher import DependencyMatcher

    there = sample.to_spacy()
    pattern = [
        {"RIGHT_ID": "a", "RIGHT_ATTRS": {"POS": {"NOT_IN": ["X"]}}},
        {"LEFT_ID": "a", "REL_OP": operator, "RIGHT_ID": "b", "RIGHT_ATTRS": {"POS": {"IN": ["NOUN", "VERB", "DET"]}}},
    ]
    matcher = DependencyMatcher(there.vocab)
    matcher.add("p", [pattern])
    # A root is its own head there, and so a sibling of its children; here it is not.
    found = (tuple(words) for _, words in matcher(there))
    expected = {(a, b) for a, b in found if operator[0] != "$" or there[a].head.i != b != a != there[b].head.i}
    assert {one.words[1:] for one in sample.find(pattern)} == expected


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        ([], "list of dictionaries"),
        ({}, "list of dictionaries"),
        ([1], "no dictionary"),
        ([{"RIGHT_ID": "a"}], "expected RIGHT_ATTRS, RIGHT_ID"),
        ([{"RIGHT_ID": "a", "RIGHT_ATTRS": {"COLOUR": "x"}}], "no attribute 'COLOUR'"),
        ([{"RIGHT_ID": "a", "RIGHT_ATTRS": {"POS": 3}}], "cannot compare"),
        ([{"RIGHT_ID": "a", "RIGHT_ATTRS": {"POS": {"FUZZY": "x"}}}], "cannot compare"),
        ([{"RIGHT_ID": "a", "RIGHT_ATTRS": {"POS": {"REGEX": "("}}}], "without its )"),
        (
            [
                {"RIGHT_ID": "a", "RIGHT_ATTRS": {}},
                {"LEFT_ID": "c", "REL_OP": ">", "RIGHT_ID": "b", "RIGHT_ATTRS": {}},
            ],
            "entry 1 of the pattern: LEFT_ID",
        ),
        (
            [
                {"RIGHT_ID": "a", "RIGHT_ATTRS": {}},
                {"LEFT_ID": "a", "REL_OP": "!", "RIGHT_ID": "b", "RIGHT_ATTRS": {}},
            ],
            "no REL_OP",
        ),
    ],
)
def test_patterns_of_spacy_that_cannot_be_are_refused(pattern: Any, reason: str) -> None:
    with pytest.raises(InputError) as caught:
        Query(pattern)
    assert reason in str(caught.value)
