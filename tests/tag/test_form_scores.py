"""What is summed before any text is seen, and sentences side by side, change no decision."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from synthetic import conllu

from laconic._core import tag as core
from laconic._core.learn import instruction_set, instruction_sets, use_instruction_set
from laconic.corpus import Doc
from laconic.features import kind, load_set, parse_set
from laconic.learn import Settings, Stop, TrainingData
from laconic.progress import finished
from laconic.tag import Tagger, TaggerConfig
from laconic.tag.form_templates import exits_after, form_first, form_template_count, tagger_exits

LENGTH = 46


@pytest.fixture(scope="module")
def corpus() -> Doc:
    return Doc.from_conllu(conllu(400, seed=1))


@pytest.fixture(scope="module")
def tagger(corpus: Doc) -> Tagger:
    settings = Settings(epochs=3, exits=tagger_exits())
    return finished(Tagger.fit(TaggerConfig(settings=settings, folds=2, dictionary_minimum=30), TrainingData(corpus)))


def one_after_another(tagger: Tagger, doc: Doc, stop: Stop) -> tuple[np.ndarray, np.ndarray]:
    """Labels and depths by single decisions, template by template."""
    words = tagger.words
    sentences = np.arange(len(doc.sentences), dtype=np.uint32)
    labels, depths, _, _ = words.handle.final_scores(doc.columns, stop.exits(words.frozen.table), sentences)
    return labels, depths


def stops(tagger: Tagger) -> list[Stop]:
    every = range(1, LENGTH + 1)
    inside = (3, 7, form_template_count(load_set("tagger")), 20, LENGTH)
    return [
        Stop.never(LENGTH),
        Stop.never(5),
        *tagger.frozen.stops.values(),
        Stop.margin(0.3, tuple(every)),
        Stop.margin(0.5, inside),
    ]


def test_the_shipped_tagger_has_a_head_that_is_folded(tagger: Tagger) -> None:
    assert tagger.words.handle.form_templates == form_template_count(load_set("tagger")) > 10


def test_folded_decisions_are_those_of_single_templates(tagger: Tagger, corpus: Doc) -> None:
    unseen = Doc.from_conllu(conllu(200, seed=2))
    for doc in (corpus, unseen):
        for stop in stops(tagger):
            labels, depths, rows, _ = tagger.words.decide(doc, stop)
            expected, expected_depths = one_after_another(tagger, doc, stop)
            assert np.array_equal(labels, expected)
            assert np.array_equal(depths, expected_depths)
            assert rows <= depths.sum()


@pytest.mark.parametrize("most", [0, 3, 1000])
def test_how_many_templates_are_folded_changes_nothing(tagger: Tagger, corpus: Doc, most: int) -> None:
    words = tagger.words
    parts = (words.plan, words.lexicon, words.candidates, words.atoms, words.frozen.linear)
    handle = core.WordClassifier(*parts, form_templates=most)
    assert handle.form_templates == min(most, words.handle.form_templates)
    for stop in stops(tagger):
        exits = stop.exits(words.frozen.table)
        labels, depths, _, _ = handle.decide(corpus.columns, exits, np.zeros(0))
        expected, expected_depths = one_after_another(tagger, corpus, stop)
        assert np.array_equal(labels, expected)
        assert np.array_equal(depths, expected_depths)


def test_asking_for_confidence_changes_no_label(tagger: Tagger, corpus: Doc) -> None:
    for stop in tagger.frozen.stops.values():
        plain, sure = (tagger.words.decide(corpus, stop, confidence) for confidence in (False, True))
        assert np.array_equal(plain[0], sure[0])
        assert np.array_equal(plain[1], sure[1])


@given(st.lists(st.lists(st.text(st.characters(exclude_categories=("Cs", "Zs", "Cc")), min_size=1), max_size=9)))
def test_any_words_get_the_labels_of_single_templates(tagger: Tagger, sentences: list[list[str]]) -> None:
    doc = Doc.from_words([sentence for sentence in sentences if sentence])
    for stop in stops(tagger):
        labels, depths, _, _ = tagger.words.decide(doc, stop)
        expected, expected_depths = one_after_another(tagger, doc, stop)
        assert np.array_equal(labels, expected)
        assert np.array_equal(depths, expected_depths)


def test_every_instruction_set_finds_the_same_two_leaders(tagger: Tagger, corpus: Doc) -> None:
    before = instruction_set()
    try:
        found = []
        for name in instruction_sets():
            use_instruction_set(name)
            found.append([tagger.words.decide(corpus, stop)[:2] for stop in stops(tagger)])
        for one in found[1:]:
            for (labels, depths), (others, other_depths) in zip(found[0], one, strict=True):
                assert np.array_equal(labels, others)
                assert np.array_equal(depths, other_depths)
    finally:
        use_instruction_set(before)


def test_templates_of_the_form_stand_first_in_their_own_order() -> None:
    text = "TAG(TOKEN-1)\nLEX(TOKEN)\nLEX(TOKEN+1)\nSHAPE(TOKEN) & SUFFIX2(TOKEN)\n"
    ordered = form_first(parse_set(text, kind("token")))
    assert [str(template) for template in ordered] == [
        "LEX(TOKEN)",
        "SHAPE(TOKEN) & SUFFIX2(TOKEN)",
        "TAG(TOKEN-1)",
        "LEX(TOKEN+1)",
    ]
    assert form_template_count(ordered) == 2
    assert form_template_count(parse_set(text, kind("token"))) == 0
    assert exits_after(2, 4) == (2,)
    assert exits_after(0, 4) == (3,)
