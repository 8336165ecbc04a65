"""Discovery: beam search over feature sets."""

from __future__ import annotations

import json
import os
import pickle
import signal
import subprocess
import sys
import time
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from discovered import CONFIG, KIND, PAPER, SMALL, documents, found, source

from laconic._core.learn import HashedTable
from laconic._core.search import judge, score_hashed, train_hashed
from laconic.corpus import Doc
from laconic.errors import ConfigError, InputError
from laconic.features import (
    KINDS,
    TemplateSet,
    compile_plan,
    expand_pairs,
    load_neighbours,
    parse_neighbours,
    parse_set,
)
from laconic.features.language import print_term
from laconic.learn import TrainingData
from laconic.progress import finished
from laconic.search import Discovery, DiscoveryProgress, DiscoverySettings, HashedSettings, ParserSource, discover
from laconic.search.column_source import NO_OFFSETS
from laconic.search.costs import Budget, CostModel
from laconic.search.discovery import rank_correlation
from laconic.search.racing import Final, Heat, Screen
from laconic.search.tagger_source import TaggerSource
from laconic.tag import Tagger, TaggerConfig
from laconic.transition import ParserConfig


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> tuple[Discovery, Path]:
    journal = tmp_path_factory.mktemp("discovery") / "journal"
    return found(journal=journal, labels=True, command="a test"), journal


def test_sets_grow_by_one_neighbour_a_generation_and_get_better(first: tuple[Discovery, Path]) -> None:
    discovery = first[0]
    assert [len(one.features) for one in discovery.generations] == [1, 2, 3, 4]
    for one in discovery.generations:
        assert one.features[:-1] == one.parent
        assert one.features[-1] in PAPER.of_set(one.parent)
        assert list(one.beam) == sorted(one.beam, key=lambda member: (-member.score, member.text))
        assert len({frozenset(member.features) for member in one.beam}) == len(one.beam)
    scores = [discovery.result(number).score for number in range(1, 5)]
    assert scores[0] < scores[1] < scores[2]
    assert discovery.best == 1 + int(np.argmax(scores))
    assert 1 <= discovery.chosen <= discovery.best


def test_every_generation_is_scored_on_every_document_and_on_labels_if_asked_for(
    first: tuple[Discovery, Path],
) -> None:
    for one in first[0].generations:
        assert set(one.results) == {"develop", "other"}
        for measures in one.results.values():
            assert set(measures) == {"uas", "las"}
            assert measures["las"].score <= measures["uas"].score


def test_the_file_says_how_it_was_made_and_trains_a_parser(first: tuple[Discovery, Path], tmp_path: Path) -> None:
    discovery, path = first[0], tmp_path / "mine.templates"
    discovery.write(path, "Mine.")
    text = path.read_text()
    for said in ("# Mine.", "# made by: a test", "# rules: sha256", "# feature 1: + ", "develop uas"):
        assert said in text
    assert parse_set(text, KIND) == discovery.templates()
    assert replace(CONFIG, templates=str(path)).template_set() == discovery.templates()
    assert len(discovery.templates(4)) == 4 + 6


def test_the_file_tells_the_ancestry_of_the_set_that_it_holds(first: tuple[Discovery, Path]) -> None:
    discovery = first[0]
    # A set that grew from the second of a generation: the best sets are not its ancestors.
    last = next(one for one in discovery.generations[-1].beam if one is not discovery.generations[-1].beam[0])
    beams = [one.beam for one in discovery.generations]
    second = replace(last, parent=beams[2][1].features, features=(*beams[2][1].features, last.features[-1]))
    line = discovery.ancestors(second)
    assert line[-1] is second
    assert line[-2] is beams[2][1]
    assert [len(one.features) for one in line] == [1, 2, 3, 4]
    for before, one in pairwise(line):
        assert one.parent == before.features
    said = [one.partition(": + ")[2].partition(":")[0] for one in discovery.text(made_of=second).splitlines()]
    assert [one for one in said if one] == list(second.names)
    best = " ".join(f"{100 * discovery.result(number).score:.2f}" for number in range(1, 5))
    assert f"# best set of each generation, develop uas: {best}" in discovery.text()


