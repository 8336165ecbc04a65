"""How sentences are cut for an encoder, and how its scores become columns: nothing here needs torch."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from laconic._core.corpus import tree_fault
from laconic.corpus import Doc
from laconic.distill.confidences import comment_confidences
from laconic.distill.decoding import Decoder, log_softmax
from laconic.distill.labels import Targets, TeacherLabels
from laconic.distill.windows import CASINGS, casing, windows


@given(st.lists(st.integers(1, 8), min_size=1, max_size=200), st.integers(8, 40))
def test_each_word_is_read_once_from_a_window_that_fits_and_holds_it(lengths: list[int], longest: int) -> None:
    found = windows(lengths, longest)
    read = [word for window in found for word in range(*window.reads)]
    assert read == list(range(len(lengths)))
    for window in found:
        assert sum(lengths[window.first : window.last]) <= longest
        assert window.first <= window.reads[0] <= window.reads[1] <= window.last
    if sum(lengths) <= longest:
        assert len(found) == 1
    # Each begins behind the one before: the number of windows is linear.
    assert all(a.first < b.first for a, b in itertools.pairwise(found))


def test_a_word_is_read_where_it_stands_far_from_the_edges() -> None:
    found = windows([1] * 100, 20)
    for window in found[1:-1]:
        assert window.reads[0] - window.first >= 4
        assert window.last - window.reads[1] >= 4


@pytest.mark.parametrize(
    ("form", "name"),
    [("dog", "lower"), ("Dog", "title"), ("DOG", "upper"), ("iPhone", "mixed"), ("12", "digits"), ("—", "other")],
)
def test_casing_classes(form: str, name: str) -> None:
    assert CASINGS[casing(form)] == name


def test_scripts_without_case_and_one_capital_have_a_class() -> None:
    assert CASINGS[casing("日本")] == "lower"
    assert CASINGS[casing("I")] == "title"


def labels(**changes: object) -> TeacherLabels:
    facts: dict[str, object] = {
        "tags": {"upos": ["NOUN", "VERB"], "feats": ["_", "Number=Plur"]},
        "combinations": [[0, 0], [0, 1], [1, 0]],
        "scripts": [[0, 0, 0, "", ""], [0, 0, 3, "", ""]],
        "relations": ["root", "nsubj"],
        "entity_types": ["PER", "LOC"],
        "single_root": True,
    }
    return TeacherLabels.from_facts(facts | changes)


def test_tags_that_were_never_seen_together_are_never_said() -> None:
    decoder = Decoder(labels())
    draw = np.random.default_rng(1)
    scores = {name: draw.normal(0, 3, (500, 2)).astype(np.float32) for name in ("upos", "feats")}
    found, logs = decoder.tags(scores)
    pairs = set(zip(found["upos"].tolist(), found["feats"].tolist(), strict=True))
    assert pairs == {(0, 0), (0, 1), (1, 0)}
    # The probability is that among what was seen.
    upos, feats = log_softmax(scores["upos"]), log_softmax(scores["feats"])
    each = np.exp([upos[0, a] + feats[0, b] for a, b in ((0, 0), (0, 1), (1, 0))])
    assert math.isclose(float(np.exp(logs[0])), each.max() / each.sum(), rel_tol=1e-5)


def test_a_script_that_cuts_more_than_there_is_is_not_chosen() -> None:
    scores = np.array([[0.0, 5.0], [0.0, 5.0]], np.float32)
    found, logs = Decoder(labels()).scripts(scores, np.array([2, 7]))
    assert found.tolist() == [0, 1]
    assert logs[0] == pytest.approx(0)


@pytest.mark.parametrize("words", [1, 2, 3, 4])
def test_entities_are_the_best_of_all_sequences_that_fit_together(words: int) -> None:
    decoder = Decoder(labels())
    draw = np.random.default_rng(words)

    def fits(sequence: tuple[int, ...]) -> bool:
        inside = 0  # the type that is open
        for label in sequence:
            kind, letter = (0, None) if label == 0 else ((label - 1) // 4 + 1, "BILU"[(label - 1) % 4])
            if letter in ("I", "L"):
                if inside != kind:
                    return False
                inside = kind if letter == "I" else 0
            elif inside:
                return False
            else:
                inside = kind if letter == "B" else 0
        return inside == 0

    for _ in range(5):
        scores = draw.normal(0, 2, (words, 9)).astype(np.float32)
        logs = log_softmax(scores)
        possible = [one for one in itertools.product(range(9), repeat=words) if fits(one)]
        best = max(possible, key=lambda one: sum(float(logs[i, label]) for i, label in enumerate(one)))
        assert tuple(decoder.entities(scores).tolist()) == best


@pytest.mark.parametrize("words", [1, 5, 30, 450])
@pytest.mark.parametrize("projective", [False, True])
def test_heads_are_one_tree_and_their_probabilities_are_told(words: int, projective: bool) -> None:
    decoder = Decoder(labels(), projective)
    logs = log_softmax(np.random.default_rng(words).normal(0, 2, (words, words + 1)).astype(np.float32))
    heads, found = decoder.tree(words, lambda begin, end: logs[begin:end])
    assert not tree_fault(heads.astype(np.int32))
    assert int((heads == 0).sum()) == 1
    assert found.tolist() == [logs[word, head] for word, head in enumerate(heads.tolist())]


def test_what_a_treebank_shows_is_what_is_learned() -> None:
    doc = Doc.from_words(
        [["Ann", "sings"], ["dogs", "bark"]],
        upos=[["PROPN", "VERB"], ["NOUN", "VERB"]],
        lemma=[["Ann", "sing"], ["dog", "bark"]],
        head=[[2, 0], [2, 0]],
        deprel=[["nsubj", "root"], ["nsubj", "root"]],
        misc=[["NER=B-PER", "NER=O"], ["_", "_"]],
    )
    found = TeacherLabels.of(doc, 1)
    assert list(found.tags) == ["upos"]
    assert found.entity_types == ["PER"]
    assert found.single_root
    targets = Targets.of(doc, found, 1)
    assert targets.columns["entities"].tolist() == [4, 0, -100, -100]
    assert set(targets.columns) == {"upos", "scripts", "entities"}
    again = TeacherLabels.from_facts(found.facts())
    assert again.facts() == found.facts()


def test_a_sentence_tells_the_mean_of_its_words_and_says_it_once() -> None:
    doc = Doc.from_words([["a", "b"], ["c"]], misc=[["TagConf=0.500", "TagConf=0.250|X=1"], ["TagConf=0.000"]])
    for _ in range(2):
        comment_confidences(doc)
    assert doc.comments == [[f"# conf_tags = {(math.log(0.5) + math.log(0.25)) / 2:.4f}"], ["# conf_tags = -7.6009"]]
