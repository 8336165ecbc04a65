from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from laconic.learn import (
    FinalScores,
    ManyLabelsWarning,
    PrefixClassifier,
    Settings,
    Stop,
    expected_calibration_error,
    tempered,
)


def drawn(temperature: float, decisions: int, labels: int, seed: int) -> FinalScores:
    """Decisions whose labels are drawn from a softmax of their scores at a known temperature."""
    source = np.random.default_rng(seed)
    scores = source.normal(size=(decisions, labels)) * 2
    odds = np.exp(scores / temperature)
    chance = odds / odds.sum(axis=1, keepdims=True)
    truth = (chance.cumsum(axis=1) > source.random((decisions, 1))).argmax(axis=1)
    return FinalScores(
        np.full(decisions, 3, np.uint32),
        np.arange(0, decisions * labels + 1, labels, dtype=np.uint64),
        (scores - scores.max(axis=1, keepdims=True)).astype(np.float32).ravel(),
        truth == scores.argmax(axis=1),
    )


@pytest.mark.parametrize("temperature", [0.2, 0.5, 1.0, 3.0])
def test_the_temperature_that_made_the_data_is_found(temperature: float) -> None:
    endings = drawn(temperature, 20_000, 5, seed=1)
    stop = tempered(Stop.never(3), endings)
    assert stop.temperatures[0] == pytest.approx(temperature, rel=0.1)
    fresh = drawn(temperature, 20_000, 5, seed=2)
    assert expected_calibration_error(fresh.confidence(stop.temperatures[0]), fresh.right) < 0.015


def test_each_depth_has_its_own_temperature_if_enough_decisions_end_there() -> None:
    early, late = drawn(0.3, 5_000, 4, seed=3), drawn(2.0, 5_000, 4, seed=4)
    few = drawn(2.0, 10, 4, seed=5)
    parts = [
        FinalScores(np.full(len(part.depths), depth, np.uint32), part.begins, part.gaps, part.right)
        for depth, part in ((1, early), (2, few), (3, late))
    ]
    stop = tempered(Stop((1, 2, 3), (1.0, 1.0, np.inf)), FinalScores.concatenate(parts))
    assert stop.temperatures[0] == pytest.approx(0.3, rel=0.15)
    assert stop.temperatures[2] == pytest.approx(2.0, rel=0.15)
    assert 0.3 < stop.temperatures[1] < 2.0
    np.testing.assert_allclose(stop.probability(4), [stop.certain, *stop.temperatures, 1.0])


def test_odds_that_are_not_those_of_a_temperature_are_platt_scaled() -> None:
    """Candidates that are as often right as a coin whatever their lead: no temperature says that."""
    flat = drawn(1.0, 20_000, 3, seed=6)
    flat = FinalScores(flat.depths, flat.begins, flat.gaps, np.random.default_rng(7).random(20_000) < 0.75)
    straight, stop = (tempered(Stop.never(3), flat, platt=platt) for platt in (False, True))
    assert (straight.slope, straight.shift) == (1.0, 0.0)
    sure = flat.confidence(stop.temperatures[0]).astype(np.float32)
    assert expected_calibration_error(stop.platt_scaled(sure, flat.depths), flat.right) < 0.01
    assert expected_calibration_error(straight.platt_scaled(sure, flat.depths), flat.right) > 0.03
    true = drawn(0.5, 20_000, 3, seed=8)
    stop = tempered(Stop.never(3), true, platt=True)
    assert stop.slope == pytest.approx(1.0, abs=0.15)
    assert stop.platt_scaled(np.array([0.3, 0.9], np.float32), np.zeros(2, np.uint32)).tolist() == pytest.approx(
        [0.3, 0.9]
    )


def test_decisions_that_were_all_right_are_not_scaled_to_certainty() -> None:
    some = drawn(1.0, 2_000, 3, seed=9)
    stop = tempered(Stop.never(3), FinalScores(some.depths, some.begins, some.gaps, some.right | True), platt=True)
    sure = stop.platt_scaled(some.confidence(stop.temperatures[0]).astype(np.float32), some.depths)
    assert ((sure > 0) & (sure <= 1)).all()
    assert (sure > 0.9).mean() > 0.9


def test_single_candidates_are_as_sure_as_they_were_right() -> None:
    count = 1000
    right = np.arange(count) % 50 != 0
    endings = FinalScores(
        np.zeros(count, np.uint32), np.arange(count + 1, dtype=np.uint64), np.zeros(count, np.float32), right
    )
    assert tempered(Stop.never(2), endings).certain == pytest.approx(0.98, abs=0.003)


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), max_size=60), st.integers(1, 20))
def test_the_calibration_error_is_what_its_definition_says(pairs: list[tuple[float, bool]], bins: int) -> None:
    total = 0.0
    for b in range(bins):
        inside = [(s, r) for s, r in pairs if min(int(s * bins), bins - 1) == b]
        if inside:
            gap = np.mean([s for s, _ in inside]) - np.mean([r for _, r in inside])
            total += len(inside) / len(pairs) * abs(gap)
    sure, right = np.array([s for s, _ in pairs]), np.array([r for _, r in pairs])
    assert expected_calibration_error(sure, right, bins) == pytest.approx(total, abs=1e-9)


def test_calibration_error_refuses_nonsense() -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        expected_calibration_error([1.5], [True])
    with pytest.raises(ValueError, match="equal length"):
        expected_calibration_error([0.5, 0.5], [True])


def test_thousands_of_labels_get_a_warning_with_the_time() -> None:
    labels = np.arange(5_001)
    with pytest.warns(ManyLabelsWarning, match="5,001 labels .* minutes"):
        PrefixClassifier(Settings(epochs=1, cutoff=1)).fit(labels.reshape(-1, 1), labels)
