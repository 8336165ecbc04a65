from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest
from synthetic import conllu

from laconic.corpus import Doc
from laconic.errors import ConfigError, InputError, ModelError
from laconic.learn import Settings, TrainingData
from laconic.progress import finished
from laconic.tag import Tagger, TaggerConfig
from laconic.tag.form_templates import tagger_exits

CONFIG = TaggerConfig(settings=Settings(epochs=5, exits=tagger_exits()), folds=3)


@pytest.fixture(scope="module")
def corpus() -> Doc:
    return Doc.from_conllu(conllu(600, seed=1))


@pytest.fixture(scope="module")
def unseen() -> Doc:
    return Doc.from_conllu(conllu(300, seed=2))


@pytest.fixture(scope="module")
def tagger(corpus: Doc) -> Tagger:
    return finished(Tagger.fit(CONFIG, TrainingData(corpus)))


def accuracy(tagger: Tagger, doc: Doc) -> float:
    labels, _ = tagger.predict(doc)
    return float(np.mean(np.array(tagger.labels)[labels] == np.array(doc.strings(tagger.config.column))))


def test_it_learns_what_context_and_endings_tell(tagger: Tagger, corpus: Doc, unseen: Doc) -> None:
    by_heart = dict(zip(corpus.strings("form"), corpus.strings("upos"), strict=True))
    memory = np.mean(
        [by_heart.get(f, "NOUN") == t for f, t in zip(unseen.strings("form"), unseen.strings("upos"), strict=True)]
    )
    assert accuracy(tagger, unseen) > max(0.97, memory + 0.02)


def test_less_effort_reads_fewer_templates_at_little_loss(tagger: Tagger, unseen: Doc) -> None:
    full, (labels, most) = accuracy(tagger, unseen), tagger.predict(unseen)
    try:
        tagger.effort(0.002)
        early, some = tagger.predict(unseen)
        assert some.templates < most.templates / 2
        assert some.rows < most.rows / 2
        assert np.mean(early != labels) < 0.03
        assert accuracy(tagger, unseen) > full - 0.02
    finally:
        tagger.effort(0.0)


def test_the_column_is_filled_and_nothing_else_changes(tagger: Tagger, unseen: Doc) -> None:
    doc = unseen.sentences[:]
    doc.set_codes("upos", np.zeros(len(doc), np.int32), ["_"])
    tagger.apply(doc)
    labels, _ = tagger.predict(unseen)
    assert doc.strings("upos") == [tagger.labels[y] for y in labels]
    doc.set_codes("upos", *unseen.codes("upos"))
    assert doc == unseen


@pytest.mark.parametrize("column", ["xpos", "feats"])
def test_any_tag_column_can_be_learned(column: str, corpus: Doc, unseen: Doc) -> None:
    tagger = finished(Tagger.fit(replace(CONFIG, column=column, folds=0), TrainingData(corpus)))
    assert accuracy(tagger, unseen) > 0.9


def test_columns_of_the_document_can_be_templates(corpus: Doc, unseen: Doc) -> None:
    tagger = finished(
        Tagger.fit(
            replace(CONFIG, column="xpos", templates="UPOS(TOKEN)\nUPOS(TOKEN+1)\nSUFFIX3(TOKEN)", folds=0),
            TrainingData(corpus),
        )
    )
    assert accuracy(tagger, unseen) > 0.9
    assert tagger.templates.split("\n")[:2] == ["UPOS(TOKEN)", "UPOS(TOKEN+1)"]


def test_the_same_training_gives_the_same_state(tagger: Tagger, corpus: Doc) -> None:
    arrays, facts = tagger.state()
    again, same = finished(Tagger.fit(CONFIG, TrainingData(corpus))).state()
    assert facts == same
    assert arrays.keys() == again.keys()
    for name in arrays:
        np.testing.assert_array_equal(arrays[name], again[name])


def test_sentences_do_not_see_each_other_and_threads_do_not_matter(tagger: Tagger, unseen: Doc) -> None:
    whole, _ = tagger.predict(unseen)
    with ThreadPoolExecutor(4) as pool:
        pieces = list(
            pool.map(lambda i: tagger.predict(unseen.sentences[i : i + 7])[0], range(0, len(unseen.sentences), 7))
        )
    np.testing.assert_array_equal(whole, np.concatenate(pieces))


