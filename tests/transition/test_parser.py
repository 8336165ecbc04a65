"""The parser as a component: what it learns, promises and refuses."""

from __future__ import annotations

import threading
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from parsed import assert_calibrated, parsed, score
from systems import ARC_SYSTEMS, VARIANTS, options

from laconic._core.transition import HiddenTrainer
from laconic.corpus import Doc, read
from laconic.corpus.projectivity import is_projective
from laconic.errors import ConfigError, ModelError
from laconic.evaluate import evaluate
from laconic.learn import HiddenSettings, Settings, Stop, TrainingData
from laconic.progress import finished
from laconic.transition import Parser, ParserConfig, ParserProgress
from laconic.transition.parser import Prepared
from laconic.transition.training import trainer_of

SETTINGS = Settings(epochs=3, l2=1e-5, exits=(3, 6, 10))
MOVES = """
MORPH(STACK0) & MORPH(QUEUE0)
UPOS(STACK1) & UPOS(STACK0) & UPOS(QUEUE0)
UPOS(STACK0) & UPOS(QUEUE0) & UPOS(QUEUE1)
LEX(STACK0) & UPOS(QUEUE0)
LEX(QUEUE0) & UPOS(STACK0)
UPOS(STACK0) & UPOS(QUEUE0) & UPOS(QUEUE0 lc)
UPOS(STACK1) & UPOS(STACK0) & DEP(STACK0 rc)
LEX(STACK1) & LEX(STACK0)
LEX(STACK0) & LEX(QUEUE0)
UPOS(STACK0) & UPOS(QUEUE0) & DISTANCE(STACK0)
DEP(CHILDREN(STACK0)) & UPOS(QUEUE0)
FEATS(STACK0) & FEATS(QUEUE0)
LEX(STACK1) & UPOS(QUEUE0)
"""
LABELS = """
MORPH(HEAD) & MORPH(MOD) & DIRECTION(MOD)
LEX(HEAD) & UPOS(MOD)
UPOS(HEAD) & LEX(MOD)
UPOS(HEAD) & UPOS(MOD) & LEX(MOD lc)
UPOS(HEAD) & DEP(HEAD rc) & UPOS(MOD)
"""
CONFIG = ParserConfig(
    scorer="linear",
    templates=MOVES,
    label_templates=LABELS,
    settings=SETTINGS,
    label_settings=replace(SETTINGS, exits=(2,)),
    folds=0,
)


@pytest.fixture(scope="module")
def parser(train: Doc) -> Parser:
    return finished(Parser.fit(replace(CONFIG, folds=2), TrainingData(train)))


@pytest.mark.parametrize("system", ARC_SYSTEMS)
@pytest.mark.parametrize("labels", ["joint", "after"])
def test_every_system_learns_heads_and_labels(system: str, labels: str, train: Doc, dev: Doc) -> None:
    config = replace(CONFIG, system=system, labels=labels)
    guess = parsed(finished(Parser.fit(config, TrainingData(train))), dev)
    assert score(dev, guess) > 75
    roots = np.add.reduceat(guess.heads == 0, guess.sentence_starts[:-1].astype(int))
    assert (roots == 1).all()


def test_a_parser_without_labels_writes_heads_only(train: Doc, dev: Doc) -> None:
    guess = parsed(finished(Parser.fit(replace(CONFIG, labels="none"), TrainingData(train))), dev)
    assert score(dev, guess, "UAS") > 75
    assert set(guess.strings("deprel")) == {"x"}


@pytest.mark.parametrize("mode", ["full", "truncated", "every-exit", "stagewise", "fixed"])
def test_every_mode_of_training_works(mode: str, train: Doc, dev: Doc) -> None:
    settings = replace(SETTINGS, mode=mode, depth=8 if mode == "fixed" else 0, epochs=1 if mode == "stagewise" else 3)
    label_settings = replace(settings, exits=(2,), depth=3 if mode == "fixed" else 0)
    config = replace(CONFIG, settings=settings, label_settings=label_settings, folds=2)
    trained = finished(Parser.fit(config, TrainingData(train)))
    assert score(dev, parsed(trained, dev)) > 65
    work = trained.predict(dev).work
    assert work.move_templates <= work.moves * (8 if mode == "fixed" else 13)
    assert work.label_templates <= work.labels * (3 if mode == "fixed" else 5)


def test_a_floor_makes_both_tables_smaller_and_costs_little(parser: Parser, train: Doc, dev: Doc) -> None:
    low = replace(CONFIG, settings=replace(SETTINGS, floor=8), label_settings=replace(CONFIG.label_settings, floor=8))
    floored = finished(Parser.fit(low, TrainingData(train)))
    for few, many in zip(floored.frozen, parser.frozen, strict=True):
        assert 0 < len(few.table) < len(many.table)
    assert score(dev, parsed(floored, dev)) > score(dev, parsed(parser, dev)) - 3


