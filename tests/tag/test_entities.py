from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from laconic._core.features import atom
from laconic._core.tag import History, Transitions
from laconic.corpus import Doc, read
from laconic.errors import ConfigError, InputError, ModelError
from laconic.evaluate import evaluate_entities
from laconic.learn import Settings, TrainingData
from laconic.progress import finished
from laconic.tag import EntityConfig, EntityTagger, merge_entities
from laconic.tag.entity_spans import bilou_names
from laconic.tag.gazetteers import read_clusters

CONFIG = EntityConfig(settings=Settings(epochs=5), history_folds=2, folds=3)
PEOPLE = ["Ada", "Bo", "Cleo", "Dan", "Eve"]
FAMILIES = ["Stone", "Rivers", "Hill", "Marsh"]
PLACES = ["Vintor", "Melbank", "Ostia", "Karvel", "Port Anson", "New Ostia"]
FIRMS = ["Stone and Sons", "Melbank Steel", "Karvel Bank"]


def invented(sentences: int, seed: int) -> Doc:
    """Sentences about people, places and firms, half of whose names are new in each sample; five to a document."""
    draw = random.Random(seed)
    words, tags, comments = [], [], []

    def name(kind: str) -> list[tuple[str, str]]:
        new = draw.random() < 0.5
        stem = "".join(draw.choice("bdfglmnprstv") + draw.choice("aeiou") for _ in range(2)).capitalize()
        if kind == "PER":
            text = f"{draw.choice(PEOPLE)} {stem + 'son' if new else draw.choice(FAMILIES)}"
        elif kind == "LOC":
            text = stem + "ville" if new else draw.choice(PLACES)
        else:
            text = stem + " Bank" if new else draw.choice(FIRMS)
        return [(word, ("B-" if i == 0 else "I-") + kind) for i, word in enumerate(text.split())]

    for number in range(sentences):
        pattern = draw.choice(
            ["The old PER went to LOC .", "In LOC , PER works for ORG .", "ORG sold the house in LOC .", "PER sleeps"]
        )
        pairs = [
            pair
            for word in pattern.split()
            for pair in (name(word) if word in ("PER", "LOC", "ORG") else [(word, "O")])
        ]
        words.append([word for word, _ in pairs])
        tags.append([f"NER={tag}" for _, tag in pairs])
        comments.append(["# newdoc"] if number % 5 == 0 else [])
    return Doc.from_words(words, misc=tags, comments=comments)


@pytest.fixture(scope="module")
def corpus() -> Doc:
    return invented(400, seed=1)


@pytest.fixture(scope="module")
def unseen() -> Doc:
    return invented(200, seed=2)


@pytest.fixture(scope="module")
def tagger(corpus: Doc) -> EntityTagger:
    return finished(EntityTagger.fit(CONFIG, TrainingData(corpus)))


def guessed(tagger: EntityTagger, doc: Doc) -> Doc:
    guess = doc.sentences[:]
    tagger.apply(guess)
    return guess


def legal(tags: list[str]) -> bool:
    """Is it what BILOU allows? Written down independently of the masks."""
    inside = ""
    for tag in tags:
        letter, _, kind = tag.partition("-")
        if (letter in "IL") != bool(inside) or (inside and kind != inside):
            return False
        inside = kind if letter in "BI" else ""
    return not inside


def assert_legal(tagger: EntityTagger, doc: Doc) -> None:
    labels, _ = tagger.predict(doc)
    starts = doc.sentence_starts.tolist()
    for begin, end in pairwise(starts):
        assert legal([tagger.labels[y] for y in labels[begin:end]])


def test_it_learns_names_that_it_has_not_seen(tagger: EntityTagger, unseen: Doc) -> None:
    assert evaluate_entities(unseen, guessed(tagger, unseen))["NER"].f1 > 95


def test_less_effort_reads_fewer_templates_at_little_loss(tagger: EntityTagger, unseen: Doc) -> None:
    full, (labels, most) = evaluate_entities(unseen, guessed(tagger, unseen))["NER"].f1, tagger.predict(unseen)
    try:
        tagger.effort(0.01)
        early, some = tagger.predict(unseen)
        assert some.templates < most.templates / 2
        assert some.rows < most.rows / 2
        assert np.mean(early != labels) < 0.03
        assert evaluate_entities(unseen, guessed(tagger, unseen))["NER"].f1 > full - 5
        assert_legal(tagger, unseen)
    finally:
        tagger.effort(0.0)


