"""The UD metrics against the official scorer."""

from __future__ import annotations

import io
import json
import sys
import unicodedata
from pathlib import Path
from random import Random

import numpy as np
import pytest
from corruptions import corrupt, damage_annotation, make_tree, parse, random_pair, render, to_doc
from udtools import udeval

from laconic.corpus import Doc
from laconic.errors import InputError
from laconic.evaluate import Scores, evaluate
from laconic.evaluate.layout import SPACES

TAGGING = ["Tokens", "Sentences", "Words", "UPOS", "XPOS", "UFeats", "AllTags", "Lemmas"]
PARSING = ["UAS", "LAS", "CLAS", "MLAS", "BLEX"]
TREEBANKS = [
    "ar_padt_small bg_btb_small ca_ancora_small cs_mix da_cdt de_mix en_ewt en_gum en_ptb_sample es_ancora_small",
    "eu_bdt ja_gsd nl_lassysmall pt_bosque sl_ssj500k sv_talbanken tr_imst zh_gsd",
]


def assert_equal_to_official(scores: Scores, gold: str, system: str, **options: bool) -> None:
    one, two = (udeval.load_conllu(io.StringIO(text), "", options) for text in (gold, system))
    official = udeval.evaluate(one, two)
    assert list(scores) == TAGGING + PARSING
    for name, ours in scores.items():
        theirs = official[name]
        assert (ours.correct, ours.gold, ours.system, ours.aligned) == (
            theirs.correct,
            theirs.gold_total,
            theirs.system_total,
            theirs.aligned_total,
        ), name
        for measure in ("precision", "recall", "f1", "aligned_accuracy"):
            value, expected = getattr(ours, measure), getattr(theirs, measure)
            assert value == (None if expected is None else pytest.approx(100 * expected)), (name, measure)


@pytest.mark.parametrize("rate", [0.02, 0.1, 0.3, 0.7])
def test_scores_of_random_documents_equal_the_official_ones(rate: float) -> None:
    for seed in range(150):
        gold, system = random_pair(seed, rate)
        assert_equal_to_official(evaluate(to_doc(gold), to_doc(system)), gold, system)


@pytest.mark.parametrize("code", " ".join(TREEBANKS).split())
def test_scores_of_damaged_treebanks_equal_the_official_ones(code: str, treebanks: Path) -> None:
    files = sorted((treebanks / code).glob("dev.conll*"))
    if not files:
        pytest.skip(f"no {code}")
    random = Random(code)
    for damage in (damage_annotation, corrupt):
        sentences = random.sample(parse(files[0].read_text(encoding="utf-8")), 60)
        for sentence in sentences:
            make_tree(sentence, random)
        gold = render(sentences)
        damage(sentences, random, 0.1)
        system = render(sentences)
        assert_equal_to_official(evaluate(to_doc(gold), to_doc(system)), gold, system)


def test_several_roots_are_refused_unless_allowed() -> None:
    for seed in range(30):
        random = Random(seed)
        gold, system = random_pair(seed, 0.2)
        sentences = parse(system)
        changed = max(sentences, key=lambda sentence: len(sentence.words))
        for word in random.sample(changed.words, 2):
            word.head = None
        system = render(sentences)
        if sum(word.head is None for word in changed.words) < 2:
            continue
        at = sentences.index(changed) + 1
        with pytest.raises(InputError, match=f"system sentence {at}: word .* second root"):
            evaluate(to_doc(gold), to_doc(system))
        scores = evaluate(to_doc(gold), to_doc(system), single_root=False)
        assert_equal_to_official(scores, gold, system, multiple_roots_okay=True)


def test_a_document_scores_100_against_itself() -> None:
    gold, _ = random_pair(3, 0)
    scores = evaluate(to_doc(gold), to_doc(gold))
    assert {score.f1 for score in scores.values()} == {100}


