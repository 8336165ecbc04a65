"""What a template set costs, counted."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from discovered import KIND, source
from hypothesis import given, settings
from hypothesis import strategies as st

from laconic.errors import ConfigError, InputError
from laconic.features import expand_pairs, parse_set
from laconic.progress import finished
from laconic.search.costs import (
    NAMES,
    CostModel,
    Counted,
    Timed,
    counts,
    fit_costs,
    nonnegative_least_squares,
    row_cost,
)
from laconic.search.discovery import pareto

FEATURES = parse_set("POS(QUEUE0)\nPOS(STACK0)\nLEX(STACK0 fw)\nDEP(STACK0 ec)\nLEX(QUEUE0)\n", KIND)
OWN = source("las")
PRICES = CostModel((10.0, 5.0, 2.0, 3.0, 1.0, 1.0, 2.0, 4.0))


def test_adding_a_feature_never_makes_a_set_cheaper() -> None:
    costs = [PRICES.cost(counts(OWN, expand_pairs(FEATURES[:size]))) for size in range(1, 6)]
    assert costs == sorted(costs)
    assert len(set(costs)) == 5


def test_slots_are_counted_once_and_rows_for_every_template() -> None:
    single, pairs = (counts(OWN, some) for some in (FEATURES[:2], expand_pairs(FEATURES[:2])))
    rows = slice(NAMES.index("row"), None)
    assert np.array_equal(single[: NAMES.index("row")], pairs[: NAMES.index("row")])
    assert pairs[rows].sum() == pytest.approx(single[rows].sum() * 3 / 2)
    assert np.array_equal(Counted(FEATURES[:2]).run(OWN), single)


def test_the_rows_of_a_template_cost_by_the_size_of_its_table() -> None:
    whole = expand_pairs(FEATURES[:3])
    counted = counts(OWN, whole)
    rows = slice(NAMES.index("row"), None)
    together = float(np.dot(PRICES.prices[rows], counted[rows]))
    assert sum(row_cost(OWN, PRICES, template) for template in whole) == pytest.approx(together)
    free = CostModel((10.0, 5.0, 2.0, 3.0, 1.0, 0.0, 0.0, 0.0))
    assert row_cost(OWN, free, whole[0]) == 0.0


def test_steps_that_paths_share_are_counted_once() -> None:
    one = counts(OWN, parse_set("POS(STACK0 fw)\n", KIND))
    two = counts(OWN, parse_set("POS(STACK0 fw)\nLEX(STACK0 fw)\n", KIND))
    three = counts(OWN, parse_set("POS(STACK0 fw)\nLEX(STACK0 fw ls)\n", KIND))
    step = NAMES.index("step")
    assert one[step] == two[step]
    assert three[step] == 2 * one[step]


def test_prices_are_fitted_to_timed_parsers(tmp_path: Path) -> None:
    said: list[str] = []
    model = finished(fit_costs(OWN, sets=len(NAMES), rounds=1, sentences=20), said.append)
    assert len(model.timed) == len(NAMES)
    assert all(one.measured > 0 for one in model.timed)
    assert said[0].startswith("training set 1 of")
    model.write(tmp_path / "costs.json")
    assert CostModel.read(tmp_path / "costs.json") == model
    with pytest.raises(ConfigError):
        finished(fit_costs(OWN, sets=2))


@pytest.mark.parametrize("text", ["", "{}", '{"names": ["move"], "prices": [1], "timed": []}', "[1]"])
def test_a_file_that_is_no_cost_model_is_refused(text: str, tmp_path: Path) -> None:
    (tmp_path / "costs.json").write_text(text)
    with pytest.raises(InputError, match="not a cost model"):
        CostModel.read(tmp_path / "costs.json")
    with pytest.raises(ConfigError):
        CostModel((1.0, -1.0) * (len(NAMES) // 2))


def test_the_error_of_a_timed_set_is_relative() -> None:
    model = CostModel(PRICES.prices, (Timed(3, 105.0, 100.0), Timed(3, 120.0, 100.0)))
    assert model.within == 0.5


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 10_000))
def test_least_squares_without_negative_numbers_cannot_be_improved(seed: int) -> None:
    draw = np.random.default_rng(seed)
    matrix, values = draw.random((20, 4)), draw.normal(size=20)
    found = nonnegative_least_squares(matrix, values)
    assert (found >= 0).all()
    gradient = matrix.T @ (matrix @ found - values)
    assert (gradient > -1e-6).all()
    assert np.abs(gradient * found).max() < 1e-6


@given(st.lists(st.tuples(st.integers(0, 20), st.integers(0, 20)), min_size=1, max_size=30))
def test_the_front_rises_and_nothing_beats_it(points: list[tuple[int, int]]) -> None:
    front = [points[i] for i in pareto(points)]
    assert front == sorted(front)
    assert len({score for _, score in front}) == len(front)
    for cost, score in points:
        assert any(c <= cost and s >= score for c, s in front)


def test_an_empty_set_of_points_has_no_front() -> None:
    assert pareto([]) == []