WORDS = st.lists(
    st.lists(st.sampled_from(["Ada", "Stone", "the", "of", "Bank", "x", "."]), min_size=1, max_size=8), max_size=6
)


@given(st.integers(0, 10_000), WORDS, st.booleans())
@settings(max_examples=40, deadline=None)
def test_whatever_was_learned_the_output_is_legal(seed: int, sentences: list[list[str]], early: bool) -> None:
    draw = random.Random(seed)
    names = ["O", *(f"{letter}-{kind}" for kind in ("PER", "LOC") for letter in "BI")]
    words = [[draw.choice(["Ada", "Stone", "the", "of", "Bank"]) for _ in range(draw.randint(1, 6))] for _ in range(20)]
    noise = [[f"NER={draw.choice(names)}" for _ in row] for row in words]
    templates = "LEX(TOKEN)\nTAG(TOKEN-1)\nSEEN(TOKEN)\nCASE(TOKEN) & LEX(TOKEN+1)"
    config = EntityConfig(
        templates=templates, settings=Settings(epochs=1, cutoff=1), history_folds=0, folds=2, outside_minimum=5
    )
    tagger = finished(EntityTagger.fit(config, TrainingData(Doc.from_words(words, misc=noise))))
    if early:
        tagger.effort(0.05)
    assert_legal(tagger, Doc.from_words(sentences))


def test_the_masks_allow_what_bilou_allows_and_nothing_else() -> None:
    names = bilou_names(["A", "B"])
    transitions = Transitions(2)
    begins, members = transitions.sets.begins().tolist(), transitions.sets.members().tolist()
    for before, name in enumerate(names):
        prefix = [name] if legal([name]) or legal([name, "L" + name[1:]]) else ["B" + name[1:], name]
        for last in (False, True):
            number = transitions.after(before, last, True)
            allowed = {names[y] for y in members[begins[number] : begins[number + 1]]}
            ends = [[]] if last else [[], *([f"L-{kind}"] for kind in "AB")]
            assert allowed == {one for one in names if any(legal([*prefix, one, *end]) for end in ends)}


def test_pieces_of_a_document_with_carried_history_give_what_the_whole_gives(tagger: EntityTagger, unseen: Doc) -> None:
    whole, _ = tagger.predict(unseen)
    history = tagger.document_state()
    pieces = [tagger.predict(unseen.sentences[i : i + 3], history)[0] for i in range(0, len(unseen.sentences), 3)]
    np.testing.assert_array_equal(whole, np.concatenate(pieces))


def test_documents_do_not_see_each_other_and_threads_do_not_matter(tagger: EntityTagger, unseen: Doc) -> None:
    whole, _ = tagger.predict(unseen)
    with ThreadPoolExecutor(4) as pool:
        pieces = list(pool.map(lambda doc: tagger.predict(doc)[0], unseen.documents()))
    np.testing.assert_array_equal(whole, np.concatenate(pieces))


def test_the_same_training_gives_the_same_state(tagger: EntityTagger, corpus: Doc) -> None:
    arrays, facts = tagger.state()
    again, same = finished(EntityTagger.fit(CONFIG, TrainingData(corpus))).state()
    assert facts == same
    assert arrays.keys() == again.keys()
    for name in arrays:
        np.testing.assert_array_equal(arrays[name], again[name])


def test_clusters_from_a_file_are_read_by_prefix(tmp_path: Path, corpus: Doc, unseen: Doc) -> None:
    path = tmp_path / "paths"
    path.write_text("0010\tAda\t7\n0011\tBo\n110\tthe\t100\n", encoding="utf-8")
    clusters = read_clusters(path)
    assert clusters.atom("Ada", 3) == clusters.atom("Bo", 3) == atom("001") != clusters.atom("the", 3)
    tagger = finished(EntityTagger.fit(replace(CONFIG, folds=0, clusters={"brown": str(path)}), TrainingData(corpus)))
    assert "CLUSTER:brown/4(TOKEN)" in tagger.templates
    again = EntityTagger.from_state(*tagger.state())
    np.testing.assert_array_equal(again.predict(unseen)[0], tagger.predict(unseen)[0])
    path.write_text("0010 Ada\n", encoding="utf-8")
    with pytest.raises(InputError, match="paths:1"):
        read_clusters(path)