def test_effort_saves_templates_and_costs_little(parser: Parser, dev: Doc) -> None:
    found = []
    for tolerance in (0.0, 0.002, 0.05):
        parser.effort(tolerance)
        found.append((score(dev, parsed(parser, dev)), parser.predict(dev).work.templates))
    parser.effort(0.0)
    (_, most), (early, some), (_, least) = found
    assert least < some < most
    own = parser.stops
    parser.stops = (Stop.never(4), Stop.never(5))
    fixed, read = score(dev, parsed(parser, dev)), parser.predict(dev).work.templates
    parser.stops = own
    assert some < read
    assert fixed < early  # fewer templates where they are enough cost less than fewer templates everywhere


def test_confidence_is_calibrated(train: Doc, dev: Doc) -> None:
    assert_calibrated(finished(Parser.fit(replace(CONFIG, folds=2), TrainingData(train.sentences[:60]))), dev)


def test_same_data_same_parser(parser: Parser, train: Doc, dev: Doc) -> None:
    again = finished(Parser.fit(replace(CONFIG, folds=2), TrainingData(train)))
    arrays, facts = parser.state()
    other, said = again.state()
    assert facts == said
    assert arrays.keys() == other.keys()
    assert all(np.array_equal(arrays[name], other[name]) for name in arrays)


def test_a_parser_survives_its_state(parser: Parser, dev: Doc) -> None:
    again = Parser.from_state(*parser.state())
    assert parsed(again, dev) == parsed(parser, dev)
    assert again.templates == parser.templates
    again.effort(0.05)
    assert again.predict(dev).work.templates < parser.predict(dev).work.templates


@pytest.mark.parametrize(
    "damage",
    [
        {"system": "arc-lazy"},
        {"labels": "joint"},
        {"templates": "parser"},
        {"label_templates": 3},
        {"names": ["a"]},
        {"relations": [[0], [1]]},
        {"relations": [[1, 0], [1], [2]]},
        {"relations": [[0], [], [2]]},
        {"root": 10**9},
        {"spare": -1},
        {"single_root": 2},
        {"pos": "feats"},
        {"moves": {}},
        {"projective": "up"},
    ],
)
def test_a_damaged_state_is_a_model_error(parser: Parser, damage: dict[str, Any]) -> None:
    arrays, facts = parser.state()
    with pytest.raises(ModelError):
        Parser.from_state(arrays, {**facts, **damage})


def test_a_state_without_an_array_is_a_model_error(parser: Parser) -> None:
    arrays, facts = parser.state()
    for name in arrays:
        with pytest.raises(ModelError):
            Parser.from_state({key: array for key, array in arrays.items() if key != name}, facts)


def test_threads_share_a_parser(parser: Parser, dev: Doc) -> None:
    wanted = parser.predict(dev).heads
    found: list[Any] = [None] * 4

    def work(number: int) -> None:
        found[number] = parser.predict(dev.sentences[:]).heads

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(np.array_equal(heads, wanted) for heads in found)


def test_progress_tells_score_templates_and_time(train: Doc, dev: Doc) -> None:
    steps = list(Parser.fit(CONFIG, TrainingData(train, dev=dev)))
    assert all(isinstance(step, ParserProgress) for step in steps)
    last = steps[-1]
    assert last.done == last.of
    assert last.score is not None
    assert last.score > 75
    assert last.templates is not None
    assert 1 < last.templates < 13
    assert last.seconds_left == 0


def test_non_projective_trees_come_back_from_projective_systems(treebanks: Path) -> None:
    doc = read(next((treebanks / "eu_bdt").glob("train.conll*"))).sentences[:800]
    guess = parsed(finished(Parser.fit(CONFIG, TrainingData(doc))), doc)
    assert CONFIG.facts.projective
    assert not is_projective(guess.heads, guess.sentence_starts)
    assert not any("↑" in label for label in set(guess.strings("deprel")))


def test_tagged_documents_are_what_a_parser_reads(train: Doc, dev: Doc) -> None:
    blind = train.sentences[:]
    for column in ("upos", "xpos", "feats"):
        blind.set_codes(column, np.zeros(len(blind), np.int32), ["_"])
    sighted, worse = (finished(Parser.fit(CONFIG, TrainingData(train, predicted=doc))) for doc in (train, blind))
    assert score(dev, parsed(sighted, dev)) > score(dev, parsed(worse, dev)) + 5
    with pytest.raises(ConfigError, match="other words"):
        next(Parser.fit(CONFIG, TrainingData(train, predicted=dev)))


def test_training_data_without_trees_are_refused(train: Doc) -> None:
    with pytest.raises(ConfigError, match="no head"):
        next(Parser.fit(CONFIG, TrainingData(Doc.from_words([["a", "b"]]))))
    with pytest.raises(ConfigError, match="no words"):
        next(Parser.fit(CONFIG, TrainingData(train.sentences[:0])))
    looped = Doc.from_words([["a", "b", "c"]], head=[[0, 3, 2]], deprel=[["x", "y", "z"]])
    for config in (CONFIG, replace(CONFIG, projective="none"), replace(CONFIG, system="list-based")):
        with pytest.raises(ConfigError, match="sentence 1"):
            next(Parser.fit(config, TrainingData(looped)))


