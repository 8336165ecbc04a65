"""What workers of engines do, without an engine."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from laconic.errors import ConfigError, InputError, ModelError
from laconic.pipeline import Pipeline
from laconic.pipeline.tables import TableSettings
from laconic.scale.work import TableWork, engine_faults


def test_work_is_small_and_gives_what_the_pipeline_gives(table: Any, small_model: Path) -> None:
    import pickle

    work = TableWork.of(str(small_model), "balanced", TableSettings(), "id")
    sent = pickle.dumps(work)
    assert len(sent) < 2000
    few = table.slice(0, 20)
    assert pickle.loads(sent)(few) == Pipeline.load(small_model).at("balanced").map_table(few)


def test_a_model_that_was_not_calibrated_works_at_its_own_effort(table: Any, small_model: Path, tmp_path: Path) -> None:
    whole, path = Pipeline.load(small_model), tmp_path / "uncalibrated.laconic"
    Pipeline(whole.components, {}, whole.provenance).save(path)
    few = table.slice(0, 5)
    assert TableWork.of(str(path), None, TableSettings())(few) == whole.at("full").map_table(few)


def test_a_worker_with_another_model_refuses_to_work(table: Any, small_model: Path) -> None:
    work = TableWork.of(str(small_model), "full", TableSettings())
    with pytest.raises(ModelError, match="not the one that the work was given"):
        replace(work, digest="0" * 64)(table)


def test_mistakes_are_told_before_an_engine_starts(small_model: Path) -> None:
    with pytest.raises(ConfigError, match="no effort"):
        TableWork.of(str(small_model), "quick", TableSettings())
    with pytest.raises(ModelError, match="no such model"):
        TableWork.of("nosuch.laconic", "full", TableSettings())


def test_a_column_of_ids_must_be_there_though_it_names_errors_only(table: Any, small_model: Path) -> None:
    work = TableWork.of(str(small_model), None, TableSettings(), "no")
    with pytest.raises(ConfigError, match="no column 'no' of ids"):
        work(table)


def test_what_a_worker_found_is_told_without_the_traces_around_it() -> None:
    trace = (
        "Job aborted\n  File 'x', line 1\nlaconic.errors.InputError: row 1 (id b): 1:1: byte 0 is not UTF-8\n\n\tat x"
    )
    with pytest.raises(InputError, match=r"^row 1 \(id b\): 1:1: byte 0 is not UTF-8$"), engine_faults("Ray"):
        raise RuntimeError(trace)
    with pytest.raises(InputError, match=r"^Ray failed: out of memory$"), engine_faults("Ray"):
        raise RuntimeError("out of memory\nof some node")
    trace = "Job aborted\n\tat x\nCaused by: java.io.IOException: No space left\n\tat y\n"
    with pytest.raises(InputError, match=r"Spark failed: Caused by: java.io.IOExc.*: No space"), engine_faults("Spark"):
        raise RuntimeError(trace)
