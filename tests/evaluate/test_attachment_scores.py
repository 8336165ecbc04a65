"""CoNLL-X and pipeline scores against plain loops over words."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from corruptions import Word, parse, random_pair, to_doc

from laconic.corpus import Doc
from laconic.errors import InputError
from laconic.evaluate import ENGLISH_PUNCTUATION, Scores, evaluate_conllx, evaluate_pipeline, is_punctuation


def paired_words(gold: str, system: str) -> list[list[tuple[Word, Word, bool]]]:
    """Per sentence: gold word, system word, and whether their heads are at the same place."""
    sentences = []
    for one, two in zip(parse(gold), parse(system), strict=True):
        places = [{id(word): i for i, word in enumerate(side.words)} | {id(None): -1} for side in (one, two)]
        pairs = zip(one.words, two.words, strict=True)
        sentences.append([(g, s, places[0][id(g.head)] == places[1][id(s.head)]) for g, s in pairs])
    return sentences


@pytest.mark.parametrize("punctuation", [True, False])
def test_conllx_scores_equal_counting_word_by_word(punctuation: bool) -> None:
    for seed in range(40):
        gold, system = (text.replace("\tba\t", "\t-…\t") for text in random_pair(seed, 0.3, tokens=False))
        words = [w for s in paired_words(gold, system) for w in s if punctuation or not is_punctuation(w[0].form)]
        scores = evaluate_conllx(to_doc(gold), to_doc(system), punctuation=punctuation)
        assert {score.gold for score in scores.values()} == {len(words)}
        assert scores["UAS"].correct == sum(right for _, _, right in words)
        assert scores["LAS"].correct == sum(right and g.deprel == s.deprel for g, s, right in words)
        assert scores["LA"].correct == sum(g.deprel == s.deprel for g, s, _ in words)


def test_punctuation_is_a_matter_of_unicode_categories() -> None:
    assert all(map(is_punctuation, [".", "...", "。", "«", "-", "_", "''", "…"]))
    assert not any(map(is_punctuation, ["$", "``", "+", "a.", ":)x", "5"]))


def test_unlabelled_documents_have_no_label_scores() -> None:
    words, heads = [["a", "b"]], [[0, 1]]
    labelled = Doc.from_words(words, head=heads, deprel=[["root", "obj"]])
    assert list(evaluate_conllx(labelled, Doc.from_words(words, head=heads))) == ["UAS"]


def test_pipeline_scores_equal_counting_word_by_word() -> None:
    for seed in range(40):
        gold, system = (text.replace("\tba\t", "\t,\t") for text in random_pair(seed, 0.15, tokens=False))
        dependency, leaf, root, complete = [], [], [], []
        for sentence in paired_words(gold, system):
            scoring = [entry for entry in sentence if entry[0].form not in ENGLISH_PUNCTUATION]
            parents = {id(g.head) for g, _, _ in sentence}
            dependency += [right for g, _, right in scoring if g.head is not None]
            leaf += [right for g, _, right in scoring if id(g) not in parents]
            root.append(all((g.head is None) == (s.head is None) for g, s, _ in sentence))
            complete.append(all(right for _, _, right in scoring))
        scores = evaluate_pipeline(to_doc(gold), to_doc(system))
        for name, outcomes in {"Dependency": dependency, "Root": root, "Leaf": leaf, "Complete": complete}.items():
            assert (scores[name].correct, scores[name].gold) == (sum(outcomes), len(outcomes)), name


def test_pipeline_scores_of_a_small_example() -> None:
    words = [["I", "saw", "her", "."], ["Go", "."]]
    gold = Doc.from_words(words, head=[[2, 0, 2, 2], [0, 1]])
    system = Doc.from_words(words, head=[[2, 0, 1, 3], [2, 0]])
    scores = evaluate_pipeline(gold, system)
    assert scores["Dependency"].f1 == 50  # I, her
    assert scores["Root"].f1 == 50
    assert scores["Leaf"].f1 == 50  # I, her; Go has a child, the full stops are not scored
    assert scores["Complete"].f1 == 0
    assert evaluate_pipeline(gold, system, left_out=())["Dependency"].gold == 4


def test_several_roots_are_allowed() -> None:
    gold = Doc.from_words([["a", "b", "c"]], head=[[0, 0, 1]])
    system = Doc.from_words([["a", "b", "c"]], head=[[0, 1, 1]])
    assert evaluate_conllx(gold, gold)["UAS"].f1 == 100
    assert evaluate_pipeline(gold, gold)["Root"].f1 == 100
    assert evaluate_pipeline(gold, system)["Root"].f1 == 0
    assert evaluate_pipeline(gold, system)["Dependency"].f1 == 100


@pytest.mark.parametrize("score", [evaluate_conllx, evaluate_pipeline])
def test_other_words_and_absent_heads_are_refused(score: Callable[[Doc, Doc], Scores]) -> None:
    gold = Doc.from_words([["a", "b"]], head=[[0, 1]])
    with pytest.raises(InputError, match="same words"):
        score(gold, Doc.from_words([["ab"]], head=[[0]]))
    with pytest.raises(InputError, match="same words"):
        score(gold, Doc.from_words([["a"], ["b"]], head=[[0], [0]]))
    with pytest.raises(InputError, match="system document has no heads"):
        score(gold, Doc.from_words([["a", "b"]]))