@pytest.mark.parametrize(
    "wrong",
    [
        {"system": "arc-lazy"},
        {"labels": "late"},
        {"explore": 2.0},
        {"folds": 1},
        {"projective": "up"},
        {"lexicon_minimum": 0},
        {"settings": Settings(epochs=2)},
        {"pos": "feats"},
        {"exploration": "never"},
        {"focus": "stay"},
        {"waits": "none"},
        {"system": "step-back", "focus": "leap"},
        {"system": "step-back", "waits": "right"},
        {"system": "step-back", "labels": "joint"},
    ],
)
def test_settings_that_cannot_work_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ConfigError):
        replace(CONFIG, **wrong)


def test_tiny_and_odd_documents_work(parser: Parser) -> None:
    for words in (["one"], ["."], [".", "!", "?", "…"], ["a"] * 50):
        guess = Doc.from_words([words])
        parser.apply(guess)
        assert (guess.heads == 0).sum() == 1
        assert evaluate(guess, guess)["LAS"].f1 == 100
    empty = Doc.from_words([])
    assert parser.apply(empty).decisions == 0


@pytest.mark.parametrize("system", VARIANTS)
def test_a_huge_sentence_takes_work_in_proportion(system: str, train: Doc) -> None:
    templates = CONFIG.templates if system in ARC_SYSTEMS else "stepback"
    config = replace(CONFIG, templates=templates, **options(system))
    trained = finished(Parser.fit(config, TrainingData(train.sentences[:100])))
    forms, tags = train.strings("form"), train.strings("upos")

    def sentence(size: int) -> Doc:
        times = -(-size // len(forms))
        return Doc.from_words([(forms * times)[:size]], upos=[(tags * times)[:size]])

    doc = sentence(50_000)
    work = trained.apply(doc)
    assert work.moves <= 1000 + 32 * len(doc)
    assert (doc.heads == 0).sum() == 1
    if system != "step-back/start-over":  # whose moves for each word grow up to that bound
        less = trained.apply(sentence(5_000))
        for one in fields(work):
            assert getattr(work, one.name) <= 11 * getattr(less, one.name), one.name


def test_a_sentence_of_100_000_words_is_parsed(parser: Parser) -> None:
    doc = Doc.from_words([["a", "b"] * 50_000])
    work = parser.apply(doc)
    assert work.moves == 200_000
    assert (doc.heads == 0).sum() == 1


@pytest.mark.parametrize("scorer", ["linear", "hidden"])
def test_nobody_writes_to_a_document_while_a_parser_learns_from_it(scorer: Any, train: Doc) -> None:
    doc = train.sentences[:]
    prepared = Prepared.of(replace(CONFIG, scorer=scorer), doc)
    task, sentences = prepared.task, np.arange(len(doc.sentences), dtype=np.uint32)
    if scorer == "linear":
        linear = trainer_of(task, (len(prepared.plans[0]), len(prepared.plans[1])))
        linear.begin(sentences, 1, 1, False)
    else:
        trees, settings = task.trees, HiddenSettings(exits=(9, 26))
        hidden = HiddenTrainer(task.model, doc.columns, trees.heads, trees.relations, sentences, 0.0, settings)
    refused: list[str] = []

    def learn() -> None:
        for _ in range(500):
            if refused:
                return
            if scorer == "linear":
                linear.epoch(sentences, 0.0, False, 0, 1)
            else:
                hidden.epoch(sentences, 32, 0.0, 1.0, 1.0, 0, 1)

    learning = threading.Thread(target=learn)
    learning.start()
    while learning.is_alive() and not refused:
        try:
            doc.sentences[0][0].xpos = "X"
        except RuntimeError as error:
            refused.append(str(error))
    learning.join()
    assert refused == ["another thread is at this document: give each thread its own"]


def test_focus_and_waits_of_a_step_back_parser_survive_its_file(train: Doc, dev: Doc) -> None:
    config = replace(CONFIG, system="step-back", focus="stay", waits="none", templates="stepback", labels="none")
    parser = finished(Parser.fit(config, TrainingData(train.sentences[:60])))
    arrays, facts = parser.state()
    loaded = Parser.from_state(arrays, facts)
    assert (loaded.config.focus, loaded.config.waits) == ("stay", "none")
    assert np.array_equal(loaded.predict(dev).heads, parser.predict(dev).heads)
    with pytest.raises(ModelError):
        Parser.from_state(arrays, {name: fact for name, fact in facts.items() if name != "waits"})
    assert "focus" not in finished(Parser.fit(CONFIG, TrainingData(train.sentences[:20]))).state()[1]
