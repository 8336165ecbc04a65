"""Frozen weights of any scorer as plain arrays and facts, and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy.typing as npt

from laconic._core.learn import FactorTable, HiddenTable, Table

AnyTable = Table | HiddenTable


def table_state(table: AnyTable) -> tuple[dict[str, npt.NDArray[Any]], dict[str, Any]]:
    facts: dict[str, Any] = {"labels": table.labels, "scale": table.scale}
    if isinstance(table, Table):
        arrays: dict[str, npt.NDArray[Any]] = {
            "directory": table.directory(),
            "buckets": table.buckets(),
            "pairs": table.pairs(),
        }
        return arrays, facts | {"scorer": "linear"}
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
    """KeyError, TypeError or ModelError where something is missing or out of bounds."""
    if facts["scorer"] == "linear":
        return Table(
            labels=facts["labels"],
            scale=facts["scale"],
            directory=arrays["directory"],
            buckets=arrays["buckets"],
            pairs=arrays["pairs"],
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
