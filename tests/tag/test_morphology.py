from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from synthetic import conllu

from laconic.corpus import Doc
from laconic.errors import ConfigError, InputError, ModelError
from laconic.learn import Settings, TrainingData, expected_calibration_error
from laconic.progress import finished
from laconic.tag import (
    Entry,
    Lemmatizer,
    LemmatizerConfig,
    Morphology,
    MorphologyConfig,
    Tagger,
    TaggerConfig,
    read_lexicon,
)

SETTINGS = Settings(epochs=4, exits=(2, 4, 8, 16))
CONFIG = MorphologyConfig(
    TaggerConfig(settings=SETTINGS, folds=3),
    TaggerConfig(column="xpos+feats", given="upos", templates="features", settings=SETTINGS, folds=3),
)


@pytest.fixture(scope="module")
def corpus() -> Doc:
    return Doc.from_conllu(conllu(600, seed=1))


@pytest.fixture(scope="module")
def unseen() -> Doc:
    return Doc.from_conllu(conllu(300, seed=2))


@pytest.fixture(scope="module")
def trained(corpus: Doc) -> tuple[Morphology, Doc]:
    data = TrainingData(corpus)
    morphology = finished(Morphology.fit(CONFIG, data))
    assert data.predicted is not None
    return morphology, data.predicted


@pytest.fixture(scope="module")
def morphology(trained: tuple[Morphology, Doc]) -> Morphology:
    return trained[0]


def test_tags_predicted_before_are_kept_where_there_are_no_folds_to_predict_others_with(corpus: Doc) -> None:
    config = replace(CONFIG, tagger=replace(CONFIG.tagger, folds=0), features=replace(CONFIG.features, folds=0))
    before = blank(corpus)
    data = TrainingData(corpus, before)
    finished(Morphology.fit(config, data))
    assert data.predicted is before


def blank(doc: Doc) -> Doc:
    copy = doc.sentences[:]
    for column in ("upos", "xpos", "feats"):
        copy.set_codes(column, np.zeros(len(copy), np.int32), ["_"])
    return copy


def agreement(a: Doc, b: Doc, column: str) -> float:
    return float(np.mean(np.array(a.strings(column)) == np.array(b.strings(column))))


def test_all_columns_are_filled(morphology: Morphology, unseen: Doc) -> None:
    doc = blank(unseen)
    work = morphology.apply(doc)
    assert work.decisions == 2 * len(doc)
    assert morphology.columns == ("upos", "xpos", "feats")
    for column in morphology.columns:
        assert agreement(doc, unseen, column) > 0.95


def test_columns_decided_together_only_occur_together_as_seen(corpus: Doc, unseen: Doc) -> None:
    tagger = finished(
        Tagger.fit(TaggerConfig(column="upos+xpos+feats", settings=SETTINGS, folds=0), TrainingData(corpus))
    )
    doc = blank(unseen)
    tagger.apply(doc)
    triples = [set(zip(*(d.strings(c) for c in ("upos", "xpos", "feats")), strict=True)) for d in (doc, corpus)]
    assert triples[0] <= triples[1]
    assert agreement(doc, unseen, "upos") > 0.95


def test_what_is_given_narrows_the_candidates(morphology: Morphology, corpus: Doc) -> None:
    seen = set(zip(*(corpus.strings(c) for c in ("upos", "xpos", "feats")), strict=True))
    words = Doc.from_words([["zzyzx"]] * 3, upos=[["NOUN"], ["VERB"], ["PUNCT"]])
    morphology.stages[1].apply(words)
    assert set(zip(*(words.strings(c) for c in ("upos", "xpos", "feats")), strict=True)) <= seen


def test_columns_that_a_treebank_lacks_are_left_out(corpus: Doc) -> None:
    for absent, left in (("feats", "upos xpos"), ("xpos", "upos feats"), ("upos", "xpos feats")):
        doc = corpus.sentences[:200]
        doc.set_codes(absent, np.zeros(len(doc), np.int32), ["_"])
        quick = MorphologyConfig(replace(CONFIG.tagger, folds=0), replace(CONFIG.features, folds=0))
        component = finished(Morphology.fit(quick, TrainingData(doc)))
        assert component.columns == tuple(left.split())
        copy = blank(doc)
        component.apply(copy)
        assert copy.strings(absent) == ["_"] * len(doc)
    only = blank(corpus.sentences[:100])
    only.set_codes("xpos", *corpus.sentences[:100].codes("xpos"))
    assert finished(Morphology.fit(quick, TrainingData(only))).columns == ("xpos",)
    with pytest.raises(ConfigError, match="no upos"):
        finished(Morphology.fit(quick, TrainingData(blank(corpus))))


def test_the_jackknifed_document_is_tagged_worse_than_by_heart_but_well(
    trained: tuple[Morphology, Doc], corpus: Doc
) -> None:
    morphology, tagged = trained
    known = blank(corpus)
    morphology.apply(known)
    assert 0.93 < agreement(tagged, corpus, "upos") <= agreement(known, corpus, "upos")
    assert tagged.strings("form") == corpus.strings("form")


def test_confidence_is_calibrated_on_text_never_seen(morphology: Morphology, unseen: Doc) -> None:
    for tolerance in (0.0, 0.01):
        morphology.effort(tolerance)
        try:
            doc = blank(unseen)
            sure = morphology.confident(doc)
        finally:
            morphology.effort(0.0)
        right = np.ones(len(doc), bool)
        for column in morphology.columns:
            right &= np.array(doc.strings(column)) == np.array(unseen.strings(column))
        assert ((sure > 0) & (sure <= 1)).all()
        assert expected_calibration_error(sure, right) < 0.75 * (1 - right.mean())  # what certainty would have
        if not right.all():
            assert sure[right].mean() > sure[~right].mean()


