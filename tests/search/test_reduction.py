"""Template sets of a wanted size out of discovered features."""

from __future__ import annotations

from itertools import pairwise

import pytest
from discovered import KIND, source

from laconic.errors import ConfigError
from laconic.features import expand_pairs, parse_set, union
from laconic.progress import finished
from laconic.search import Journal, TrialRunner
from laconic.search.discover_templates import reduce_templates
from laconic.search.reduction import Ablation, add_conjunctions, drop_templates

FEATURES = parse_set("POS(QUEUE0)\nPOS(STACK0)\nLEX(QUEUE0)\nPOS(STACK5)\n", KIND)


@pytest.mark.parametrize("score", ["uas", "las"])
def test_templates_are_dropped_by_what_is_lost_until_so_many_are_left(score: str) -> None:
    with TrialRunner.open(source(score), Journal()) as runner:
        steps = finished(drop_templates(runner, expand_pairs(FEATURES), 5, share=0.3))
    sizes = [len(one.templates) for one in steps]
    assert sizes[0] == 10
    assert sizes[-1] == 5
    assert sizes == sorted(sizes, reverse=True)
    for before, after in pairwise(steps):
        kept = list(before.templates)
        assert [one for one in kept if one in list(after.templates)] == list(after.templates)  # the order stays
    assert FEATURES[3] not in list(steps[-1].templates)
    assert steps[-1].score(score) > steps[0].score(score) - 0.05


def test_what_is_dear_is_dropped_first() -> None:
    templates = expand_pairs(FEATURES[:2])
    with TrialRunner.open(source(), Journal()) as runner:
        rises = finished(runner.results([Ablation(templates)]))[0]
        assert all(rise > 0 for rise in rises)
        best = max(range(3), key=lambda number: rises[number])
        dear = templates[best]
        steps = finished(drop_templates(runner, templates, 2, price=lambda one: 1e6 if one == dear else 1.0))
    assert dear not in list(steps[-1].templates)


def test_the_best_conjunctions_join_single_features() -> None:
    with TrialRunner.open(source(), Journal()) as runner:
        steps = []
        found = finished(add_conjunctions(runner, FEATURES, 4, rounds=2), steps.append)
    assert list(found)[: len(FEATURES)] == list(FEATURES)
    assert 1 <= len(found) - len(FEATURES) <= 4
    assert len(steps) == 2
    assert {frozenset(one.terms) for one in found} >= {frozenset(one.terms) for one in steps[0]}
    assert len({frozenset(one.terms) for one in found}) == len(found)
    assert all(2 <= len(one.terms) <= 3 for one in list(found)[len(FEATURES) :])
    assert frozenset(t for one in FEATURES[:2] for t in one.terms) in {frozenset(one.terms) for one in found}


def test_conjunctions_of_three_and_four_join_pairs() -> None:
    pairs = expand_pairs(FEATURES)
    with TrialRunner.open(source("las"), Journal()) as runner:
        found = finished(add_conjunctions(runner, pairs, 4, rounds=2, longest=4))
    added = list(found)[len(pairs) :]
    assert list(found)[: len(pairs)] == list(pairs)
    assert 1 <= len(added) <= 4
    assert all(3 <= len(one.terms) <= 4 for one in added)
    assert {term for one in added for term in one.terms} <= {term for one in pairs for term in one.terms}


def test_templates_that_columns_cannot_judge_stay_behind_the_others() -> None:
    sets_of_values = parse_set("DEP(CHILDREN(STACK0)) & POS(QUEUE0)\n", KIND)
    pool = union(FEATURES, sets_of_values, expand_pairs(FEATURES[:2]))
    assert len(pool) == 6
    found = finished(reduce_templates(source(), pool, 3, share=0.3))
    assert len(found.templates) == 3
    assert found.templates[2] == sets_of_values[0]
    assert [len(one.templates) for one in (found.steps[0], found.steps[-1])] == [5, 2]
    assert "could not be judged and stayed, at the end: 1" in found.text()
    assert parse_set(found.text(), KIND) == found.templates
    with pytest.raises(ConfigError):
        finished(reduce_templates(source(), pool, 1))


def test_sizes_that_cannot_be_reached_are_refused() -> None:
    with TrialRunner.open(source(), Journal()) as runner:
        for least, share in ((0, 0.1), (5, 0.1), (1, 0.0)):
            with pytest.raises(ConfigError):
                finished(drop_templates(runner, FEATURES, least, share))
        with pytest.raises(ConfigError):
            finished(add_conjunctions(runner, FEATURES, -1))
        with pytest.raises(ConfigError):
            finished(add_conjunctions(runner, FEATURES, 1, longest=1))
