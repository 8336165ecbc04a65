from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from laconic._core.tag import apply, derive
from laconic.corpus import Doc, read
from laconic.errors import ConfigError, ModelError
from laconic.evaluate import evaluate
from laconic.learn import Settings, TrainingData
from laconic.progress import finished
from laconic.tag import Entry, Lemmatizer, LemmatizerConfig

CONFIG = LemmatizerConfig(settings=Settings(epochs=4), folds=3)
LETTERS = st.text(st.characters(blacklist_categories=("Cs",)), min_size=1, max_size=12)
SCRIPTS = st.tuples(
    st.integers(0, 2), st.sampled_from([0, 1, 2, 5, 65535]), st.integers(0, 6), st.text(max_size=3), st.text(max_size=3)
).filter(lambda script: all(c < "\ud800" or c > "\udfff" for c in script[3] + script[4]))


def plain_lower(text: str) -> str:
    """Lower case, one character to one, as the core has it."""
    return "".join(c.lower() if len(c.lower()) == 1 else c for c in text)


def naive(script: tuple[int, int, int, str, str], form: str) -> str:
    """What a script means, in the plainest words."""
    letters, front, back, before, after = script
    if front == 65535 and before + after:
        return before + after
    if front == 65535 or front + back + (not before + after) > len(form):
        return plain_lower(form)
    kept = form[front : len(form) - back]
    if letters == 0:
        kept = plain_lower(kept)
    elif letters == 2:
        kept = (kept[:1] if front == 0 else plain_lower(kept[:1])) + plain_lower(kept[1:])
    return before + kept + after


@given(LETTERS, LETTERS)
def test_a_derived_script_makes_the_lemma_and_fits_its_form(form: str, lemma: str) -> None:
    script = derive(form, lemma)
    assert apply(script, form) == lemma
    assert script[1] == 65535 or script[1] + script[2] <= len(form)


@given(LETTERS, st.integers(0, 3), LETTERS)
def test_a_changed_ending_is_seen_as_one(stem: str, cut: int, ending: str) -> None:
    form = plain_lower(stem) + "x" * cut
    assert apply(derive(form, plain_lower(stem) + ending), form) == plain_lower(stem) + ending


@given(SCRIPTS, st.text("abcABCéÉßñÑжЖ漢😀\u0301", min_size=1, max_size=9))
def test_applying_a_script_is_what_it_says(script: tuple[int, int, int, str, str], form: str) -> None:
    made = apply(script, form)
    assert made == naive(script, form)
    assert made


@given(SCRIPTS, LETTERS)
def test_no_form_gets_an_empty_lemma(script: tuple[int, int, int, str, str], form: str) -> None:
    assert apply(script, form)


def sentences(verbs: int, seed: int) -> Doc:
    """Regular verbs and nouns in -s, one irregular verb, and a form whose lemma depends on its tag."""
    source = np.random.default_rng(seed)
    words, lemmas, upos = [], [], []
    for _ in range(verbs):
        stem = "".join(source.choice(list("bdfgklmnprt"), 3)) + "o"
        kind = source.integers(4)
        if kind == 0:
            row = (stem + "ing", stem, "VERB")
        elif kind == 1:
            row = (stem + "s", stem, "NOUN")
        elif kind == 2:
            row = [("went", "go", "VERB"), ("saw", "see", "VERB"), ("saw", "saw", "NOUN")][source.integers(3)]
        else:
            row = (stem.capitalize(), stem.capitalize(), "PROPN")
        words.append([row[0], "."])
        lemmas.append([row[1], "."])
        upos.append([row[2], "PUNCT"])
    return Doc.from_words(words, lemma=lemmas, upos=upos)


@pytest.fixture(scope="module")
def corpus() -> Doc:
    return sentences(800, 1)


@pytest.fixture(scope="module")
def lemmatizer(corpus: Doc) -> Lemmatizer:
    return finished(Lemmatizer.fit(CONFIG, TrainingData(corpus)))


def lemmas(lemmatizer: Lemmatizer, doc: Doc) -> list[str]:
    copy = doc.sentences[:]
    copy.set_codes("lemma", np.zeros(len(doc), np.int32), ["_"])
    lemmatizer.apply(copy)
    return copy.strings("lemma")


def test_it_learns_endings_irregular_words_and_what_tags_tell(lemmatizer: Lemmatizer) -> None:
    unseen = sentences(300, 2)
    right = np.array(lemmas(lemmatizer, unseen)) == np.array(unseen.strings("lemma"))
    assert right.mean() > 0.98
    pair = Doc.from_words([["saw", "saw", "went"]], upos=[["NOUN", "VERB", "VERB"]])
    assert lemmas(lemmatizer, pair) == ["saw", "see", "go"]


def test_a_form_seen_with_its_tags_costs_no_template(lemmatizer: Lemmatizer, corpus: Doc) -> None:
    known = Doc.from_words([["saw", "went", "."]], upos=[["VERB", "VERB", "PUNCT"]])
    assert lemmatizer.predict(known)[1].templates == 0


