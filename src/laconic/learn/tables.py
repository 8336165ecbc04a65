"""Frozen weights of any scorer as plain arrays and facts, and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from laconic._core.learn import FactorTable, HiddenTable, Table

AnyTable = Table | HiddenTable
FINGERPRINT = 2
"""Bytes at the begin of each slot of a linear table."""
LARGEST_STRIDE = 128
"""Bytes of a slot at most."""


def table_state(table: AnyTable) -> tuple[dict[str, npt.NDArray[Any]], dict[str, Any]]:
    facts: dict[str, Any] = {"labels": table.labels, "scale": table.scale}
    if isinstance(table, Table):
        arrays, sizes = _packed(table)
        return arrays, facts | {"scorer": "linear"} | sizes
    return {
        "exits": table.exit_depths(),
        "folds": table.folds(),
        "start": table.start(),
        "outputs": table.outputs(),
        "offsets": table.offsets(),
        "directory": table.directory(),
        "slots": table.slots(),
        "rows": table.rows(),
    }, facts | {"scorer": "hidden", "units": table.units, "shift": table.shift}


def table_from(arrays: Mapping[str, npt.NDArray[Any]], facts: Mapping[str, Any]) -> AnyTable:
    """KeyError, TypeError, ValueError or ModelError where something is missing or out of bounds."""
    if facts["scorer"] == "linear":
        return Table(
            labels=facts["labels"],
            scale=facts["scale"],
            directory=arrays["directory"],
            buckets=_buckets(arrays["filled"], arrays["rows"], facts["slots"], facts["stride"]),
            pairs=_pairs(arrays["pairs"]),
        )
    if facts["scorer"] != "hidden":
        raise ValueError(f"no scorer {facts['scorer']!r}")
    names = ("exits", "folds", "start", "outputs", "offsets", "directory", "slots", "rows")
    return HiddenTable(
        units=facts["units"],
        labels=facts["labels"],
        shift=facts["shift"],
        scale=facts["scale"],
        **{name: arrays[name] for name in names},
    )


def _packed(table: Table) -> tuple[dict[str, npt.NDArray[Any]], dict[str, int]]:
    """A linear table as a file has it: without the third of its slots that are empty, and without the lanes of a slot
    that no label has. In memory both are there for speed; the English model is a fifth smaller."""
    slots = table.buckets().reshape(-1, table.stride)
    filled = slots[:, :FINGERPRINT].any(axis=1)  # an empty slot has no fingerprint
    width = table.stride if table.sparse else FINGERPRINT + table.labels
    pairs = np.ascontiguousarray(table.pairs(), "<u4").view(np.uint8).reshape(-1, 4)[:, :3]  # the last byte is unused
    arrays: dict[str, npt.NDArray[Any]] = {
        "directory": table.directory(),
        "filled": np.packbits(filled),
        "rows": slots[filled, :width].reshape(-1),
        "pairs": pairs.reshape(-1),
    }
    return arrays, {"slots": len(slots), "stride": table.stride}


def _buckets(filled: npt.NDArray[Any], rows: npt.NDArray[Any], slots: int, stride: int) -> npt.NDArray[np.uint8]:
    """The slots of a table in memory. ValueError where the arrays do not fit together; whether they fit the table is
    for the table to say."""
    _check_bytes(filled)
    _check_bytes(rows)
    if not (0 < stride <= LARGEST_STRIDE and len(filled) == -(-slots // 8)):
        raise ValueError("the sizes of the weight table are out of bounds")
    used = np.flatnonzero(np.unpackbits(filled, count=slots))
    width = len(rows) // max(1, len(used))
    if not width <= stride or width * len(used) != len(rows):
        raise ValueError("the weight table has other rows than it says")
    buckets = np.zeros((slots, stride), np.uint8)
    buckets[used, :width] = rows.reshape(len(used), width)
    return buckets.reshape(-1)


def _pairs(packed: npt.NDArray[Any]) -> npt.NDArray[np.uint32]:
    """Labels and weights of a table with many labels, three bytes each. ValueError for a part of one."""
    _check_bytes(packed)
    pairs = np.zeros((len(packed) // 3, 4), np.uint8)
    pairs[:, :3] = packed.reshape(-1, 3)
    return pairs.view("<u4").reshape(-1).astype(np.uint32, copy=False)


def _check_bytes(array: npt.NDArray[Any]) -> None:
    if array.dtype != np.uint8 or array.ndim != 1:
        raise ValueError("the weight table is not a row of bytes")


FACTORS = ("lanes", "steps", "starts", "outputs", "directory", "slots", "rows")


def factor_state(table: FactorTable) -> tuple[dict[str, npt.NDArray[Any]], dict[str, Any]]:
    arrays = {name: getattr(table, name)() for name in FACTORS}
    return arrays, {"labels": table.labels, "buckets": table.buckets, "depth": table.templates}


def factor_table(arrays: Mapping[str, npt.NDArray[Any]], facts: Mapping[str, Any]) -> FactorTable:
    """KeyError, TypeError or ModelError where something is missing or out of bounds."""
    return FactorTable(
        labels=facts["labels"],
        buckets=facts["buckets"],
        templates=facts["depth"],
        **{name: arrays[name] for name in FACTORS},
    )
