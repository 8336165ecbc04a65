"""Explanations of a parser are its decisions: the same arcs, the same depths, scores that add up."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from synthetic import conllu

from laconic.corpus import Doc
from laconic.learn import HiddenSettings, Settings, TrainingData
from laconic.learn.explain import Explanation
from laconic.progress import finished
from laconic.transition import Parser, ParserConfig
from laconic.transition.training import exits_of

SETTINGS = Settings(epochs=2, exits=(6, 20))
HIDDEN = ParserConfig(hidden=HiddenSettings(epochs=2, exits=(9, 26), units=32, rate=0.003), slack=0)
LINEAR = replace(HIDDEN, scorer="linear", settings=SETTINGS, label_settings=replace(SETTINGS, exits=(3, 10)))
WAYS = {
    "hidden": HIDDEN,
    "linear": LINEAR,
    "eager": replace(HIDDEN, system="arc-eager"),
    "list": replace(LINEAR, system="list-based"),
    "joint": replace(LINEAR, labels="joint"),
    "heads": replace(LINEAR, labels="none"),
    "hidden heads": replace(HIDDEN, labels="none"),
}


@pytest.fixture(scope="module")
def dev() -> Doc:
    return Doc.from_conllu(conllu(40, 2))


@pytest.fixture(scope="module", params=WAYS)
def trained(request: pytest.FixtureRequest) -> Parser:
    return finished(Parser.fit(WAYS[request.param], TrainingData(Doc.from_conllu(conllu(120, 1)))))


@pytest.fixture(params=[0.0, 0.05])
def parser(request: pytest.FixtureRequest, trained: Parser) -> Parser:
    trained.effort(request.param)
    return trained


def of(explained: list[Explanation], *questions: str) -> list[Explanation]:
    return [one for one in explained if one.question in questions]


def test_every_arc_that_a_move_made_is_told_of(parser: Parser, dev: Doc) -> None:
    found, explained = parser.predict(dev), parser.explain(dev)
    forms, names = dev.strings("form"), parser.inventory.names
    begins = np.repeat(dev.sentence_starts[:-1], np.diff(dev.sentence_starts)).astype(int)
    moves = of(explained, "head", "head+deprel")
    assert len({one.word for one in moves}) == len(moves)
    # Systems that have no move for roots leave them to the end.
    for word in set(range(len(dev))) - {one.word for one in moves}:
        assert parser.config.system in ("arc-eager", "list-based")
        assert names[found.relations[word]] in ("root", names[parser.inventory.spare])
    for one in moves:
        head, form = int(found.heads[one.word]), forms[one.word]
        assert one.form == form
        place = begins[one.word] + head - 1
        assert one.effect == (f"{form} becomes a root" if head == 0 else f"{forms[place]} becomes the head of {form}")
        assert one.label.split()[0].startswith("left" if head > 0 and place > one.word else "right")
        assert {name.split()[0] for name in one.candidates} <= set(parser.config.facts.moves)
        if one.question == "head+deprel":
            assert one.label.split()[1] == names[found.relations[one.word]]
    labels = of(explained, "deprel")
    assert [one.label for one in labels] == [names[found.relations[one.word]] for one in labels]
    assert [one.word for one in labels] == ([one.word for one in moves] if parser.config.labels == "after" else [])


def test_explained_templates_are_those_that_parsing_computed(parser: Parser, dev: Doc) -> None:
    work, explained = parser.predict(dev).work, parser.explain(dev)
    moves, labels = of(explained, "head", "head+deprel"), of(explained, "deprel")
    assert 0 < sum(len(one.steps) for one in moves) < work.move_templates
    before = [len(one.steps) if parser.config.scorer == "hidden" else 0 for one in moves]
    own = [len(one.steps) - done for one, done in zip(labels, before, strict=bool(labels)) if one.steps]
    assert min(own, default=0) >= 0
    assert sum(own) == work.label_templates


def test_contributions_add_up_to_the_scores_of_the_decision(parser: Parser, dev: Doc) -> None:
    sentences = np.arange(len(dev.sentences), dtype=np.uint32)
    exits = exits_of(parser.stops, parser.tables)
    explained = parser.explain(dev)
    finals = parser.handle.final_scores(dev.columns, *exits, sentences)[:2]
    for ends, some in zip(finals, (of(explained, "head", "head+deprel"), of(explained, "deprel")), strict=True):
        depths, begins, gaps, words = ends
        assert words.tolist() == [one.word for one in some]
        for one, depth, begin, end in zip(some, depths, begins[:-1], begins[1:], strict=True):
            assert one.label == one.candidates[0]
            if one.runner_up is None:
                assert not one.steps
                continue
            assert len(one.steps) == depth == one.checks[-1].depth
            sums = np.array(one.start) + np.sum([step.contributions for step in one.steps], axis=0)
            assert sums == pytest.approx(one.scores)
            assert np.subtract(one.scores, one.scores[0]) == pytest.approx(np.sort(gaps[begin:end])[::-1], abs=1e-4)
            assert one.margin == pytest.approx(one.checks[-1].margin)
            assert all(check.needed is not None and check.margin < check.needed for check in one.checks[:-1])


def test_some_sentences_are_explained_as_they_are_among_all(parser: Parser, dev: Doc) -> None:
    words = range(*dev.sentence_starts[3:5].tolist())
    assert parser.explain(dev, [3]) == [one for one in parser.explain(dev) if one.word in words]
    with pytest.raises(ValueError, match="no such sentence"):
        parser.explain(dev, [len(dev.sentences)])