def test_the_counts_of_a_sentence_are_those_of_scoring_it_alone() -> None:
    gold_text, system_text = random_pair(5, 0.3, tokens=False)
    gold, system = to_doc(gold_text), to_doc(system_text)
    whole = evaluate(gold, system)
    for i, pair in enumerate(zip(parse(gold_text), parse(system_text), strict=True)):
        alone = evaluate(*(to_doc(render([sentence])) for sentence in pair))
        for name, counts in whole.counts.items():
            assert (counts.correct[i], counts.gold[i], counts.system[i]) == (
                alone[name].correct,
                alone[name].gold,
                alone[name].system,
            )


def test_counts_of_different_systems_have_the_same_sentences_and_the_same_gold() -> None:
    for seed in range(40):
        gold, system = random_pair(seed, 0.4)
        one, two = evaluate(to_doc(gold), to_doc(gold)), evaluate(to_doc(gold), to_doc(system))
        for name in one:
            assert np.array_equal(one.counts[name].gold, two.counts[name].gold)
            assert two.counts[name].system.sum() == two[name].system


def test_metrics_that_need_heads_are_absent_without_heads() -> None:
    words = [["a", "b"], ["c"]]
    parsed = Doc.from_words(words, head=[[0, 1], [0]], deprel=[["root", "obj"], ["root"]])
    bare = Doc.from_words(words)
    assert list(evaluate(parsed, bare)) == list(evaluate(bare, parsed)) == list(evaluate(bare, bare)) == TAGGING


def test_differing_texts_are_refused_with_the_place() -> None:
    gold = Doc.from_words([["one", "two"], ["three", "four"]])
    with pytest.raises(
        InputError, match=r"character 9 on, after 'onetwoth': gold has 'reefour' in sentence 2"
    ) as error:
        evaluate(gold, Doc.from_words([["one", "two", "th", "irty"]]))
    assert "the system has 'irty' in sentence 1" in str(error.value)
    with pytest.raises(InputError, match="gold has 'four' in sentence 2, the system has ended"):
        evaluate(gold, Doc.from_words([["one", "two", "three"]]))


def test_empty_documents_are_refused() -> None:
    some, empty = Doc.from_words([["a"]]), Doc.from_words([])
    for pair in ((some, empty), (empty, some), (empty, empty)):
        with pytest.raises(InputError, match="document is empty"):
            evaluate(*pair)


def test_forms_of_nothing_but_spaces_are_refused() -> None:
    with pytest.raises(InputError, match="sentence 2 has an empty form"):
        evaluate(Doc.from_words([["a"], ["b", "\u3000"]]), Doc.from_words([["a"], ["b"]]))


@pytest.mark.parametrize(
    ("heads", "reason"),
    [
        ([0, -1, 1], "sentence 2: word 2 has no head"),
        ([0, 4, 1], "sentence 2: the head of word 2 is outside the sentence"),
        ([0, 3, 2], "sentence 2: the heads above word 2 form a cycle"),
        ([2, 3, 1], "sentence 2: the heads above word 1 form a cycle"),
        ([0, 2, 1], "sentence 2: the heads above word 2 form a cycle"),
    ],
)
def test_heads_that_are_no_tree_are_refused(heads: list[int], reason: str) -> None:
    words = [["a"], ["b", "c", "d"]]
    gold, system = (Doc.from_words(words, head=[[0], [0, 1, 1]]) for _ in range(2))
    system.heads[1:] = heads
    with pytest.raises(InputError, match=f"system {reason}"):
        evaluate(gold, system)


def test_scores_become_json_and_rows() -> None:
    scores = evaluate(*map(to_doc, random_pair(1, 0.2)))
    read_back = json.loads(json.dumps(scores.to_json()))
    assert list(read_back) == TAGGING + PARSING
    assert read_back["LAS"]["f1"] == scores["LAS"].f1
    assert set(read_back["LAS"]) == {"precision", "recall", "f1", "aligned_accuracy"}
    assert set(read_back["Tokens"]) == {"precision", "recall", "f1"}
    rows = scores.table()
    assert [row[0] for row in rows] == TAGGING + PARSING
    assert all(len(row) == len(Scores.HEADER) for row in rows)


def test_the_spaces_left_out_are_those_of_unicode() -> None:
    characters = map(chr, range(sys.maxunicode + 1))
    assert [ord(c) for c in characters if unicodedata.category(c) == "Zs"] == sorted(SPACES)