@pytest.mark.parametrize(
    "words",
    [["x"], ["\u0301"], ["A" * 100_000], ["..."] * 50, ["😀", "שלום", "\u00a0"], ["Ada"] * 100_000],
    ids=["one", "mark", "long", "dots", "scripts", "many"],
)
def test_odd_sentences_get_legal_labels(tagger: EntityTagger, words: list[str]) -> None:
    doc = Doc.from_words([words])
    labels, work = tagger.predict(doc)
    assert len(labels) == len(words) == work.decisions
    assert_legal(tagger, doc)


def test_many_sentences_of_one_word_and_none_at_all(tagger: EntityTagger) -> None:
    assert tagger.apply(Doc.from_conllu("")).decisions == 0
    assert Doc.from_conllu("").entities == []
    doc = Doc.from_words([["Ada"]] * 1000)
    tagger.apply(doc)
    assert set(doc.strings("misc")) <= {"NER=O", *(f"NER=B-{kind}" for kind in tagger.types)}


def test_misc_keeps_its_other_entries_in_their_places(tagger: EntityTagger) -> None:
    doc = Doc.from_words(
        [["Ada", "Stone", "sleeps", "."]], misc=[["SpaceAfter=No", "A=1|NER=B-OLD|Z=2|NER=twice", "_", "Flag|NER=O"]]
    )
    tagger.apply(doc)
    labels, _ = tagger.predict(doc)
    tags = [tagger.tags[y] for y in labels]
    assert doc.strings("misc") == [
        f"SpaceAfter=No|NER={tags[0]}",
        f"A=1|NER={tags[1]}|Z=2",
        f"NER={tags[2]}",
        f"Flag|NER={tags[3]}",
    ]


def test_sentences_without_annotation_teach_nothing(corpus: Doc) -> None:
    bare = Doc.from_words([["Ada", "Stone", "sleeps"]] * 300)
    mixed = Doc.concatenate([corpus, bare])
    config = replace(CONFIG, folds=0)
    with_bare, without = (finished(EntityTagger.fit(config, TrainingData(doc))).state()[0] for doc in (mixed, corpus))
    for name in without:
        np.testing.assert_array_equal(with_bare[name], without[name])


def test_state_survives_and_damage_is_refused(tagger: EntityTagger, unseen: Doc) -> None:
    arrays, facts = tagger.state()
    again = EntityTagger.from_state(arrays, facts)
    again.effort(0.01)
    tagger.effort(0.01)
    try:
        np.testing.assert_array_equal(again.predict(unseen)[0], tagger.predict(unseen)[0])
    finally:
        tagger.effort(0.0)
    for name in arrays:
        with pytest.raises(ModelError):
            EntityTagger.from_state({key: value for key, value in arrays.items() if key != name}, facts)
    for wrong in (
        {"types": ["PER"]},
        {"types": None},
        {"types": []},
        {"templates": "LEX(TOKEN)"},
        {"templates": "LEX("},
        {"templates": "ENTITY(TOKEN)"},
        {"gazetteers": ["missing"]},
        {"clusters": ["missing"]},
        {"clusters": 3},
    ):
        with pytest.raises(ModelError):
            EntityTagger.from_state(arrays, {**facts, **wrong})


