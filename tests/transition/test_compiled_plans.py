"""Compiled plans find what the interpreter of plans finds: same trees, confidences and counters, in every system."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import numpy as np
import pytest
from systems import ARC_SYSTEMS

from laconic._core.learn import instruction_set, instruction_sets, use_instruction_set
from laconic.corpus import Doc
from laconic.learn import HiddenSettings, Settings, TrainingData
from laconic.progress import finished
from laconic.transition import Beam, LookAhead, Parser, ParserConfig
from laconic.transition.arcs import Arcs
from laconic.transition.searching import Search

SETTINGS = Settings(epochs=1, exits=(4, 10), rate=0.05)
HIDDEN = HiddenSettings(epochs=1, exits=(9, 26), units=32, rate=0.003)
CONFIG = ParserConfig(hidden=HIDDEN, folds=2, settings=SETTINGS, label_settings=SETTINGS)


@pytest.fixture(scope="module")
def parser(train: Doc) -> Parser:
    return finished(Parser.fit(CONFIG, TrainingData(train)))


@contextmanager
def interpreted(parser: Parser) -> Iterator[None]:
    assert parser.handle.compiled
    parser.handle.compiled = False
    yield
    parser.handle.compiled = True


def assert_equal(compiled: Arcs, reference: Arcs, *, rows: bool = True) -> None:
    for name in ("heads", "relations", "head_confidence", "label_confidence"):
        assert np.array_equal(getattr(compiled, name), getattr(reference, name)), name
    # Linear rows are looked for in memory, found or not; a compiled plan knows before that there is none.
    one, other = compiled.work, reference.work
    assert one == other if rows else replace(one, rows=0) == replace(other, rows=0)


def assert_both_agree(parser: Parser, doc: Doc, *, rows: bool = True) -> None:
    for tolerance in (0.0, 0.01, 0.1):
        parser.effort(tolerance)
        first, again = (parser.predict(doc, confidence=True) for _ in range(2))
        with interpreted(parser):
            reference = parser.predict(doc, confidence=True)
        assert_equal(first, reference, rows=rows)
        assert_equal(again, reference, rows=rows)
    searches: tuple[Search, ...] = (Beam(3), LookAhead(2))
    for search in searches:
        parser.effort(0.0, search)
        found = parser.predict(doc)
        with interpreted(parser):
            assert_equal(found, parser.predict(doc), rows=rows)
    parser.effort(0.0)


@pytest.mark.parametrize("system", ARC_SYSTEMS)
def test_hidden_rows_of_every_system(system: str, train: Doc, dev: Doc) -> None:
    parser = finished(Parser.fit(replace(CONFIG, system=system), TrainingData(train.sentences[:150])))
    assert_both_agree(parser, dev)


@pytest.mark.parametrize("labels", ["after", "joint", "none"])
def test_linear_rows(labels: str, train: Doc, dev: Doc) -> None:
    """Their templates read sets, join words with tags, and have up to four atoms."""
    config = replace(CONFIG, scorer="linear", labels=labels)
    assert_both_agree(finished(Parser.fit(config, TrainingData(train.sentences[:150]))), dev, rows=False)


def test_pairs_of_words(train: Doc, dev: Doc) -> None:
    config = replace(CONFIG, scorer="linear", system="step-back", templates="stepback", labels="none")
    assert_both_agree(finished(Parser.fit(config, TrainingData(train.sentences[:150]))), dev, rows=False)


def with_tags(doc: Doc, values: int) -> Doc:
    """The same words with so many different tags of both kinds."""
    changed = doc.sentences[:]
    numbers = np.arange(len(changed), dtype=np.int32) % values
    for column in ("upos", "xpos"):
        changed.set_codes(column, numbers, [f"T{number}" for number in range(values)])
    return changed


@pytest.mark.parametrize("values", [1, 70, 700, 100_000])
def test_any_number_of_tags(parser: Parser, dev: Doc, values: int) -> None:
    """Few find more room than was made at first, many are too many for an index of pairs or for numbers at all."""
    long = Doc.from_conllu(dev.to_conllu() * 8) if values > 4096 else dev
    doc = with_tags(long, min(values, len(long)))
    found = parser.predict(doc)
    with interpreted(parser):
        assert_equal(found, parser.predict(doc))
    assert_both_agree(parser, dev)  # numbers that were given do not change


def test_unknown_words_and_empty_documents(parser: Parser) -> None:
    words = Doc.from_words([["Zyx", "qwert", "the", "Zyx", "😀"], ["one"], ["!", "!", "!"]])
    assert_both_agree(parser, words)
    assert len(parser.predict(Doc.from_words([])).heads) == 0


def test_sums_that_saturate_are_added_in_the_order_of_the_plan(parser: Parser, dev: Doc) -> None:
    arrays, facts = parser.state()
    start = arrays["moves.start"].copy()
    start[::2], start[1::2] = 32_600, -32_600
    full = Parser.from_state(arrays | {"moves.start": start}, facts)
    assert_both_agree(full, dev)


def test_threads_fill_one_index(train: Doc, dev: Doc) -> None:
    parser = finished(Parser.fit(replace(CONFIG, folds=0), TrainingData(train.sentences[:80])))
    with interpreted(parser):
        expected = [parser.predict(with_tags(dev, 5 * (1 + number))) for number in range(8)]
    found: list[Arcs | None] = [None] * 8

    def work(number: int) -> None:
        found[number] = parser.predict(with_tags(dev, 5 * (1 + number)))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for one, reference in zip(found, expected, strict=True):
        assert one is not None
        assert_equal(one, reference)


def test_explanations_are_of_the_decisions_that_were_taken(parser: Parser, dev: Doc) -> None:
    parser.effort(0.01)
    sentence = dev.sentences[:5]
    compiled = parser.explain(sentence)
    with interpreted(parser):
        assert parser.explain(sentence) == compiled
    parser.effort(0.0)


@pytest.mark.parametrize("tolerance", [0.0, 0.002, 0.02])
def test_every_instruction_set_gives_the_same_trees(parser: Parser, dev: Doc, tolerance: float) -> None:
    before = instruction_set()
    parser.effort(tolerance)
    try:
        found = [parser.predict(dev, confidence=True) for name in instruction_sets() if use_instruction_set(name)]
    finally:
        use_instruction_set(before)
        parser.effort(0.0)
    for one in found:
        assert_equal(one, found[0])