def test_confidence_needs_folds_and_changes_no_label(morphology: Morphology, corpus: Doc, unseen: Doc) -> None:
    tagger = morphology.stages[0]
    labels, _, sure = tagger.predict(unseen, confidence=True)
    np.testing.assert_array_equal(labels, tagger.predict(unseen)[0])
    assert len(sure) == len(unseen)
    with pytest.raises(ValueError, match="not calibrated"):
        finished(Tagger.fit(replace(CONFIG.tagger, folds=0), TrainingData(corpus))).predict(unseen, confidence=True)


def test_state_survives_and_damage_is_refused(morphology: Morphology, unseen: Doc) -> None:
    arrays, facts = morphology.state()
    again = Morphology.from_state(arrays, facts)
    one, two = blank(unseen), blank(unseen)
    morphology.effort(0.005)
    again.effort(0.005)
    try:
        np.testing.assert_array_equal(morphology.confident(one), again.confident(two))
    finally:
        morphology.effort(0.0)
    assert one == two
    for wrong in ({}, {"stages": []}, {"stages": [{}]}, {"stages": None}, {"stages": facts["stages"][::-1]}):
        with pytest.raises(ModelError):
            Morphology.from_state(arrays, wrong)
    keys = arrays["1.memory.keys"].copy()
    keys[0] = keys[1]
    with pytest.raises(ModelError):
        Morphology.from_state({**arrays, "1.memory.keys": keys}, facts)
    with pytest.raises(ModelError):
        Morphology.from_state({**arrays, "1.memory.sets": arrays["1.memory.sets"] + 100_000}, facts)


def test_the_users_word_wins(morphology: Morphology, corpus: Doc, tmp_path: Path) -> None:
    upos = sorted(set(corpus.strings("upos")))
    frequent = max(set(corpus.strings("form")), key=corpus.strings("form").count)
    path = tmp_path / "user.tsv"
    path.write_text(
        f"# a comment\n{frequent}\t{upos[0]}\nblorp\t{upos[1]}\t\t\tblorpen\r\nblorp\t{upos[0]}\t\t\tblorpa\n\n",
        encoding="utf-8",
    )
    entries = read_lexicon(path)
    assert [entry.form for entry in entries] == [frequent, "blorp", "blorp"]
    own = morphology.with_lexicon(entries)
    doc = blank(Doc.from_words([[frequent, "blorp", frequent]] * 5))
    own.apply(doc)
    tags = doc.strings("upos")
    assert set(tags[::3]) == {upos[0]}
    assert set(tags[1::3]) <= {upos[0], upos[1]}
    again = Morphology.from_state(*own.state())
    copy = blank(doc)
    again.apply(copy)
    assert copy == doc
    lemmatizer = finished(
        Lemmatizer.fit(LemmatizerConfig(settings=SETTINGS, folds=0), TrainingData(corpus))
    ).with_lexicon(entries)
    lemmatizer.apply(doc)
    expected = {upos[0]: "blorpa", upos[1]: "blorpen"}
    assert all(doc.strings("lemma")[i] == expected[tags[i]] for i in range(1, len(doc), 3))


@pytest.mark.parametrize(
    ("text", "line", "column", "reason"),
    [
        ("a\tNOUN\n\tNOUN\n", 2, 1, "needs a form"),
        ("a\n", 1, 2, "at least one"),
        ("a\tb\tc\td\te\tf\n", 1, 10, "at most 5 columns"),
        ("a\tNOUN\t x\n", 1, 8, "xpos begins or ends with a space"),
    ],
)
def test_faults_in_a_user_lexicon_have_a_place(text: str, line: int, column: int, reason: str, tmp_path: Path) -> None:
    path = tmp_path / "user.tsv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=reason) as caught:
        read_lexicon(path)
    assert (caught.value.file, caught.value.line, caught.value.column) == (str(path), line, column)


def test_tags_unknown_to_the_model_and_bad_bytes_are_refused(morphology: Morphology, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="knows no upos 'GERUND'") as caught:
        morphology.with_lexicon([Entry("a", "GERUND", file="user.tsv", line=7)])
    assert (caught.value.file, caught.value.line, caught.value.column) == ("user.tsv", 7, 3)
    path = tmp_path / "user.tsv"
    path.write_bytes(b"a\tNOUN\nb\t\xff\n")
    with pytest.raises(InputError, match="UTF-8") as caught:
        read_lexicon(path)
    assert (caught.value.line, caught.value.column) == (2, 3)


def test_bad_configurations_say_what_is_possible() -> None:
    with pytest.raises(ConfigError, match="both given and predicted"):
        TaggerConfig(column="upos", given="upos")
    for column in ("upos+upos", "upos+lemma", "+", ""):
        with pytest.raises(ConfigError, match="upos, xpos or feats"):
            TaggerConfig(column=column)
    with pytest.raises(ConfigError, match="given what the tagger predicts"):
        MorphologyConfig(TaggerConfig(column="xpos"))


@pytest.mark.parametrize("lemma", ["a\tb", "a\nb", "a\0b", "\ud800"])
def test_an_entry_that_no_column_can_hold_is_refused(lemma: str) -> None:
    with pytest.raises(InputError, match="no column can hold the lemma"):
        Entry("dogs", lemma=lemma)
