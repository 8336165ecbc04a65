"""What a worker of an engine does with a batch of rows, and what it must know for that."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from laconic.errors import InputError, LaconicError, ModelError
from laconic.pipeline import Pipeline, load
from laconic.pipeline.components import segmenter_of
from laconic.pipeline.loading import find
from laconic.pipeline.tables import TableSettings, map_table

FORMATS = ("parquet", "csv", "jsonl")
"""Of files that engines read and write."""
FAULT = re.compile(r"laconic\.errors\.\w+: (.+)")
"""The last line of a trace that ends in an error of laconic's."""
REASON = re.compile(r"(Caused by: )?[\w.$]+(Error|Exception|Invalid): .")
"""A line of a trace, of Python or Java, that says what happened."""


@dataclass(frozen=True)
class TableWork:
    """A model by name or path and digest, and what is done with it: small, so that it is sent to every worker."""

    model: str
    digest: str
    effort: str | float | None
    """None: the model's own."""
    settings: TableSettings
    id_column: str | None = None
    options: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        model: str,
        effort: str | float | None,
        settings: TableSettings,
        id_column: str | None = None,
        options: dict[str, Any] | None = None,
    ) -> TableWork:
        """ConfigError or ModelError here, before an engine starts, for an effort or a model that there is not. The
        path is made absolute: workers have other working directories."""
        pipeline = load(model).at(effort)
        segmenter_of(pipeline.components)
        found = find(model)
        return cls(
            found.name or str(found.path.absolute()), pipeline.digest, effort, settings, id_column, options or {}
        )

    def __call__(self, batch: Any, place: str = "") -> Any:
        """The batch or table with its words. ``place`` is where the model lies here, if it was shipped. Rows are
        counted within the batch: an engine does not tell where it stands in the whole, ids do."""
        pipeline = _loaded(place or self.model, self.digest).at(self.effort)
        return map_table(pipeline, batch, self.settings, id_column=self.id_column, options=self.options)


@contextmanager
def engine_faults(engine: str) -> Iterator[None]:
    """What an engine fails of as an error of laconic's: what a worker found wrong with the input, without the traces of
    all processes on the way; or that the engine failed, and why, by the last line of what it says."""
    try:
        yield
    except (LaconicError, OSError):
        raise
    except Exception as error:
        told = FAULT.findall(str(error))
        if told:
            raise InputError(told[-1].strip()) from error
        lines = [line.strip() for line in str(error).splitlines() if REASON.match(line.strip())]
        reason = lines[-1] if lines else str(error).strip().partition("\n")[0] or type(error).__name__
        raise InputError(f"{engine} failed: {reason}") from error


@lru_cache(maxsize=2)
def _loaded(place: str, digest: str) -> Pipeline:
    """Once a process; ModelError unless it is the model of the one who asked."""
    pipeline = load(place)
    if pipeline.digest != digest:
        raise ModelError(f"{place}: the model file here is not the one that the work was given: ship it, or install it")
    return pipeline