def test_each_set_is_trained_once(first: tuple[Discovery, Path]) -> None:
    names = [json.loads(line)["key"] for line in first[1].read_text().splitlines()]
    assert len(names) == len(set(names))


def test_the_number_of_processes_changes_nothing(first: tuple[Discovery, Path]) -> None:
    two = finished(discover(source(), PAPER, SMALL, processes=2, labels=True, command="a test"))
    assert two.text() == first[0].text()
    assert two.correlations() == pytest.approx(first[0].correlations(), nan_ok=True)


def test_a_search_that_is_killed_goes_on_where_it_was(first: tuple[Discovery, Path], tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    code = (
        "import sys; from pathlib import Path; from discovered import found;"
        "found(journal=Path(sys.argv[1]), labels=True, command='a test')"
    )
    tests = str(Path(__file__).parent.parent)
    child = subprocess.Popen([sys.executable, "-c", code, str(journal)], env={**os.environ, "PYTHONPATH": tests})
    deadline = time.monotonic() + 60
    while (not journal.exists() or journal.read_bytes().count(b"\n") < 8) and time.monotonic() < deadline:
        assert child.poll() is None
        time.sleep(0.01)
    child.send_signal(signal.SIGKILL)
    child.wait()
    kept = journal.read_bytes().count(b"\n")
    with journal.open("ab") as file:
        file.write(b'{"key": "cut')  # what a write that was interrupted leaves
    fresh = []
    search = discover(source(), PAPER, SMALL, journal=journal, processes=1, labels=True, command="a test")
    again = finished(search, fresh.append)
    assert again.text() == first[0].text()
    assert kept >= 8
    assert sorted(journal.read_bytes().splitlines()) == sorted(first[1].read_bytes().splitlines())


def test_a_finished_search_is_read_from_its_journal(first: tuple[Discovery, Path]) -> None:
    size = first[1].stat().st_size
    begun = time.monotonic()
    assert found(journal=first[1], labels=True, command="a test").text() == first[0].text()
    assert first[1].stat().st_size == size
    assert time.monotonic() - begun < 10


def test_a_journal_of_something_else_is_an_error_with_its_place(first: tuple[Discovery, Path], tmp_path: Path) -> None:
    damaged = tmp_path / "journal"
    lines = [json.loads(line) for line in first[1].read_text().splitlines()]
    damaged.write_text("".join(json.dumps({"key": one["key"], "value": "no"}) + "\n" for one in lines))
    with pytest.raises(InputError, match="not a result of this search"):
        found(journal=damaged)


def test_progress_tells_the_best_set_and_never_runs_backwards() -> None:
    steps: list[DiscoveryProgress] = []
    finished(discover(source(), PAPER, replace(SMALL, generations=3), processes=1), steps.append)
    assert all(a.done <= b.done for a, b in pairwise(steps))
    assert steps[-1].best
    assert steps[-1].score is not None
    assert all(step.seconds_left is None or step.seconds_left >= 0 for step in steps)


def test_the_search_ends_when_nothing_is_gained() -> None:
    settled = finished(discover(source(), PAPER, replace(SMALL, threshold=1.0), processes=1))
    assert len(settled.generations) == 3


def test_a_feature_with_one_value_is_no_candidate_and_a_useless_one_is_not_chosen() -> None:
    rules = parse_neighbours(
        "start: POS(QUEUE0)\nQUEUE0: POS|LEX(STACK0), POS(self+1), SCRIPT|POS(QUEUE90), DIGIT(self)\n", KIND
    )
    discovery = finished(discover(source(rules=rules), rules, replace(SMALL, generations=3, finals=1.0), processes=1))
    names = {print_term(feature, KIND) for one in discovery.generations for feature in one.features}
    assert not names & {"SCRIPT(QUEUE90)", "POS(QUEUE90)"}


def test_screening_prefers_what_helps() -> None:
    own, parent = source(), parse_set("POS(QUEUE0)", KIND)
    features = tuple(one.terms[0] for one in parent)
    names = parse_set("POS(STACK0)\nPOS(STACK5)\nPOS(QUEUE90)\n", KIND)
    losses = Screen(parent, features, tuple(one.terms[0] for one in names), 2.0).run(own)
    assert losses[2] is None
    assert losses[0] is not None
    assert losses[1] is not None
    assert losses[0] < losses[1]
    heats = [Heat(parent, own.added(one.terms[0], features)).run(own) for one in names[:2]]
    assert heats[0].score > heats[1].score


def test_tasks_come_back_from_the_journal_as_they_went() -> None:
    task = Final(parse_set("POS(QUEUE0)", KIND))
    result = task.run(source())
    again = task.unpack(json.loads(json.dumps(task.pack(result))))
    assert {name: {m: one.score for m, one in some.items()} for name, some in again.items()} == {
        name: {m: one.score for m, one in some.items()} for name, some in result.items()
    }


def test_labels_are_searched_for_with_moves() -> None:
    settings = replace(SMALL, generations=2)
    discovery = finished(discover(source("las"), PAPER, settings, processes=1))
    assert discovery.metric == "las"
    assert discovery.result(2).score > discovery.result(1).score


def test_a_source_survives_pickling() -> None:
    own = source()
    other = pickle.loads(pickle.dumps(own))
    templates = parse_set("POS(QUEUE0)\nPOS(STACK0)\n", KIND)
    assert other.digest == own.digest
    assert other.final(templates, False)["other"]["uas"].score == own.final(templates, False)["other"]["uas"].score


def test_the_step_back_parser_has_rules_of_its_own() -> None:
    rules = load_neighbours("stepback")
    train, develop, _ = documents()
    config = ParserConfig(scorer="linear", system="step-back")
    own = ParserSource(config, train, develop, rules.attributes(), score="las")
    discovery = finished(discover(own, rules, replace(SMALL, generations=3), processes=1))
    assert discovery.kind is KINDS["stepback"]
    assert discovery.result(3).score > discovery.result(1).score
    with pytest.raises(ConfigError, match="the rules are for transition"):
        finished(discover(own, PAPER, SMALL, processes=1))


def test_ranks_of_equal_values_are_shared() -> None:
    assert rank_correlation([1, 2, 3], [10, 20, 30]) == pytest.approx(1.0)
    assert rank_correlation([1, 2, 3], [3, 2, 1]) == pytest.approx(-1.0)
    assert rank_correlation([1, 1, 2, 2], [1, 2, 1, 2]) == pytest.approx(0.0)
    assert np.isnan(rank_correlation([1, 1], [1, 2]))


@pytest.mark.parametrize(
    "settings", [{"beam": 0}, {"generations": 0}, {"finals": 0.5}, {"heats": 1.0, "finals": 2.0}, {"ridge": 0.0}]
)
def test_settings_that_cannot_work_are_refused(settings: dict[str, float]) -> None:
    with pytest.raises(ConfigError):
        DiscoverySettings(**settings)  # type: ignore[arg-type]


def test_under_a_budget_no_dearer_set_is_kept_and_the_front_rises() -> None:
    prices = CostModel((10.0, 5.0, 2.0, 3.0, 1.0, 1.0, 2.0, 4.0))
    free = finished(discover(source("las"), PAPER, SMALL, processes=1, budget=Budget(prices, 1e9)))
    costs = [one.beam[0].cost for one in free.generations]
    assert all(cost is not None for cost in costs)
    assert costs == sorted(costs)  # type: ignore[type-var]
    limit = costs[-2] or 0.0
    tight = finished(discover(source("las"), PAPER, SMALL, processes=1, budget=Budget(prices, limit)))
    assert all(member.cost is not None and member.cost <= limit for one in tight.generations for member in one.beam)
    assert "# budget: " in tight.text()
    for found_sets in (free, tight):
        front = found_sets.front
        assert [one.cost for one in front] == sorted(one.cost or 0.0 for one in front)
        assert [one.score for one in front] == sorted(one.score for one in front)
        answer = found_sets.within(limit)
        assert answer.cost is not None
        assert answer.cost <= limit
        assert answer.score == max(one.score for one in found_sets.points if (one.cost or 0.0) <= limit)
    with pytest.raises(ConfigError, match="the cheapest costs"):
        free.within(0.1)
    with pytest.raises(ConfigError, match="none was priced"):
        replace(free, points=()).within(100.0)
    with pytest.raises(ConfigError):
        Budget(prices, 0.0)


def test_features_of_a_tagger_are_found_by_its_decisions() -> None:
    rules = load_neighbours("token")
    train, develop, other = documents()
    config = TaggerConfig(column="upos", dictionary_minimum=1000)
    own = TaggerSource(config, train, develop, others={"report": other, "again": develop})
    discovery = finished(discover(own, rules, replace(SMALL, generations=3), processes=1))
    assert discovery.result(3).score > discovery.result(1).score > 0.5
    assert "report decisions" in discovery.text()
    copy = pickle.loads(pickle.dumps(own))
    assert copy.final(discovery.templates(2), False)["report"]["decisions"].score == discovery.result(2, "report").score
    # A document is judged in the same way whether it is searched or reported on.
    assert discovery.result(2, "again").score == discovery.result(2).score
    bare = Doc.from_conllu(other.to_conllu())
    bare.set_codes("upos", np.zeros(len(bare), np.int32), ["_"])
    with pytest.raises(ConfigError, match="the development data has no upos"):
        TaggerSource(config, train, develop, others={"report": bare})
    with pytest.raises(ConfigError, match="the training data has no upos"):
        TaggerSource(config, bare, develop)
    config = TaggerConfig(column="upos", templates=str(discovery.templates()), folds=0)
    tagger = finished(Tagger.fit(config, TrainingData(train)))
    guess = develop.sentences[:]
    tagger.apply(guess)
    assert np.mean(np.array(guess.strings("upos")) == np.array(develop.strings("upos"))) > 0.7
    with pytest.raises(ConfigError, match="one column"):
        TaggerSource(TaggerConfig(column="upos+xpos"), train, develop)


def warm(store: Path | None = None) -> ParserSource:
    train, develop, other = documents()
    settings = HashedSettings(warm_epochs=2)
    own = ParserSource(CONFIG, train, develop, PAPER.attributes(), others={"other": other}, settings=settings)
    own.store = store
    return own


def test_a_warm_start_goes_on_from_the_weights_of_the_features_before(tmp_path: Path) -> None:
    own = warm(tmp_path)
    three = expand_pairs(parse_set("POS(QUEUE0)\nPOS(STACK0)\nPOS(QUEUE1)\n", KIND))
    two = own.before(three)
    assert two == expand_pairs(parse_set("POS(QUEUE0)\nPOS(STACK0)\n", KIND))
    assert own.before(three[:2]) is None  # no pair: not what a search would have trained
    assert own.before(parse_set("POS(QUEUE0)\n", KIND)) is None
    base, table = own.final_table("moves", two), own.final_table("moves", three)
    train = own.columns("moves", three)[0]
    numbers = train.numbers()

    def scores(one: HashedTable, templates: TemplateSet, offsets: Any) -> Any:
        return score_hashed(one, train.decisions, compile_plan(templates), train.of(templates), numbers, offsets)

    before = scores(base, two, NO_OFFSETS)
    # Scores of the sum are the scores that training started from and what it added.
    settings = own.settings
    added = train_hashed(
        *(train.decisions, compile_plan(three), train.of(three), numbers, before, settings.warm_epochs, settings.rate),
        *(settings.cutoff, settings.places, settings.seed),
    )
    assert scores(table, three, NO_OFFSETS) == pytest.approx(scores(added, three, before), abs=1e-4)
    losses = [judge(train.decisions, numbers, some)[0].mean() for some in (before, scores(table, three, NO_OFFSETS))]
    assert losses[1] < losses[0]


def test_warm_starts_depend_on_the_set_alone(tmp_path: Path) -> None:
    settings = replace(SMALL, generations=3)
    one = finished(discover(warm(), PAPER, settings, processes=1))
    two = finished(discover(warm(), PAPER, settings, processes=2))
    assert two.text() == one.text()
    fresh = warm().final(one.templates(3), False)
    assert fresh["other"]["las"].score == one.result(3, "other").score
    cold = finished(discover(source("las"), PAPER, settings, processes=1))
    assert cold.provenance["data and configuration"] != one.provenance["data and configuration"]
    with pytest.raises(ConfigError, match="warm start"):
        HashedSettings(warm_epochs=-1)
