from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laconic.corpus import Doc
from laconic.corpus.formats import from_bio, to_bio
from laconic.tag import merge_entities
from laconic.tag.entity_spans import bilou_labels, bilou_names, bio_names, entity_spans


@given(st.lists(st.lists(st.sampled_from(["O", "B-X", "I-X", "B-Y", "I-Y"]), min_size=1, max_size=7), min_size=1))
def test_labels_survive_the_way_through_misc(bio: list[list[str]]) -> None:
    words = [["w"] * len(row) for row in bio]
    doc = Doc.from_words(words, misc=[[f"NER={tag}" for tag in row] for row in bio])
    found = entity_spans(doc)
    labels = bilou_labels(found, len(doc)).tolist()
    names, tags = bilou_names(found.types), bio_names(found.types)
    starts = doc.sentence_starts.tolist()
    for row, (begin, end) in zip(bio, pairwise(starts), strict=True):
        expected = from_bio(row, "bilou")
        assert [names[y] for y in labels[begin:end]] == expected
        assert [tags[y] for y in labels[begin:end]] == to_bio(expected, "bilou")


def test_spans_have_words_characters_and_text() -> None:
    doc = Doc.from_conllu(
        "# text = In New York, Ada\n"
        "1\tIn\t_\t_\t_\t_\t_\t_\t_\tNER=O\n"
        "2\tNew\t_\t_\t_\t_\t_\t_\t_\tNER=B-LOC\n"
        "3\tYork\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No|NER=L-LOC\n"
        "4\t,\t_\t_\t_\t_\t_\t_\t_\t_\n"
        "5\tAda\t_\t_\t_\t_\t_\t_\t_\tNER=U-PER\n\n"
    )
    place, person = doc.entities
    assert (place.begin, place.stop, place.label, place.text) == (1, 3, "LOC", "New York")
    assert doc.text[place.start : place.end] == "New York"
    assert (person.begin, person.stop, person.label, person.text) == (4, 5, "PER", "Ada")
    assert doc.text[person.start : person.end] == "Ada"


@pytest.mark.parametrize(
    ("token", "words", "text"), [("Ada's", ["Ada", "'s"], "Ada"), ("dell'Ada", ["di", "Ada"], "dell'Ada")]
)
def test_a_span_ends_before_a_clitic_that_is_spelled_in_its_token(token: str, words: list[str], text: str) -> None:
    tags = ["NER=B-PER" if word == "Ada" else "NER=O" for word in words]
    doc = Doc.from_words([words], misc=[tags], multiword_tokens=[[(1, 2, token)]])
    (found,) = doc.entities
    assert (found.text, found.start, found.end) == (text, 0, len(text))


def sentence(name: str | None, words: list[str], tags: list[str] | None = None, misc: str = "_") -> str:
    head = f"# sent_id = {name}\n" if name else ""
    rows = [
        f"{i + 1}\t{word}\t_\t_\t_\t_\t_\t_\t_\t{f'NER={tags[i]}' if tags else misc}" for i, word in enumerate(words)
    ]
    return head + "\n".join(rows) + "\n\n"


def test_merging_aligns_by_id_and_form_and_leaves_the_rest_unannotated() -> None:
    treebank = Doc.from_conllu(
        sentence("a", ["Ada", "ran"], misc="SpaceAfter=No")
        + sentence("b", ["Bo", "ran"])
        + sentence("c", ["Not", "there"], misc="NER=O")
        + sentence("x", ["Cleo"])
        + sentence("y", ["Cleo"])
    )
    entities = Doc.from_conllu(
        sentence("b", ["Bo", "RAN"], ["B-PER", "O"])
        + sentence("a", ["Ada", "ran"], ["B-PER", "O"])
        + sentence("q", ["Cleo"], ["B-PER"])
        + sentence("r", ["Cleo"], ["B-ORG"])
    )
    merged = merge_entities(treebank, entities)
    assert (merged.sentences, merged.by_id, merged.by_form, merged.unannotated) == (5, 1, 2, 2)
    assert merged.doc.strings("misc") == [
        "SpaceAfter=No|NER=B-PER",
        "SpaceAfter=No|NER=O",
        *["_"] * 4,
        "NER=B-PER",
        "NER=B-ORG",
    ]
    assert treebank.sentences[0].strings("misc") == ["SpaceAfter=No"] * 2
