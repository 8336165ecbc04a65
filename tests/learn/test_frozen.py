from __future__ import annotations

import itertools
import math
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from laconic._core.learn import Examples, LabelSets, Table, instruction_set, instruction_sets, use_instruction_set
from laconic.errors import ConfigError, ModelError
from laconic.learn import Frozen, PrefixClassifier, Settings, Stop, calibrate, train_linear
from laconic.learn.classifier import as_atoms, column_plan
from laconic.progress import finished


def noisy(seed: int, rows: int, labels: int = 5) -> tuple[np.ndarray, np.ndarray]:
    """The label is told by column 0 for half of the values, by columns 1 and 2 together otherwise; a tenth is noise."""
    source = np.random.default_rng(seed)
    x = source.integers(0, 12, size=(rows, 6))
    y = np.where(x[:, 0] < 6, x[:, 0] % labels, (x[:, 1] + x[:, 2]) % labels)
    return x, np.where(source.random(rows) < 0.1, source.integers(0, labels, rows), y)


TEMPLATES = [(0,), (1,), (2,), (1, 2), (3,), (4,), (0, 1, 2), (5,)]


@pytest.fixture(scope="module")
def model() -> PrefixClassifier:
    return PrefixClassifier(Settings(cutoff=1, l2=1e-4), TEMPLATES).fit(*noisy(1, 4000)).calibrate(noisy(2, 4000)[0])


def test_it_learns_and_stops_early_where_the_first_template_suffices(model: PrefixClassifier) -> None:
    x, y = noisy(3, 4000)
    full = model.effort(0.0).predict(x)
    assert (full == y).mean() > 0.88
    easy = x[:, 0] < 6
    depths = model.effort(0.01).depths(x)
    assert depths[easy].mean() < depths[~easy].mean() - 1
    model.effort(0.0)


@pytest.mark.parametrize("labels", [2, 14, 40, 200])
def test_sums_of_the_caller_are_those_of_the_scratch_in_32_bits(labels: int) -> None:
    x, y = noisy(1, 2000, labels)
    model = PrefixClassifier(Settings(cutoff=1), TEMPLATES).fit(x, y)
    table, atoms = model.frozen_.table, as_atoms(noisy(2, 300)[0])
    assert isinstance(table, Table)
    scores = table.prefix_scores(model.plan_, atoms, [3, len(TEMPLATES)])
    parts = [table.accumulate(model.plan_, atoms, *some) for some in ((0, 3), (3, len(TEMPLATES)))]
    assert np.array_equal(parts[0], scores[:, 0])
    assert np.array_equal(parts[0] + parts[1], scores[:, 1])
    with pytest.raises(ValueError, match="do not fit"):
        table.accumulate(model.plan_, atoms, 3, 2)


@pytest.mark.parametrize("labels", [1, 14])
def test_sums_of_the_caller_do_not_saturate(labels: int) -> None:
    """As many equal templates as pass 16 bits; one label has a path of its own."""
    columns = 400
    plan = column_plan(columns)
    atoms = as_atoms(np.ones((1, columns), np.int64))
    examples = Examples(columns, max(labels, 2))
    examples.add_rows(plan, atoms, np.array([examples.add_set([0])], np.uint32), np.zeros(1, np.uint32))
    examples.finish(1)
    table = finished(train_linear(examples, columns, Settings(mode="full", cutoff=1))).freeze(examples)
    if labels == 1:
        # The same rows less the second label: the stride of one and of two labels is the same.
        buckets = table.buckets().reshape(-1, table.stride)
        buckets[:, 3:] = 0
        table = Table(1, table.scale, table.directory(), buckets.reshape(-1), np.zeros(0, np.uint32))
    (sums,) = table.accumulate(plan, atoms, 0, columns)
    assert sums[0] == 127 * columns > np.iinfo(np.int16).max
    assert table.prefix_scores(plan, atoms, [columns])[0, 0, 0] == np.iinfo(np.int16).max


def test_a_floor_drops_features_of_little_weight_and_changes_little() -> None:
    x, y = noisy(1, 4000)
    sizes, right = [], []
    for floor in (0, 4, 16, 126):
        model = PrefixClassifier(Settings(cutoff=1, l2=1e-4, floor=floor), TEMPLATES).fit(x, y)
        sizes.append(len(model.frozen_.table))
        right.append(float((model.predict(noisy(3, 4000)[0]) == noisy(3, 4000)[1]).mean()))
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] > sizes[1] > sizes[2] > sizes[3] > 0
    assert right[1] > right[0] - 0.01
    with pytest.raises(ConfigError, match="floor"):
        Settings(floor=127)


