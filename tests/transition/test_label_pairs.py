"""Labels among those that training showed on arcs between such tags."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace

import numpy as np
import pytest

from laconic._core import transition as core
from laconic.corpus import Doc
from laconic.errors import ModelError
from laconic.learn import HiddenSettings, Settings, TrainingData
from laconic.progress import finished
from laconic.transition import Beam, LookAhead, Parser, ParserConfig
from laconic.transition.inventory import LabelPairs, Trees, learnable

SETTINGS = Settings(epochs=1, exits=(4, 10), rate=0.05)
CONFIG = ParserConfig(
    hidden=HiddenSettings(epochs=3, exits=(9, 26), units=32, rate=0.003),
    folds=2,
    settings=SETTINGS,
    label_settings=SETTINGS,
)


@pytest.fixture(scope="module", params=["hidden", "linear"])
def parser(request: pytest.FixtureRequest, train: Doc) -> Parser:
    return finished(Parser.fit(replace(CONFIG, scorer=request.param), TrainingData(train)))


def by_hand(doc: Doc, trees: Trees) -> dict[tuple[str, str, bool], set[int]]:
    """By the tag of the head (none: a root), that of the word, and whether the word stands to the right."""
    found: dict[tuple[str, str, bool], set[int]] = defaultdict(set)
    tags = doc.strings("upos")
    for begin, end in zip(doc.sentence_starts.tolist()[:-1], doc.sentence_starts.tolist()[1:], strict=True):
        for word in range(begin, end):
            head = int(trees.heads[word])
            above = "" if head == 0 else tags[begin + head - 1]
            found[above, tags[word], word - begin + 1 > head].add(int(trees.relations[word]))
    return found


def test_pairs_are_counted_as_by_hand(train: Doc) -> None:
    trees, _ = learnable(train, CONFIG)
    pairs = LabelPairs.counted(train, "upos", trees)
    expected = by_hand(train, trees)
    assert len(pairs.keys) == len(expected)
    assert sorted(pairs.sets[number] for number in pairs.numbers) == sorted(tuple(sorted(s)) for s in expected.values())
    assert len(set(pairs.sets)) == len(pairs.sets)
    sets = dict(zip(pairs.keys, (pairs.sets[number] for number in pairs.numbers), strict=True))
    choices = [len(sets[key]) for key in core.arc_keys(train.columns, "upos", trees.heads).tolist()]
    assert pairs.mean_choice(train, "upos", trees) == pytest.approx(np.mean(choices))


@pytest.mark.parametrize("search", [None, Beam(3), LookAhead(2)])
def test_arcs_get_labels_of_their_pairs(parser: Parser, dev: Doc, search: Beam | LookAhead | None) -> None:
    """Which happens by itself often, but not always: without the pairs some labels are others."""
    parser.effort(0.0, search)
    found = parser.predict(dev)
    sets = dict(zip(parser.pairs.keys, (parser.pairs.sets[n] for n in parser.pairs.numbers), strict=True))
    keys = core.arc_keys(dev.columns, "upos", found.heads).tolist()
    known = [key in sets for key in keys]
    assert np.mean(known) > 0.8
    for key, label in zip(keys, found.relations.tolist(), strict=True):
        assert key not in sets or label in sets[key]
    parser.effort(0.0)


def test_a_model_without_pairs_has_all_labels_of_the_kind(parser: Parser, dev: Doc) -> None:
    arrays, facts = parser.state()
    old = Parser.from_state({name: a for name, a in arrays.items() if not name.startswith("pairs.")}, facts)
    assert old.pairs == LabelPairs()
    assert old.explain(dev.sentences[:1])[1].candidates != parser.explain(dev.sentences[:1])[1].candidates
    assert len(old.predict(dev).heads) == len(dev)


def test_pairs_come_back_from_the_state(parser: Parser, dev: Doc) -> None:
    again = Parser.from_state(*parser.state())
    assert again.pairs == parser.pairs
    one, other = parser.predict(dev, confidence=True), again.predict(dev, confidence=True)
    assert np.array_equal(one.relations, other.relations)
    assert np.array_equal(one.label_confidence, other.label_confidence)


def test_damaged_pairs_are_refused(parser: Parser) -> None:
    arrays, facts = parser.state()
    for name, change in (
        ("pairs.numbers", lambda a: a + len(arrays["pairs.ends"])),
        ("pairs.numbers", lambda a: a[:-1]),
        ("pairs.keys", lambda a: np.repeat(a[:1], len(a))),
        ("pairs.ends", lambda a: a[:-1]),
        ("pairs.ends", lambda a: a[::-1]),
        ("pairs.labels", lambda a: a + np.uint16(len(facts["names"]))),
        ("pairs.labels", lambda a: a[::-1]),
    ):
        with pytest.raises(ModelError):
            Parser.from_state(arrays | {name: change(arrays[name])}, facts)
    with pytest.raises(ModelError):
        Parser.from_state({name: a for name, a in arrays.items() if name != "pairs.labels"}, facts)


def test_heads_outside_of_the_sentence_have_no_key(dev: Doc) -> None:
    with pytest.raises(ValueError, match="outside"):
        core.arc_keys(dev.columns, "upos", np.full(len(dev), 10_000, np.int32))
    with pytest.raises(ValueError, match="one head"):
        core.arc_keys(dev.columns, "upos", np.zeros(3, np.int32))
