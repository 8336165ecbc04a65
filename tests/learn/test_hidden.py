"""Hidden rows: gradients, training, freezing, model state."""

import numpy as np
import pytest

from laconic._core.features import Plan, Slot
from laconic._core.learn import Examples, HiddenTable, Network, instruction_set, instruction_sets, use_instruction_set
from laconic.corpus import Doc
from laconic.errors import ConfigError, ModelError
from laconic.features import atoms
from laconic.learn import Frozen, HiddenSettings, Stop, train_hidden, word_vectors
from laconic.learn.classifier import column_plan
from laconic.progress import finished


def parity(seed: int = 0, size: int = 4000, columns: int = 4) -> tuple[np.ndarray, np.ndarray]:
    """Labels that no sum of column weights can give: the parity of two columns, and a third."""
    x = np.random.default_rng(seed).integers(0, 4, (size, columns)).astype(np.uint32)
    return x + 2, (x[:, 0] % 2 ^ x[:, 1] % 2) + 2 * (x[:, 2] == 3)


def plan_of(columns: int, templates: list[tuple[int, ...]] | None = None) -> Plan:
    return column_plan(columns, templates)


def direct_plan(columns: int) -> Plan:
    """Templates whose features have rows of their own: attributes that are not of a word's form."""
    slots = [Slot(attribute=13, node=0, index=column) for column in range(columns)]
    return Plan(slots, [[column] for column in range(columns)], [f"column {column}" for column in range(columns)])


def examples_of(plan: Plan, x: np.ndarray, y: np.ndarray, cutoff: int = 1, labels: int | None = None) -> Examples:
    examples = Examples(len(plan), labels or int(y.max()) + 1)
    sets = np.array([examples.add_set([label]) for label in range(examples.labels)], np.uint32)
    examples.add_rows(plan, x, sets[y], np.zeros(len(x), np.uint32))
    examples.finish(cutoff)
    return examples


def network_of(examples: Examples, plan: Plan, exits: tuple[int, ...] = ()) -> Network:
    settings = HiddenSettings(units=32, exits=exits, row_dropout=0.0, unit_dropout=0.0, exit_weight=0.5)
    return settings.network(examples, plan)


def test_words_with_the_same_neighbours_start_with_vectors_alike() -> None:
    random = np.random.default_rng(5)
    subjects, verbs = ["cat", "dog", "hen"], ["runs", "sits", "eats"]
    words = [[subjects[a], verbs[b]] for a, b in random.integers(0, 3, (600, 2))]
    doc = Doc.from_words(words)
    found, vectors = word_vectors(doc, HiddenSettings(units=32, window=1))
    assert vectors.shape == (6, 32)
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    place = {int(one): at for at, one in enumerate(found)}
    rows = [place[int(one)] for one in atoms([*subjects, *verbs])]
    alike = unit[rows] @ unit[rows].T
    same = np.kron(np.eye(2), np.ones((3, 3))).astype(bool)
    assert alike[same].min() > alike[~same].max()
    assert np.array_equal(vectors, word_vectors(doc, HiddenSettings(units=32, window=1))[1])


@pytest.mark.parametrize("make", [plan_of, direct_plan])
def test_gradients_agree_with_finite_differences(make):
    x, y = parity(size=12)
    plan = make(4)
    examples = examples_of(plan, x, y)
    network = network_of(examples, plan, (1, 2))
    random = np.random.default_rng(3)
    for part, spread in enumerate((0.5, 0.0, 0.5, 0.3, 0.1)):  # away from the start, where most gradients vanish
        for place in range(len(network.gradients(examples)[part + 1])):
            network.shift(part, place, spread * random.standard_normal())
    _, *gradients = network.gradients(examples)
    step = 2e-3
    for part, gradient in enumerate(gradients):
        for place in random.permutation(len(gradient))[:25]:
            network.shift(part, int(place), step)
            above = network.gradients(examples)[0]
            network.shift(part, int(place), -2 * step)
            below = network.gradients(examples)[0]
            network.shift(part, int(place), step)
            assert (above - below) / (2 * step) == pytest.approx(gradient[place], abs=2e-2, rel=2e-2)


