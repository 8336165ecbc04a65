"""What templates of hidden rows are worth, and the backward phase from a set of them."""

from __future__ import annotations

import pickle
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from discovered import KIND, documents

from laconic._core.features import Plan
from laconic._core.learn import DecisionAtoms, HiddenTable, LabelSets
from laconic._core.search import ablate
from laconic._core.transition import collect_joint
from laconic.errors import ConfigError
from laconic.features import TemplateSet, load_neighbours, parse_set
from laconic.progress import finished
from laconic.search import DiscoverySettings, Journal, TrialRunner, discover
from laconic.search.components import Documents, discoverable
from laconic.search.discover_templates import reduce_templates
from laconic.search.hidden_source import HiddenParserTrainable, HiddenSource, exits_within
from laconic.search.reduction import Ablation, drop_templates
from laconic.transition import ParserConfig

WHOLE = parse_set(
    "UPOS(STACK0)\nUPOS(QUEUE0)\nLEX(STACK0)\nLOWER(STACK0)\nSHAPE(STACK0)\nUPOS(STACK0) & UPOS(QUEUE0)\n"
    "LEX(QUEUE3)\nLOWER(QUEUE3)\nDEP(STACK5)\n",
    KIND,
)
CONFIG = ParserConfig(hidden_templates=str(WHOLE), folds=0)
CONFIG = replace(CONFIG, hidden=replace(CONFIG.hidden, epochs=8, rate=0.01, units=32, exits=(2, 6)))


def source() -> HiddenSource:
    train, develop, other = documents()
    return HiddenSource(HiddenParserTrainable(CONFIG, train, develop), KIND, "las", others={"report": other})


def test_templates_of_one_form_are_one_block() -> None:
    assert source().blocks(WHOLE) == [range(0, 1), range(1, 2), range(2, 5), range(5, 6), range(6, 8), range(8, 9)]


def collected(one: HiddenSource, templates: TemplateSet) -> tuple[HiddenTable, Plan, DecisionAtoms]:
    parser = one.fitted(templates)
    (table, _), task, plan = parser.tables, parser.task(one.trainable.develop), parser.plans[0]
    assert isinstance(table, HiddenTable)
    decisions = DecisionAtoms(len(plan.slots), LabelSets(table.labels))
    sentences = np.arange(len(task.doc.sentences), dtype=np.uint32)
    columns, trees = task.doc.columns, task.trees
    collect_joint(task.model, columns, trees.heads, trees.relations, sentences, decisions, 0.0, 1)
    return table, plan, decisions


def test_decisions_are_moves_and_labels_of_gold_arcs() -> None:
    """Without random moves every word gets one arc, and moves with one possibility are no decisions."""
    one = source()
    _, _, decisions = collected(one, WHOLE)
    words, sentences = len(one.trainable.develop), len(one.trainable.develop.sentences)
    assert words < len(decisions) <= 3 * words + sentences


def test_what_is_the_same_in_all_decisions_is_not_missed() -> None:
    plain = parse_set("UPOS(STACK0)\nUPOS(QUEUE0)\nUPOS(STACK1)\n", KIND)
    table, plan, decisions = collected(source(), plain)
    chosen = np.arange(len(decisions), dtype=np.uint32)
    columns = [decisions.column(slot) for slot in range(3)]
    rises = ablate(table, decisions, plan, columns, chosen)
    assert rises[0] > 0
    assert rises[1] > 0
    for same in (0, int(columns[1][0])):
        changed = ablate(
            table, decisions, plan, [columns[0], np.full(len(chosen), same, np.uint32), columns[2]], chosen
        )
        assert changed[1] == pytest.approx(0.0, abs=1e-3)
    shuffled = np.random.default_rng(1).permutation(columns[1])
    noise = ablate(table, decisions, plan, [columns[0], shuffled, columns[2]], chosen)
    assert noise[1] < 0  # what says nothing about a decision only disturbs it
    with pytest.raises(ValueError, match="one column for each slot"):
        ablate(table, decisions, plan, columns[:2], chosen)


