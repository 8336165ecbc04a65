"""The parser with hidden rows: moves and labels from one sum."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from parsed import assert_calibrated, parsed, score
from systems import ARC_SYSTEMS

from laconic._core.learn import HiddenTable
from laconic.corpus import Doc
from laconic.errors import ConfigError, ModelError
from laconic.evaluate import evaluate
from laconic.learn import HiddenSettings, Stop, TrainingData
from laconic.progress import finished
from laconic.transition import Parser, ParserConfig

CONFIG = ParserConfig(hidden=HiddenSettings(epochs=3, exits=(9, 26), units=32, rate=0.003), folds=0)


@pytest.fixture(scope="module")
def parser(train: Doc) -> Parser:
    return finished(Parser.fit(replace(CONFIG, folds=2), TrainingData(train)))


@pytest.mark.parametrize("system", ARC_SYSTEMS)
def test_every_system_learns_with_hidden_rows(system: str, train: Doc, dev: Doc) -> None:
    parser = finished(Parser.fit(replace(CONFIG, system=system), TrainingData(train)))
    assert score(dev, parsed(parser, dev)) > 75


def test_word_vectors_may_start_from_the_words_around_them(train: Doc) -> None:
    """Both ways learn; which words stand together makes a difference."""
    rows = []
    for window in (0, 2, 2):
        config = replace(CONFIG, hidden=replace(CONFIG.hidden, epochs=1, window=window))
        table = finished(Parser.fit(config, TrainingData(train))).frozen[0].table
        assert isinstance(table, HiddenTable)
        rows.append(table.rows().tobytes())
    assert rows[1] == rows[2] != rows[0]


def test_early_stops_read_fewer_rows_and_lose_little(parser: Parser, dev: Doc) -> None:
    parser.effort(0.0)
    full = parser.predict(dev)
    exact = score(dev, parsed(parser, dev))
    parser.effort(0.05)
    early = parser.predict(dev)
    kept = score(dev, parsed(parser, dev))
    parser.stops = (Stop.never(26), Stop.never(26))
    fixed, read = score(dev, parsed(parser, dev)), parser.predict(dev).work.templates
    parser.effort(0.0)
    assert early.work.templates < read < full.work.templates
    assert early.work.rows < full.work.rows
    assert fixed < kept < exact  # fewer templates where they are enough cost less than fewer templates everywhere


def test_a_label_costs_only_the_templates_that_the_move_did_not_read(parser: Parser, dev: Doc) -> None:
    parser.effort(0.0)
    work = parser.predict(dev).work
    assert work.labels > 0
    assert work.label_templates <= work.labels * len(parser.plans[0]) - work.labels


def test_equal_trainings_give_equal_bytes(train: Doc) -> None:
    one, two = (finished(Parser.fit(CONFIG, TrainingData(train))).state() for _ in range(2))
    assert one[1] == two[1]
    assert one[0].keys() == two[0].keys()
    assert all(np.array_equal(one[0][name], two[0][name]) for name in one[0])


def test_state_round_trip_keeps_every_answer(parser: Parser, dev: Doc) -> None:
    again = Parser.from_state(*parser.state())
    for tolerance in (0.0, 0.01):
        parser.effort(tolerance)
        again.effort(tolerance)
        first, second = parser.predict(dev, confidence=True), again.predict(dev, confidence=True)
        assert np.array_equal(first.heads, second.heads)
        assert np.array_equal(first.relations, second.relations)
        assert np.array_equal(first.head_confidence, second.head_confidence)
        assert first.work == second.work
    parser.effort(0.0)
    assert isinstance(again.frozen[0].table, HiddenTable)
    assert again.frozen[0].table is again.frozen[1].table


def test_confidences_are_probabilities_and_calibrated(train: Doc, dev: Doc) -> None:
    assert_calibrated(finished(Parser.fit(replace(CONFIG, folds=2), TrainingData(train.sentences[:80]))), dev)


def test_a_damaged_state_is_refused(parser: Parser) -> None:
    arrays, facts = parser.state()
    for name in [name for name in arrays if name.startswith("moves.")]:
        with pytest.raises(ModelError):
            Parser.from_state(arrays | {name: arrays[name][:-1]}, facts)
    with pytest.raises(ModelError):
        Parser.from_state(arrays, facts | {"names": facts["names"][:-1]})
    with pytest.raises(ModelError):
        Parser.from_state(arrays, facts | {"scorer": "linear"})
    with pytest.raises(ModelError):
        Parser.from_state(arrays, facts | {"templates": facts["templates"].split("\n", 1)[1]})


def test_labels_with_the_move_are_for_linear_rows() -> None:
    with pytest.raises(ConfigError, match="cannot be joint"):
        ParserConfig(labels="joint")
    with pytest.raises(ConfigError, match="forms"):
        ParserConfig(forms=0)


def test_labels_can_be_left_to_others(train: Doc, dev: Doc) -> None:
    parser = finished(Parser.fit(replace(CONFIG, labels="none"), TrainingData(train)))
    guess = parsed(parser, dev)
    assert evaluate(dev, guess, single_root=False)["UAS"].f1 > 80
    assert set(guess.strings("deprel")) == {"x"}


def test_words_that_training_never_saw_are_parsed(parser: Parser) -> None:
    doc = Doc.from_words([["Zyx", "qwert", "the", "😀"], ["one"], ["!", "!", "!"]])
    parser.apply(doc)
    assert (doc.heads >= 0).all()