def test_hidden_rows_learn_what_linear_rows_cannot():
    x, y = parity()
    plan = plan_of(4)
    examples = examples_of(plan, x, y)
    settings = HiddenSettings(units=32, epochs=10, exits=(2,), cutoff=1, rate=0.01)
    network = finished(train_hidden(examples, plan, settings))
    frozen = Frozen(network.freeze(examples, plan), examples.label_sets())
    fresh, right = parity(seed=1, size=500)
    labels, depths, _ = frozen.decide(plan, fresh, Stop.never(4))
    assert np.mean(labels == right) > 0.98
    assert set(depths) == {4}


def test_early_exits_stop_where_their_output_layer_is_sure():
    x, y = parity()
    y = y % 2  # two columns suffice
    plan = plan_of(4)
    examples = examples_of(plan, x, y)
    network = finished(train_hidden(examples, plan, HiddenSettings(units=32, epochs=10, exits=(2,), rate=0.01)))
    frozen = Frozen(network.freeze(examples, plan), examples.label_sets())
    fresh, right = parity(seed=1, size=500)
    labels, depths, _ = frozen.decide(plan, fresh, Stop((2, 4), (1.0, np.inf)))
    assert np.mean(labels == right % 2) > 0.98
    assert np.mean(depths == 2) > 0.8


def test_an_exit_without_a_margin_is_as_good_as_none():
    x, y = parity(size=400)
    plan = plan_of(4)
    examples = examples_of(plan, x, y)
    network = finished(train_hidden(examples, plan, HiddenSettings(units=32, epochs=3, exits=(1, 2, 3), rate=0.01)))
    frozen = Frozen(network.freeze(examples, plan), examples.label_sets())
    open_exits = frozen.decide(plan, x, Stop((1, 3, 4), (0.5, 0.3, np.inf)))
    closed_exit = frozen.decide(plan, x, Stop((1, 2, 3, 4), (0.5, np.inf, 0.3, np.inf)))
    assert len(set(open_exits[1])) > 1
    for one, other in zip(open_exits, closed_exit, strict=True):
        assert np.array_equal(one, other)


def test_an_exit_without_output_layer_is_refused():
    x, y = parity(size=50)
    plan = plan_of(4)
    examples = examples_of(plan, x, y)
    table = network_of(examples, plan, (2,)).freeze(examples, plan)
    with pytest.raises(ValueError, match="no output layer after 3"):
        table.exits([3, 4], [1.0, 1.0])


@pytest.mark.parametrize("make", [plan_of, direct_plan])
def test_frozen_scores_stay_close_to_those_of_the_network(make):
    x, y = parity(size=1500)
    plan = make(4)
    examples = examples_of(plan, x, y)
    settings = HiddenSettings(units=64, epochs=4, exits=(2,), rate=0.01, row_dropout=0.0, unit_dropout=0.0)
    network = finished(train_hidden(examples, plan, settings))
    real = network.scores(examples)
    table = network.freeze(examples, plan)
    whole = table.prefix_scores(plan, x, [2, 4]) / table.scale
    assert np.abs(real - whole).max() < 0.05 * np.abs(real).max()


def test_a_large_weight_of_one_label_leaves_the_others_fine():
    """All exits and labels share one scale, and some have weights of quite another size."""
    x, y = parity(size=1500)
    plan = plan_of(4)
    examples = examples_of(plan, x, y)
    settings = HiddenSettings(units=64, epochs=4, exits=(2,), rate=0.01, row_dropout=0.0, unit_dropout=0.0)
    network = finished(train_hidden(examples, plan, settings))
    before = network.scores(examples)[:, 1]
    network.shift(3, 0, 100.0)  # the first unit of the first label at the first exit
    table = network.freeze(examples, plan)
    found = table.prefix_scores(plan, x, [4])[:, 0] / table.scale
    assert np.abs(found - before).max() < 0.05 * np.abs(before).max()


