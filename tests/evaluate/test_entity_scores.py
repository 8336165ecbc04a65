"""Entity scores against a walk over tags, one at a time, by conlleval's two questions."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laconic.corpus import Doc
from laconic.errors import InputError
from laconic.evaluate import evaluate_entities, evaluate_tags

Entity = tuple[int, int, int, str]


def ends_before(last: str, last_kind: str, role: str, kind: str) -> bool:
    if last == "O":
        return False
    return role in "OBS" or last in "ES" or last_kind != kind


def starts_at(last: str, last_kind: str, role: str, kind: str) -> bool:
    if role == "O":
        return False
    return role in "BS" or last in "OES" or last_kind != kind


def entities(sentences: list[list[str]]) -> set[Entity]:
    found = set()
    for number, tags in enumerate(sentences):
        last, last_kind, begin = "O", "", 0
        for at, tag in enumerate([*tags, "O"]):
            letter, _, kind = tag.partition("-")
            role = {"L": "E", "U": "S"}.get(letter, letter)
            if ends_before(last, last_kind, role, kind):
                found.add((number, begin, at, last_kind))
            if starts_at(last, last_kind, role, kind):
                begin = at
            last, last_kind = role, kind
    return found


TAG = st.sampled_from(["O", "O", "O", *(f"{role}-{kind}" for role in "BIESLU" for kind in ("PER", "LOC"))])
SENTENCES = st.lists(st.lists(st.tuples(TAG, TAG), min_size=1, max_size=9), min_size=1, max_size=4)


@given(SENTENCES)
def test_scores_of_random_tags_equal_those_of_walking_over_them(pairs: list[list[tuple[str, str]]]) -> None:
    gold, system = ([[pair[side] for pair in sentence] for sentence in pairs] for side in (0, 1))
    gold_entities, system_entities = entities(gold), entities(system)
    scores = evaluate_tags(gold, system)
    by_kind = {
        name: Counter(entity[3] for entity in found)
        for name, found in (
            ("gold", gold_entities),
            ("system", system_entities),
            ("correct", gold_entities & system_entities),
        )
    }
    assert scores["NER"].gold == len(gold_entities)
    assert scores["NER"].system == len(system_entities)
    assert scores["NER"].correct == len(gold_entities & system_entities)
    assert set(scores) == {"NER", *(f"NER:{kind}" for kind in by_kind["gold"] | by_kind["system"])}
    for kind in by_kind["gold"] | by_kind["system"]:
        score = scores[f"NER:{kind}"]
        assert (score.correct, score.gold, score.system) == tuple(
            by_kind[n][kind] for n in ("correct", "gold", "system")
        )


@pytest.mark.parametrize(
    ("tags", "count"),
    [
        ("B-ORG B-ORG", 2),  # as some tweets are annotated
        ("I-PER I-PER", 1),
        ("B-PER I-LOC", 2),  # another type opens an entity
        ("B-PER I-LOC I-LOC I-PER", 3),
        ("B-PER O I-PER", 2),
        ("B-PER L-PER I-PER", 2),
        ("U-PER U-PER", 2),
        ("B-PER I-PER L-PER", 1),
        ("O O", 0),
    ],
)
def test_entities_open_and_close_as_in_conlleval(tags: str, count: int) -> None:
    sentence = tags.split()
    assert evaluate_tags([sentence], [sentence])["NER"].gold == count


def test_an_entity_does_not_cross_a_sentence() -> None:
    assert evaluate_tags([["B-PER"], ["I-PER"]], [["O"], ["O"]])["NER"].gold == 2


@pytest.mark.parametrize(
    ("file", "column", "count"),
    [
        ("btc/btc.dev", 1, 1730),
        ("btc/btc.train", 1, 8779),
        ("wnut17/emerging.dev.conll", 1, 836),
        ("uner_en_ewt/en_ewt-ud-dev.iob2", 2, 966),
    ],
)
def test_published_corpora_have_the_number_of_entities_their_index_says(
    file: str, column: int, count: int, shared_data: Path
) -> None:
    text = (shared_data / "ner" / file).read_text(encoding="utf-8")
    blocks = [[line.split("\t") for line in block.split("\n") if "\t" in line] for block in text.split("\n\n")]
    tags = [[cells[column].strip() for cells in block] for block in blocks if block]
    assert evaluate_tags(tags, tags)["NER"].gold == len(entities(tags)) == count


def test_a_hand_counted_example() -> None:
    gold = [["B-PER", "I-PER", "O", "B-LOC"], ["B-ORG", "O"]]
    system = [["B-PER", "I-PER", "O", "B-ORG"], ["B-ORG", "B-LOC"]]
    scores = evaluate_tags(gold, system)
    assert scores["NER"].precision == 50
    assert scores["NER"].recall == pytest.approx(200 / 3)
    assert scores["NER:ORG"].precision == 50
    assert scores["NER:ORG"].recall == 100
    assert scores["NER:LOC"].f1 == 0


def with_tags(words: list[list[str]], tags: list[list[str]]) -> Doc:
    misc = [[f"SpaceAfter=No|NER={tag}" if tag else "_" for tag in sentence] for sentence in tags]
    return Doc.from_words(words, misc=misc)


def test_documents_may_be_tokenised_differently() -> None:
    gold = with_tags([["New", "York", "is", "big"]], [["B-LOC", "I-LOC", "O", "O"]])
    same_bounds = with_tags([["New", "York"], ["i", "s", "big"]], [["B-LOC", "I-LOC"], ["O", "O", "B-PER"]])
    other_bounds = with_tags([["NewYork", "is", "big"]], [["B-LOC", "O", "O"]])
    score = evaluate_entities(gold, same_bounds)["NER"]
    assert (score.correct, score.gold, score.system) == (1, 1, 2)
    assert evaluate_entities(gold, other_bounds)["NER"].correct == 0


def test_what_gold_does_not_annotate_is_not_counted() -> None:
    words = [["a", "b"], ["c", "d"]]
    gold = with_tags(words, [["B-LOC", "O"], ["", ""]])
    system = with_tags(words, [["B-LOC", "B-PER"], ["B-LOC", ""]])
    score = evaluate_entities(gold, system)["NER"]
    assert (score.correct, score.gold, score.system) == (1, 1, 2)


def test_bad_tags_are_refused() -> None:
    for tag in ("PER", "X-PER", "", "O-PER"):
        with pytest.raises(InputError, match="is not an entity tag"):
            evaluate_tags([["O"]], [[tag]])
    with pytest.raises(InputError, match="numbers of tags"):
        evaluate_tags([["O"]], [["O", "O"]])
    words = [["a"]]
    with pytest.raises(InputError, match="no entity tags"):
        evaluate_entities(Doc.from_words(words), with_tags(words, [["O"]]))