def test_bad_requests_say_what_is_possible(corpus: Doc, tagger: EntityTagger) -> None:
    with pytest.raises(ConfigError, match="no entities to learn from"):
        finished(EntityTagger.fit(CONFIG, TrainingData(Doc.from_words([["a", "b"]]))))
    with pytest.raises(ConfigError, match="no entities to learn from"):
        finished(EntityTagger.fit(CONFIG, TrainingData(Doc.from_conllu(""))))
    with pytest.raises(InputError, match="not an entity tag"):
        finished(EntityTagger.fit(CONFIG, TrainingData(Doc.from_words([["a"]], misc=[["NER=PER"]]))))
    with pytest.raises(ConfigError, match="outside_minimum"):
        replace(CONFIG, outside_minimum=0)
    with pytest.raises(ConfigError, match="from 2 to 100"):
        replace(CONFIG, history_folds=1)
    with pytest.raises(ConfigError, match="both"):
        replace(CONFIG, gazetteers={"x": "a"}, clusters={"x": "b"})
    with pytest.raises(InputError, match="unknown attribute 'ENTITY'"):
        finished(EntityTagger.fit(replace(CONFIG, templates="ENTITY(TOKEN)"), TrainingData(corpus)))
    with pytest.raises(ValueError, match="another model"):
        tagger.predict(corpus, History(2))


def test_templates_over_columns_that_the_data_lacks_are_left_out(tagger: EntityTagger, corpus: Doc) -> None:
    assert "UPOS" not in tagger.templates
    assert "SEEN(TOKEN)" in tagger.templates
    tagged = corpus.sentences[:]
    tagged.set_codes("upos", np.zeros(len(tagged), np.int32), ["X"])
    assert "UPOS(TOKEN)" in finished(EntityTagger.fit(replace(CONFIG, folds=0), TrainingData(tagged))).templates


def test_attributes_that_are_made_of_columns_are_read_as_the_columns_are(corpus: Doc) -> None:
    templates = "SHAPE(TOKEN)\nMORPH(TOKEN)\nFEAT:Case(TOKEN)\n"
    config = replace(CONFIG, folds=0, history_folds=0, templates=templates)
    bare = finished(EntityTagger.fit(config, TrainingData(corpus)))
    assert (bare.templates, bare.reads) == ("SHAPE(TOKEN)\n", ())
    tagged = corpus.sentences[:]
    tagged.set_codes("upos", np.zeros(len(tagged), np.int32), ["X"])
    some = finished(EntityTagger.fit(config, TrainingData(tagged)))
    assert (some.templates, some.reads) == ("SHAPE(TOKEN)\nMORPH(TOKEN)\n", ("upos", "xpos", "feats"))


def test_text_without_any_entity_is_enough(corpus: Doc) -> None:
    nothing = Doc.from_words([["a", "b"]], misc=[["NER=O", "NER=O"]])
    tagger = finished(EntityTagger.fit(CONFIG, TrainingData(nothing)))
    assert tagger.labels == ["O"]
    assert guessed(tagger, corpus).entities == []


def test_history_of_true_labels_trains_too(corpus: Doc, unseen: Doc) -> None:
    tagger = finished(EntityTagger.fit(replace(CONFIG, history_folds=0), TrainingData(corpus)))
    assert evaluate_entities(unseen, guessed(tagger, unseen))["NER"].f1 > 90


@pytest.mark.parametrize("mode", ["truncated", "every-exit", "stagewise", "fixed"])
def test_every_mode_of_training_works(mode: str, corpus: Doc, unseen: Doc) -> None:
    learned = replace(CONFIG.settings, mode=mode, depth=12 if mode == "fixed" else 0, epochs=3)
    trained = finished(EntityTagger.fit(replace(CONFIG, settings=learned, folds=0), TrainingData(corpus)))
    assert evaluate_entities(unseen, guessed(trained, unseen))["NER"].f1 > 80


def test_on_english_it_is_a_fair_linear_recogniser(shared_data: Path) -> None:
    place = shared_data / "ner" / "uner_en_ewt"
    parts = {}
    for part in ("train", "dev"):
        entities = read(place / f"en_ewt-ud-{part}.iob2", "iob:id,form,entity,-,-")
        merged = merge_entities(read(shared_data / "ud" / "en_ewt" / f"{part}.conllu"), entities)
        assert merged.unannotated < 20
        parts[part] = merged.doc
    tagger = finished(EntityTagger.fit(EntityConfig(history_folds=2, folds=0), TrainingData(parts["train"])))
    full = evaluate_entities(parts["dev"], guessed(tagger, parts["dev"]))["NER"].f1
    assert full > 68
    assert_legal(tagger, parts["dev"])