@pytest.mark.parametrize(
    "words",
    [["x"], ["\u0301"], ["a" * 100_000], ["..."] * 50, ["😀", "שלום", "\u00a0"], ["une"] * 20_000],
    ids=["one", "mark", "long", "dots", "scripts", "many"],
)
def test_odd_sentences_get_labels(tagger: Tagger, words: list[str]) -> None:
    labels, work = tagger.predict(Doc.from_words([words]))
    assert len(labels) == len(words) == work.decisions
    assert set(labels) <= set(range(len(tagger.labels)))


def test_a_document_without_words_is_left_alone(tagger: Tagger) -> None:
    empty = Doc.from_conllu("")
    assert tagger.apply(empty).decisions == 0


def test_state_survives_and_damage_is_refused(tagger: Tagger, unseen: Doc) -> None:
    arrays, facts = tagger.state()
    again = Tagger.from_state(arrays, facts)
    again.effort(0.01)
    tagger.effort(0.01)
    try:
        np.testing.assert_array_equal(again.predict(unseen)[0], tagger.predict(unseen)[0])
    finally:
        tagger.effort(0.0)
    for name in arrays:
        with pytest.raises(ModelError):
            Tagger.from_state({key: value for key, value in arrays.items() if key != name}, facts)
    for wrong in (
        {"names": ["NOUN"]},
        {"open": 10_000},
        {"open": -1},
        {"templates": "LEX(TOKEN)"},
        {"templates": "LEX("},
        {"column": None},
    ):
        with pytest.raises(ModelError):
            Tagger.from_state(arrays, {**facts, **wrong})


def test_bad_requests_say_what_is_possible(corpus: Doc) -> None:
    with pytest.raises(ConfigError, match="upos, xpos or feats"):
        replace(CONFIG, column="deprel")
    with pytest.raises(ConfigError, match="no upos to learn from"):
        finished(Tagger.fit(CONFIG, TrainingData(Doc.from_words([["a", "b"]]))))
    with pytest.raises(ConfigError, match="no upos to learn from"):
        finished(Tagger.fit(CONFIG, TrainingData(Doc.from_conllu(""))))
    with pytest.raises(ConfigError, match="no shipped template set"):
        finished(Tagger.fit(replace(CONFIG, templates="nothing"), TrainingData(corpus)))
    with pytest.raises(InputError, match="TOKEN"):
        finished(Tagger.fit(replace(CONFIG, templates="LEX(STACK0)"), TrainingData(corpus)))
    with pytest.raises(InputError, match="unknown attribute 'SEEN'"):
        finished(Tagger.fit(replace(CONFIG, templates="SEEN(TOKEN)"), TrainingData(corpus)))
    with pytest.raises(ValueError, match="tolerance"):
        finished(Tagger.fit(replace(CONFIG, folds=0), TrainingData(corpus))).effort(1.5)


def test_one_label_and_one_word_are_enough(corpus: Doc) -> None:
    tagger = finished(Tagger.fit(CONFIG, TrainingData(Doc.from_words([["a"]], upos=[["X"]]))))
    assert tagger.labels == ["X"]
    assert accuracy(tagger, Doc.from_words([["b", "a"]], upos=[["X", "X"]])) == 1.0


def test_on_english_it_is_as_good_as_established_taggers(treebanks: object) -> None:
    from pathlib import Path

    from laconic.corpus import read

    place = Path(str(treebanks)) / "en_ewt"
    tagger = finished(
        Tagger.fit(TaggerConfig(settings=Settings(epochs=4), folds=2), TrainingData(read(place / "train.conllu")))
    )
    dev = read(place / "dev.conllu")
    full = accuracy(tagger, dev)
    assert full > 0.9458  # UDPipe 1 on the same data
    tagger.effort(0.001)
    assert tagger.predict(dev)[1].templates / len(dev) < 0.36 * 46
    assert accuracy(tagger, dev) > full - 0.002