def test_only_the_lemmas_change(lemmatizer: Lemmatizer, corpus: Doc) -> None:
    doc = corpus.sentences[:]
    lemmatizer.apply(doc)
    doc.set_codes("lemma", *corpus.codes("lemma"))
    assert doc == corpus


def test_sentences_and_threads_do_not_matter(lemmatizer: Lemmatizer) -> None:
    unseen = sentences(200, 3)
    with ThreadPoolExecutor(4) as pool:
        pieces = list(pool.map(lambda i: lemmas(lemmatizer, unseen.sentences[i : i + 9]), range(0, 200, 9)))
    assert [lemma for piece in pieces for lemma in piece] == lemmas(lemmatizer, unseen)


@pytest.mark.parametrize("word", ["x", "\u0301", "A" * 100_000, "İ", "ﬀ", "😀", "\u00a0", "_", "ẞ", "ǅ"])
def test_odd_words_get_lemmas(lemmatizer: Lemmatizer, word: str) -> None:
    for upos in ("VERB", "NOUN", "PROPN", "X"):
        assert all(lemmas(lemmatizer, Doc.from_words([[word] * 3], upos=[[upos] * 3])))


def test_a_word_that_comes_again_is_as_sure_as_the_first(corpus: Doc) -> None:
    tagged = corpus.sentences[:]
    tagged.set_codes("xpos", *corpus.codes("upos"))
    codes, tags = corpus.codes("upos")
    tagged.set_codes("feats", codes, [f"Tag={tag}" for tag in tags])
    # Its templates read nothing but the word and these columns.
    lemmatizer = finished(Lemmatizer.fit(CONFIG, TrainingData(tagged)))
    lemmatizer.stop = replace(lemmatizer.stop, slope=0.5, shift=0.1)  # as where temperatures alone are not enough
    unseen = Doc.from_words([["mats"], ["mats", "Xaed"]], upos=[["ADJ"], ["ADJ", "ADJ"]])
    assert lemmatizer.predict(unseen)[1].templates > 0
    together = lemmatizer.confident(unseen)
    assert together[0] == together[1] != together[2]
    np.testing.assert_array_equal(together[1:], lemmatizer.confident(unseen.sentences[1:]))


def test_state_survives_and_damage_is_refused(lemmatizer: Lemmatizer) -> None:
    arrays, facts = lemmatizer.with_lexicon([Entry("saw", lemma="seen")]).state()
    unseen = sentences(100, 4)
    again = Lemmatizer.from_state(arrays, facts)
    assert lemmas(again, unseen) == lemmas(lemmatizer.with_lexicon([Entry("saw", lemma="seen")]), unseen)
    for name in arrays:
        with pytest.raises(ModelError):
            Lemmatizer.from_state({key: value for key, value in arrays.items() if key != name}, facts)
    for wrong in (
        {"scripts": facts["scripts"][1:]},
        {"scripts": [[9, 0, 0, "", ""]] * len(facts["scripts"])},
        {"scripts": [[0, 3, 3, "", ""]] * len(facts["scripts"])},
        {"open": 10_000},
        {"open": -1},
        {"given": ["form"]},
        {"templates": "LEX("},
        {"entries": [["", "", "", "", "x"]]},
        {"entries": [["x"]]},
    ):
        with pytest.raises(ModelError):
            Lemmatizer.from_state(arrays, {**facts, **wrong})


def test_the_same_training_gives_the_same_state(lemmatizer: Lemmatizer, corpus: Doc) -> None:
    arrays, facts = lemmatizer.state()
    again, same = finished(Lemmatizer.fit(CONFIG, TrainingData(corpus))).state()
    assert facts == same
    for name in arrays:
        np.testing.assert_array_equal(arrays[name], again[name])


def test_data_without_lemmas_is_refused() -> None:
    with pytest.raises(ConfigError, match="no lemmas"):
        finished(Lemmatizer.fit(CONFIG, TrainingData(Doc.from_words([["a", "b"]], upos=[["X", "X"]]))))
    with pytest.raises(ConfigError, match="no lemmas"):
        finished(Lemmatizer.fit(CONFIG, TrainingData(Doc.from_conllu(""))))
    with pytest.raises(ConfigError, match="script_minimum"):
        replace(CONFIG, script_minimum=0)
    with pytest.raises(ConfigError, match="upos, xpos or feats"):
        replace(CONFIG, given="lemma")


def test_lemmas_without_any_tags_can_be_learned() -> None:
    doc = Doc.from_words([["runs", "run"]] * 20, lemma=[["run", "run"]] * 20)
    assert lemmas(finished(Lemmatizer.fit(CONFIG, TrainingData(doc))), doc) == ["run", "run"] * 20


def test_on_english_it_is_better_than_established_lemmatisers(treebanks: Path) -> None:
    place = treebanks / "en_ewt"
    train = read(place / "train.conllu")
    lemmatizer = finished(Lemmatizer.fit(LemmatizerConfig(settings=Settings(epochs=4), folds=0), TrainingData(train)))
    dev = read(place / "dev.conllu")
    guess = dev.sentences[:]
    lemmatizer.apply(guess)
    assert evaluate(dev, guess, single_root=False)["Lemmas"].f1 > 98.5