def test_merged_templates_share_their_worth_and_useless_ones_have_little() -> None:
    worth = source().ablated(WHOLE)
    assert len(worth) == len(WHOLE)
    assert worth[2] == worth[3] == worth[4]
    assert worth[6] == worth[7]
    assert abs(worth[8]) < 0.01
    assert max(worth) == max(worth[0], worth[1], worth[2], worth[5])


def test_the_backward_phase_drops_whole_blocks() -> None:
    with TrialRunner.open(source(), Journal()) as runner:
        steps = finished(drop_templates(runner, WHOLE, 5, share=0.2))
    sizes = [len(one.templates) for one in steps]
    assert sizes[0] == 9
    assert 5 <= sizes[-1] <= 7
    assert sizes == sorted(set(sizes), reverse=True)
    left = [str(one) for one in steps[-1].templates]
    assert "DEP(STACK5)" not in left
    assert ("LEX(STACK0)" in left) == ("SHAPE(STACK0)" in left)
    assert left == [str(one) for one in WHOLE if str(one) in left]
    assert steps[-1].score("las") > steps[0].score("las") - 0.05


def test_a_round_trains_once(monkeypatch: pytest.MonkeyPatch) -> None:
    trained = []
    fit = HiddenParserTrainable.fit
    monkeypatch.setattr(HiddenParserTrainable, "fit", lambda *given: trained.append(1) or fit(*given))
    with TrialRunner.open(source(), Journal()) as runner:
        steps = finished(drop_templates(runner, WHOLE, 6, share=0.2))
    assert len(trained) == len(steps)


def test_a_reduced_set_says_how_it_was_made_and_goes_on_from_its_journal(tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    found = finished(reduce_templates(source(), WHOLE, 6, share=0.2, journal=journal, command="laconic discover"))
    text = found.text()
    assert parse_set(text, KIND) == found.templates
    assert "made by: laconic discover" in text
    assert f"{len(WHOLE)} templates, las: develop" in text
    assert found.points[0][0] == len(WHOLE)
    size = journal.stat().st_size
    again = finished(reduce_templates(source(), WHOLE, 6, share=0.2, journal=journal, command="laconic discover"))
    assert again.text() == text
    assert journal.stat().st_size == size


def test_features_are_found_by_trials_with_single_features() -> None:
    train, develop, _ = documents()
    made = discoverable("parser").source(CONFIG, load_neighbours("nilsson2010"), "las", Documents(train, develop, {}))
    assert isinstance(made, HiddenSource)
    settings = DiscoverySettings(beam=1, generations=2, threshold=-1.0, heats=1.5, audit=0)
    found = finished(discover(made, load_neighbours("nilsson2010"), settings, processes=1))
    assert [len(one.terms) for one in found.templates(2)] == [1, 1]
    assert found.result(2).score >= found.result(1).score


def test_a_source_survives_pickling() -> None:
    one = source()
    other = pickle.loads(pickle.dumps(one))
    assert other.digest == one.digest
    with TrialRunner.open(other, Journal()) as runner:
        assert finished(runner.results([Ablation(WHOLE)]))[0] == one.ablated(WHOLE)


def test_exits_stand_behind_the_same_templates() -> None:
    part = TemplateSet(KIND, (WHOLE[0], WHOLE[2], WHOLE[5], WHOLE[8]))
    assert exits_within(WHOLE, part, (2, 6)) == (1, 3)
    assert exits_within(WHOLE, part[1:], (2, 6)) == (2,)
    assert exits_within(WHOLE, WHOLE, (2, 6)) == (2, 6)


def test_what_cannot_be_searched_is_said() -> None:
    train, develop, _ = documents()
    with pytest.raises(ConfigError, match="hidden rows"):
        HiddenParserTrainable(replace(CONFIG, scorer="linear"), train, develop)
    with pytest.raises(ConfigError, match="score"):
        HiddenParserTrainable(CONFIG, train, develop, "accuracy")  # type: ignore[arg-type]