def test_the_rate_falls_evenly_and_with_labelled_text_in_two_parts():
    settings = HiddenSettings(epochs=4, last_rate=0.1, treebank_epochs=1, treebank_rate=0.4)
    alone = [settings.shares(epoch) for epoch in range(4)]
    assert alone[0][0] == 1
    assert alone[-1][1] == pytest.approx(0.1)
    assert np.ptp([first - last for first, last in alone]) == pytest.approx(0)
    both = [settings.shares(epoch, labelled=True) for epoch in range(4)]
    assert [first for first, _ in both] == pytest.approx([1, 0.8, 0.6, 0.4])
    assert [last for _, last in both] == pytest.approx([0.8, 0.6, 0.4, 0.1])
    high = HiddenSettings(epochs=2, last_rate=0.5, treebank_epochs=1, treebank_rate=0.2)
    assert [high.shares(epoch, labelled=True) for epoch in range(2)] == [(1, 0.5), (0.5, 0.5)]
    never = HiddenSettings(epochs=2, treebank_epochs=0)
    assert [never.shares(epoch, labelled=True) for epoch in range(2)] == [never.shares(epoch) for epoch in range(2)]


def test_training_and_freezing_give_the_same_bytes_every_time():
    x, y = parity(size=800)
    plan = plan_of(4)
    states = []
    for _ in range(2):
        examples = examples_of(plan, x, y)
        network = finished(train_hidden(examples, plan, HiddenSettings(units=32, epochs=2, exits=(2,))))
        states.append(Frozen(network.freeze(examples, plan), examples.label_sets()).state())
    assert states[0][1] == states[1][1]
    assert all(np.array_equal(states[0][0][name], states[1][0][name]) for name in states[0][0])


def test_instruction_sets_give_equal_scores():
    x, y = parity(size=300)
    plan = plan_of(4)
    examples = examples_of(plan, x, y)
    table = finished(train_hidden(examples, plan, HiddenSettings(units=64, epochs=1))).freeze(examples, plan)
    before = instruction_set()
    try:
        found = [table.prefix_scores(plan, x, [4]) for name in instruction_sets() if use_instruction_set(name)]
    finally:
        use_instruction_set(before)
    assert all(np.array_equal(one, found[0]) for one in found)


def random_layer(random: np.random.Generator, units: int, labels: int) -> HiddenTable:
    """A table without rows: an output layer."""
    limit = 220_000 // units
    return HiddenTable(
        units=units,
        labels=labels,
        shift=12,
        scale=1.0,
        exits=np.array([1], np.uint32),
        folds=np.array([1], np.uint32),
        start=np.zeros(units, np.int16),
        outputs=random.integers(-limit, limit + 1, labels * units).astype(np.int16),
        offsets=random.integers(-100_000_000, 100_000_001, labels).astype(np.int32),
        directory=np.array([0, 1], np.uint32),
        slots=np.zeros(2, np.uint32),
        rows=np.zeros(0, np.uint8),
    )


@pytest.mark.parametrize(("units", "labels"), [(32, 3), (64, 16), (64, 99), (96, 130), (64, 300), (1024, 40)])
def test_every_instruction_set_finds_the_leaders_of_an_output_layer(units: int, labels: int) -> None:
    """As written down: squares of positive sums, products, the first of the highest wins; few labels and many."""
    random = np.random.default_rng(units + labels)
    table = random_layer(random, units, labels)
    weights, offsets = table.outputs().reshape(labels, units).astype(np.int64), table.offsets().astype(np.int64)
    before = instruction_set()
    for trial in range(40):
        spread = (5, 300, 40_000)[trial % 3]
        sums = np.clip(random.integers(-spread, spread, units), -32768, 32767).astype(np.int16)
        sums[random.random(units) < trial % 4 / 4] = 0
        count = random.integers(2, labels + 1)
        chosen = np.sort(random.choice(labels, count, replace=False))
        active = np.minimum(np.maximum(sums.astype(np.int64), 0) ** 2 >> 12, 4095)
        scores = (offsets + weights @ active)[chosen]
        order = np.argsort(-scores, kind="stable")
        expected = (int(chosen[order[0]]), int(scores[order[0]] - scores[order[1]]))
        try:
            for name in instruction_sets():
                use_instruction_set(name)
                best, margin, found = table.lead(sums, 1, chosen.tolist())
                assert (best, margin) == expected, name
                assert np.array_equal(found, scores), name
        finally:
            use_instruction_set(before)