@pytest.mark.parametrize("tolerance", [0.005, 0.02, 0.05])
def test_held_out_decisions_differ_from_the_full_model_by_about_the_tolerance(
    model: PrefixClassifier, tolerance: float
) -> None:
    x, _ = noisy(4, 8000)
    full = model.effort(0.0).predict(x)
    early = model.effort(tolerance).predict(x)
    assert (early != full).mean() <= tolerance * 1.5
    model.effort(0.0)


def test_an_infinite_margin_is_the_full_model_and_margin_zero_stops_at_once(model: PrefixClassifier) -> None:
    x, _ = noisy(5, 500)
    atoms = as_atoms(x)
    depths = range(1, len(TEMPLATES) + 1)
    full = model.frozen_.decide(model.plan_, atoms, Stop.never(len(TEMPLATES)))
    infinite = model.frozen_.decide(model.plan_, atoms, Stop.margin(np.inf, depths))
    for a, b in zip(full, infinite, strict=True):
        np.testing.assert_array_equal(a, b)
    np.testing.assert_array_equal(full[0], model.decision_function(x).argmax(axis=1))
    assert set(model.frozen_.decide(model.plan_, atoms, Stop.margin(0.0, depths))[1]) == {1}


def test_frozen_scores_are_within_the_quantisation_bound_of_the_float_scores() -> None:
    x, y = noisy(1, 2000)
    plan, atoms = column_plan(6, TEMPLATES), as_atoms(x)
    examples = Examples(len(TEMPLATES), 5)
    sets = np.array([examples.add_set([label]) for label in range(5)], np.uint32)
    examples.add_rows(plan, atoms, sets[y], np.zeros(len(x), np.uint32))
    examples.finish(1)
    learner = finished(train_linear(examples, len(TEMPLATES), Settings(average=False)))
    table = learner.freeze(examples)
    depth = len(TEMPLATES)
    frozen = table.prefix_scores(plan, atoms, [depth])[:, 0] / table.scale
    exact = np.array([learner.scores(examples, i, depth) for i in range(len(x))])
    assert np.abs(frozen - exact).max() <= depth * 0.5 / table.scale + 1e-4
    assert (frozen.argmax(1) == exact.argmax(1)).mean() > 0.995


@pytest.mark.parametrize("labels", [1, 2, 3, 6, 7, 14, 15, 30, 31, 62, 63, 126, 127, 700])
def test_rows_of_every_layout_hold_their_weights_and_survive_saving(labels: int) -> None:
    source = np.random.default_rng(labels)
    x = source.integers(0, 40, size=(max(800, 4 * labels), 3))
    y = (x[:, 0] * 7 + x[:, 1]) % labels
    y[:labels] = np.arange(labels)
    model = PrefixClassifier(Settings(cutoff=1, rate=1.0), [(0,), (0, 1), (2,)]).fit(x, y)
    arrays, facts = model.frozen_.state()
    again = Frozen.from_state(arrays, facts)
    assert model.frozen_.table.sparse == (labels > 126)
    np.testing.assert_array_equal(
        model.frozen_.table.prefix_scores(model.plan_, as_atoms(x), [1, 2, 3]),
        again.table.prefix_scores(model.plan_, as_atoms(x), [1, 2, 3]),
    )
    assert (model.predict(x) == y).mean() > 0.9


def test_fingerprints_let_through_about_one_foreign_key_in_ten_thousand(model: PrefixClassifier) -> None:
    x, y = noisy(1, 4000)
    wide = PrefixClassifier(Settings(cutoff=1, epochs=1), [(0, 1, 2, 3)]).fit(x, y)
    foreign = np.random.default_rng(0).integers(0, 2**63, size=400_000, dtype=np.uint64) * np.uint64(2) + np.uint64(1)
    assert wide.frozen_.table.contains(foreign, 0).mean() < 3e-4


def test_instruction_sets_threads_and_batches_change_nothing(model: PrefixClassifier) -> None:
    x, _ = noisy(6, 2000)
    atoms = as_atoms(x)
    stop = model.frozen_.stop(0.02)
    expected = model.frozen_.decide(model.plan_, atoms, stop)
    scores = model.frozen_.table.prefix_scores(model.plan_, atoms, list(range(1, 9)))
    before = instruction_set()
    try:
        for name in instruction_sets():
            use_instruction_set(name)
            np.testing.assert_array_equal(
                scores, model.frozen_.table.prefix_scores(model.plan_, atoms, list(range(1, 9)))
            )
    finally:
        use_instruction_set(before)
    with ThreadPoolExecutor(4) as pool:
        pieces = list(pool.map(lambda part: model.frozen_.decide(model.plan_, part, stop), np.array_split(atoms, 37)))
    for column in range(3):
        np.testing.assert_array_equal(expected[column], np.concatenate([piece[column] for piece in pieces]))
    with pytest.raises(ValueError, match="no instruction set"):
        use_instruction_set("abacus")


