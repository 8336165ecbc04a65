"""Breakdowns and confusions against plain loops."""

from __future__ import annotations

from collections import Counter

import pytest
from corruptions import parse, random_pair, to_doc

from laconic.corpus import Doc
from laconic.evaluate import breakdown, confusion, evaluate


def relation(deprel: str) -> str:
    return deprel.split(":")[0]


@pytest.mark.parametrize("by", ["deprel", "upos", "length", "known"])
@pytest.mark.parametrize("side", ["each", "gold"])
def test_the_groups_of_gold_and_system_add_up_to_all_words(by: str, side: str) -> None:
    for seed in range(20):
        gold, system = map(to_doc, random_pair(seed, 0.3))
        whole = evaluate(gold, system)
        parts = breakdown(gold, system, by, side=side, lengths=(2, 5), known={"a", "ab"})
        for name in ("Words", "LAS", "MLAS"):
            assert sum(part[name].gold for part in parts.values()) == whole[name].gold
            assert sum(part[name].system for part in parts.values()) == whole[name].system
            if side == "gold":
                assert sum(part[name].correct for part in parts.values()) == whole[name].correct


def test_a_relation_has_the_precision_and_recall_of_its_label() -> None:
    gold, system = random_pair(11, 0.3, tokens=False)
    parts = breakdown(to_doc(gold), to_doc(system), "deprel")
    pairs = [
        (g, s)
        for one, two in zip(parse(gold), parse(system), strict=True)
        for g, s in zip(one.words, two.words, strict=True)
    ]
    gold_labels, system_labels = (
        Counter(relation(g.deprel) for g, _ in pairs),
        Counter(relation(s.deprel) for _, s in pairs),
    )
    same_tag = Counter(
        relation(g.deprel) for g, s in pairs if relation(g.deprel) == relation(s.deprel) and g.upos == s.upos
    )
    assert set(parts) == set(gold_labels) | set(system_labels)
    for label, scores in parts.items():
        assert scores["UPOS"].gold == gold_labels[label]
        assert scores["UPOS"].system == system_labels[label]
        assert scores["UPOS"].correct == same_tag[label]


def test_grouped_by_gold_recall_is_the_accuracy_on_these_words() -> None:
    gold, system = random_pair(12, 0.3, tokens=False)
    parts = breakdown(to_doc(gold), to_doc(system), "upos", side="gold")
    pairs = [
        (g, s)
        for one, two in zip(parse(gold), parse(system), strict=True)
        for g, s in zip(one.words, two.words, strict=True)
    ]
    for tag, scores in parts.items():
        assert scores["XPOS"].correct == sum(g.xpos == s.xpos for g, s in pairs if g.upos == tag)
        assert scores["XPOS"].precision == scores["XPOS"].recall


def test_sentences_are_grouped_by_length_and_words_by_being_known() -> None:
    words = [["a"], ["b", "c"], ["d", "e", "f"], ["g"] * 9]
    gold = Doc.from_words(words)
    lengths = breakdown(gold, gold, "length", lengths=(1, 3, 5))
    assert {name: part["Words"].gold for name, part in lengths.items()} == {"1-1": 1, "2-3": 5, "6-": 9}
    known = breakdown(gold, gold, "known", known={"a", "g"})
    assert {name: part["Words"].gold for name, part in known.items()} == {"known": 10, "unknown": 5}


def test_known_words_need_known_forms() -> None:
    gold = Doc.from_words([["a"]])
    with pytest.raises(ValueError, match="known forms"):
        breakdown(gold, gold, "known")
    with pytest.raises(ValueError, match="cannot break down by 'xpos'"):
        breakdown(gold, gold, "xpos")


@pytest.mark.parametrize("field", ["upos", "deprel", "xpos"])
def test_confusions_equal_counting_word_by_word(field: str) -> None:
    gold, system = random_pair(13, 0.4, tokens=False)
    found = confusion(to_doc(gold), to_doc(system), field)
    pairs = Counter(
        (getattr(g, field), getattr(s, field))
        for one, two in zip(parse(gold), parse(system), strict=True)
        for g, s in zip(one.words, two.words, strict=True)
    )
    assert found.labels == sorted({label for pair in pairs for label in pair})
    for i, one in enumerate(found.labels):
        for j, two in enumerate(found.labels):
            assert found.matrix[i, j] == pairs[one, two]
    errors = found.errors()
    assert {(g, s): n for g, s, n in errors} == {pair: n for pair, n in pairs.items() if pair[0] != pair[1]}
    assert [n for _, _, n in errors] == sorted((n for _, _, n in errors), reverse=True)


def test_confusions_without_subtypes_are_those_of_universal_relations() -> None:
    gold, system = map(to_doc, random_pair(14, 0.4))
    assert not any(":" in label for label in confusion(gold, system, "deprel", subtypes=False).labels)
