"""Look-ahead: greedy at depth 1, trees at every depth, less work than searching anew."""

from __future__ import annotations

import itertools
from dataclasses import replace

import networkx as nx
import numpy as np
import pytest
from synthetic import conllu
from systems import ARC_SYSTEMS, options

from laconic.corpus import Doc
from laconic.errors import ConfigError
from laconic.learn import HiddenSettings, Settings, TrainingData
from laconic.progress import finished
from laconic.transition import LookAhead, Parser, ParserConfig

SETTINGS = Settings(epochs=2, exits=(4, 10), rate=0.05)
CONFIG = ParserConfig(scorer="linear", settings=SETTINGS, label_settings=SETTINGS, folds=0)


@pytest.fixture(scope="module")
def train() -> Doc:
    return Doc.from_conllu(conllu(150, seed=1))


@pytest.fixture(scope="module")
def dev() -> Doc:
    return Doc.from_conllu(conllu(120, seed=2))


@pytest.fixture(scope="module")
def parsers(train: Doc) -> dict[str, Parser]:
    made = {}
    for system in (*ARC_SYSTEMS, "step-back", "step-back/stay/both"):
        pairs = system not in ARC_SYSTEMS
        config = replace(
            CONFIG,
            templates="stepback" if pairs else "parser",
            labels="none" if pairs else "after",
            **options(system),
        )
        made[system] = finished(Parser.fit(config, TrainingData(train)))
    return made


def test_a_depth_of_one_is_greedy(parsers: dict[str, Parser], dev: Doc) -> None:
    for parser in parsers.values():
        greedy, ahead = parser.predict(dev), parser.searching(LookAhead(1)).predict(dev)
        assert np.array_equal(greedy.heads, ahead.heads)
        assert np.array_equal(greedy.relations, ahead.relations)
        assert greedy.work.moves == ahead.work.moves


def test_every_system_builds_trees_at_every_depth(parsers: dict[str, Parser], dev: Doc) -> None:
    for parser, depth in itertools.product(parsers.values(), (2, 3, 5)):
        heads = parser.searching(LookAhead(depth)).predict(dev).heads
        for begin, end in itertools.pairwise(dev.sentence_starts.tolist()):
            arcs = [(int(head), word) for word, head in enumerate(heads[begin:end], 1)]
            assert nx.is_arborescence(nx.DiGraph(arcs))


def test_looking_ahead_changes_decisions(parsers: dict[str, Parser], dev: Doc) -> None:
    changed = [
        not np.array_equal(parser.predict(dev).heads, parser.searching(LookAhead(4)).predict(dev).heads)
        for parser in parsers.values()
    ]
    assert sum(changed) >= len(changed) / 2


def test_search_is_kept_between_moves(parsers: dict[str, Parser], dev: Doc) -> None:
    """Anew at every move a search of depth d asks about up to 2^d - 1 states; what is kept leaves at most 2^(d - 1)."""
    for parser in parsers.values():
        greedy = parser.predict(dev).work.moves
        for depth in (2, 3, 4):
            # The way taken may be a little longer than the greedy one.
            assert parser.searching(LookAhead(depth)).predict(dev).work.moves < 1.2 * 2 ** (depth - 1) * greedy


def test_long_sentences_are_parsed_greedily(parsers: dict[str, Parser], dev: Doc) -> None:
    for parser in parsers.values():
        assert np.array_equal(parser.searching(LookAhead(4, longest=0)).predict(dev).heads, parser.predict(dev).heads)


def test_documents_do_not_depend_on_what_was_parsed_before(parsers: dict[str, Parser], dev: Doc) -> None:
    ahead = parsers["step-back"].searching(LookAhead(3))
    whole = ahead.predict(dev).heads
    pieces = [ahead.predict(dev.sentences[i : i + 1]).heads for i in range(len(dev.sentences))]
    assert np.array_equal(whole, np.concatenate(pieces))


def test_hidden_rows_look_ahead_too(train: Doc, dev: Doc) -> None:
    config = replace(CONFIG, scorer="hidden", hidden=HiddenSettings(epochs=1, exits=(9, 26)), slack=0)
    parser = finished(Parser.fit(config, TrainingData(train.sentences[:60])))
    few = dev.sentences[:30]
    greedy, ahead = parser.predict(few), parser.searching(LookAhead(1)).predict(few)
    assert np.array_equal(greedy.heads, ahead.heads)
    assert np.array_equal(greedy.relations, ahead.relations)
    assert len(parser.searching(LookAhead(3)).predict(few).heads) == len(few)


def test_a_depth_of_nothing_is_refused(parsers: dict[str, Parser]) -> None:
    for wrong in (0, 17, -1):
        with pytest.raises(ConfigError, match="depth"):
            parsers["step-back"].searching(LookAhead(wrong))