def test_sums_saturate_instead_of_overflowing() -> None:
    x = np.zeros((40, 600), int)
    y = np.arange(40) % 2
    x[:, :] = y[:, None]
    model = PrefixClassifier(Settings(mode="full", cutoff=1, margin=500.0, rate=1.0, epochs=4, average=False)).fit(x, y)
    scores = model.frozen_.table.prefix_scores(model.plan_, as_atoms(x), [600])[:, 0]
    assert scores.max() == 32767
    assert (model.predict(x) == y).all()


def test_candidates_limit_the_answer_and_a_single_one_costs_nothing(model: PrefixClassifier) -> None:
    x, _ = noisy(7, 300)
    sets = LabelSets(5)
    pair, single = sets.add([1, 3]), sets.add([2])
    frozen = Frozen(model.frozen_.table, sets)
    chosen = np.array(list(itertools.islice(itertools.cycle([0, pair, single]), 300)), np.uint32)
    labels, depths, _ = frozen.decide(model.plan_, as_atoms(x), Stop.never(8), chosen)
    assert set(labels[chosen == pair]) == {1, 3}
    assert set(labels[chosen == single]) == {2}
    assert set(depths[chosen == single]) == {0}


def test_unknown_values_skip_their_templates(model: PrefixClassifier) -> None:
    assert (model.decision_function([[-1] * 6]) == 0).all()
    only = model.decision_function([[3, -1, -1, -1, -1, -1]])
    np.testing.assert_allclose(
        only[0],
        model.frozen_.table.prefix_scores(model.plan_, as_atoms([[3] + [-1] * 5]), [1])[0, 0]
        / model.frozen_.table.scale,
    )


def test_a_trace_tells_the_prefix_scores_and_where_it_stopped(model: PrefixClassifier) -> None:
    model.effort(0.02)
    for row in noisy(8, 50)[0]:
        trace = model.trace(row)
        assert trace.scores.shape == (trace.depth, 5)
        top = np.sort(trace.scores[-1])
        assert trace.scores[-1].argmax() == trace.label
        assert trace.lead == pytest.approx(top[-1] - top[-2])
        assert model.classes_[trace.label] == model.predict([row])[0]
    model.effort(0.0)


def test_margins_per_depth_are_the_smallest_that_hold_the_tolerance() -> None:
    leads = np.array([[3.0, 9], [2.0, 9], [2.0, 9], [1.0, 9]] * 1000, np.float32)
    agrees = np.array([[True, True], [True, True], [True, True], [False, True]] * 1000)
    stops = calibrate(leads, agrees, [1, 2], (0.01, 0.3))
    assert stops[0.01].margins == (2.0, np.inf)
    assert stops[0.3].margins == (1.0, np.inf)
    assert calibrate(leads, ~agrees, [1, 2], (0.01,))[0.01].margins == (np.inf, np.inf)
    assert calibrate(leads[:0], agrees[:0], [1, 2], (0.01,))[0.01].margins == (np.inf, np.inf)


def test_an_exit_that_does_not_pay_for_looking_at_it_has_no_margin() -> None:
    """Three of four decisions stop: that saves one template and the last look, and costs a look for all four."""
    leads = np.array([[3.0, 9], [2.0, 9], [2.0, 9], [1.0, 9]] * 1000, np.float32)
    agrees = np.array([[True, True], [True, True], [True, True], [False, True]] * 1000)
    for cost, margin in ((0.0, 2.0), (2.9, 2.0), (3.1, np.inf)):
        assert calibrate(leads, agrees, [1, 2], (0.01,), cost)[0.01].margins == (margin, np.inf)


