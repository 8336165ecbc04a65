"""Linear tables as files have them: without empty slots and lanes, and the same table again."""

from __future__ import annotations

import numpy as np
import pytest

from laconic._core.learn import Table
from laconic.errors import ModelError
from laconic.learn import PrefixClassifier, Settings
from laconic.learn.tables import table_from, table_state

TEMPLATES = [(0,), (1,), (0, 1)]


def trained(labels: int) -> Table:
    source = np.random.default_rng(labels)
    x = source.integers(0, 40, size=(1500, 2))
    found = PrefixClassifier(Settings(cutoff=1, epochs=2), TEMPLATES).fit(x, (x[:, 0] * 7 + x[:, 1]) % labels)
    table = found.frozen_.table
    assert isinstance(table, Table)
    return table


@pytest.mark.parametrize("labels", [1, 2, 14, 17, 126, 127, 200])
def test_a_table_comes_back_as_it_was(labels: int) -> None:
    table = trained(labels)
    again = table_from(*table_state(table))
    assert isinstance(again, Table)
    assert np.array_equal(again.buckets(), table.buckets())
    assert np.array_equal(again.pairs(), table.pairs())
    assert np.array_equal(again.directory(), table.directory())


def test_empty_slots_and_lanes_are_not_stored() -> None:
    table = trained(17)
    arrays, _ = table_state(table)
    slots = table.buckets().reshape(-1, table.stride)
    used = int(slots[:, :2].any(axis=1).sum())
    assert arrays["rows"].nbytes == used * 19
    assert arrays["filled"].nbytes == -(-len(slots) // 8)
    assert sum(array.nbytes for array in arrays.values()) < table.buckets().nbytes / 2


@pytest.mark.parametrize("labels", [17, 200])
@pytest.mark.parametrize(
    ("name", "value"), [("slots", -1), ("slots", 10**12), ("slots", 5), ("stride", 0), ("stride", 10**9), ("stride", 3)]
)
def test_wrong_sizes_are_refused(labels: int, name: str, value: int) -> None:
    arrays, facts = table_state(trained(labels))
    with pytest.raises((ValueError, ModelError)):
        table_from(arrays, facts | {name: value})


@pytest.mark.parametrize("name", ["filled", "rows", "pairs"])
def test_missing_parts_are_refused(name: str) -> None:
    arrays, facts = table_state(trained(200))
    with pytest.raises((ValueError, ModelError)):
        table_from(arrays | {name: arrays[name][:-1]}, facts)