def test_the_first_of_equal_labels_leads() -> None:
    table = random_layer(np.random.default_rng(1), 64, 60)
    frame = {name: getattr(table, name)() for name in ("start", "directory", "slots", "rows", "folds")}
    same = HiddenTable(
        units=64, labels=60, shift=12, scale=1.0, exits=np.array([1], np.uint32), **frame,
        outputs=np.zeros(60 * 64, np.int16), offsets=np.full(60, -7, np.int32),
    )  # fmt: skip
    before = instruction_set()
    try:
        for name in instruction_sets():
            use_instruction_set(name)
            for chosen in ([5, 9, 30], list(range(17, 60))):
                assert same.lead(np.ones(64, np.int16), 1, chosen)[:2] == (chosen[0], 0)
    finally:
        use_instruction_set(before)


def test_state_round_trip_and_damage():
    x, y = parity(size=300)
    plan = plan_of(4)
    examples = examples_of(plan, x, y)
    network = finished(train_hidden(examples, plan, HiddenSettings(units=32, epochs=1, exits=(2,))))
    frozen = Frozen(network.freeze(examples, plan), examples.label_sets())
    arrays, facts = frozen.state()
    again = Frozen.from_state(arrays, facts)
    assert isinstance(again.table, HiddenTable)
    assert np.array_equal(again.table.prefix_scores(plan, x, [2, 4]), frozen.table.prefix_scores(plan, x, [2, 4]))
    for name in ("rows", "slots", "directory", "outputs", "offsets", "start", "folds", "exits"):
        with pytest.raises(ModelError):
            Frozen.from_state(arrays | {name: arrays[name][:-1]}, facts)
    for name, value in (("units", 16), ("shift", 40), ("labels", 0), ("scale", 0.0), ("scorer", "other")):
        with pytest.raises(ModelError):
            Frozen.from_state(arrays, facts | {name: value})
    places = arrays["slots"].copy()
    places[1::2] = len(arrays["rows"])
    with pytest.raises(ModelError, match="number of a row in a slot"):
        Frozen.from_state(arrays | {"slots": places}, facts)


@pytest.mark.parametrize(
    "wrong",
    [
        {"units": 40},
        {"units": 16},
        {"row_dropout": 1.0},
        {"epochs": 0},
        {"floor": -1},
        {"window": -1},
        {"rate": float("nan")},
    ],
)
def test_settings_that_cannot_work_are_refused(wrong):
    with pytest.raises(ConfigError):
        HiddenSettings(**wrong)


def test_rows_are_summed_by_their_numbers() -> None:
    x, y = parity()
    plan = plan_of(4, [(0, 1), (2,)])
    examples = examples_of(plan, x, y)
    table = finished(train_hidden(examples, plan, HiddenSettings(units=32, epochs=1))).freeze(examples, plan, None, 1)
    rows = table.rows().view(np.int8).reshape(-1, table.units)
    chosen = np.random.default_rng(2).integers(0, len(rows), 150).astype(np.uint32)
    assert np.array_equal(table.sum(chosen), rows[chosen].sum(axis=0, dtype=np.int16))
    with pytest.raises(IndexError):
        table.sum(np.array([len(rows)], np.uint32))