@given(st.integers(0, 2**32 - 1), st.sampled_from((0.0, 2.0, 8.0, 30.0)))
def test_no_exit_could_be_closed_to_save_anything(seed: int, cost: float) -> None:
    source = np.random.default_rng(seed)
    leads = source.gamma(2.0, 1.0, (3000, 4)).astype(np.float32)
    agrees = source.random((3000, 4)) < 1 - np.exp(-2 * leads)
    agrees[:, -1] = True
    depths = np.array([2, 9, 20, 60])
    margins = np.array(calibrate(leads, agrees, depths.tolist(), (0.05,), cost)[0.05].margins)

    def spent(margins: np.ndarray) -> float:
        stops = leads >= margins
        stops[:, -1] = True
        ends = stops.argmax(axis=1)
        looked = np.isfinite(margins)
        looked[-1] = True
        return float((depths[ends] + cost * np.cumsum(looked)[ends]).mean())

    for closed in np.flatnonzero(np.isfinite(margins)):
        fewer = margins.copy()
        fewer[closed:-1] = np.inf  # what one exit alone saves depends on those behind it
        assert spent(margins) <= spent(fewer)


@given(st.integers(0, 2**32 - 1), st.sampled_from((0.002, 0.01, 0.05, 0.2)))
def test_margins_keep_to_the_tolerance_and_ask_less_of_the_templates_than_none(seed: int, tolerance: float) -> None:
    source = np.random.default_rng(seed)
    leads = source.gamma(2.0, 1.0, (2000, 4)).astype(np.float32)
    agrees = source.random((2000, 4)) < 1 - np.exp(-2 * leads)
    agrees[:, -1] = True
    depths = np.array([1, 3, 6, 12])
    margins = np.array(calibrate(leads, agrees, depths.tolist(), (tolerance,))[tolerance].margins)
    ends = np.where((leads >= margins).any(axis=1), (leads >= margins).argmax(axis=1), 3)
    assert np.count_nonzero(~agrees[np.arange(2000), ends]) + 1 <= tolerance * 2000 or np.all(np.isinf(margins))
    assert depths[ends].mean() <= 12


def test_damaged_tables_are_refused(model: PrefixClassifier) -> None:
    arrays, facts = model.frozen_.state()
    damages = [
        ("directory", lambda a: a[:-1]),
        ("directory", lambda a: a[::-1]),
        ("directory", lambda a: a + 1),
        ("directory", lambda a: a[:0]),
        ("rows", lambda a: a[:-64]),
        ("rows", lambda a: a[:-1]),
        ("rows", lambda a: a.astype(np.int32)),
        ("filled", lambda a: a[:-1]),
        ("filled", lambda a: np.full_like(a, 255)),
        ("set_members", lambda a: a[::-1]),
        ("set_members", lambda a: a + 3),
        ("set_begins", lambda a: a[:1]),
    ]
    for name, damage in damages:
        with pytest.raises(ModelError):
            Frozen.from_state({**arrays, name: np.ascontiguousarray(damage(arrays[name]))}, facts)
    for name in arrays:
        with pytest.raises(ModelError):
            Frozen.from_state({key: value for key, value in arrays.items() if key != name}, facts)
    for wrong in ({"scale": 0.0}, {"scale": float("nan")}, {"labels": 200}, {"labels": "x"}, {"stops": [{}]}):
        with pytest.raises(ModelError):
            Frozen.from_state(arrays, {**facts, **wrong})
    sparse = np.zeros(64, np.uint8)
    sparse[0], sparse[4] = 1, 9
    with pytest.raises(ModelError, match="outside itself"):
        Table(
            labels=300, scale=1.0, directory=np.array([0, 1], np.uint64), buckets=sparse, pairs=np.zeros(3, np.uint32)
        )


def test_wrong_arrays_are_refused_with_a_reason() -> None:
    with pytest.raises(ValueError, match="two dimensions"):
        PrefixClassifier().fit([1, 2], [0, 1])
    with pytest.raises(ValueError, match="integers"):
        PrefixClassifier().fit([[0.5]], [0])
    with pytest.raises(ValueError, match="one label per row"):
        PrefixClassifier().fit([[1], [2]], [0])
    with pytest.raises(ValueError, match="columns"):
        PrefixClassifier(templates=[(3,)]).fit([[1], [2]], [0, 1])


def test_exits_that_no_lead_is_enough_for_are_not_looked_at() -> None:
    table = Table(2, 1.0, np.arange(5, dtype=np.uint64), np.zeros(4 * 64, np.uint8), np.zeros(0, np.uint32))
    stop = Stop((1, 2, 3, 4), (math.inf, 0.5, math.inf, math.inf))
    assert list(stop.exits(table)) == list(Stop((2, 4), (0.5, math.inf)).exits(table))
    with pytest.raises(ValueError, match="exit"):
        Stop((1, 9), (math.inf, math.inf)).exits(table)
