"""Spark with two executors, which are processes of this machine."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cli.command import laconic
from scale.conftest import Killer, Marked, check_untyped, in_order

from laconic.errors import ConfigError, ModelError

pytest.importorskip("pyspark")
parquet = pytest.importorskip("pyarrow.parquet")
if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
    pytest.skip("Spark needs Java", allow_module_level=True)
pytestmark = pytest.mark.filterwarnings("ignore")  # of what Spark imports

from laconic.scale.spark import parse  # noqa: E402


@pytest.fixture(scope="module")
def spark(marked: Marked) -> Iterator[Any]:
    from pyspark.sql import SparkSession

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    session = (
        SparkSession.builder.master("local-cluster[2,1,1024]")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.execution.arrow.maxRecordsPerBatch", "25")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()


def frame(spark: Any, table: Any) -> Any:
    rows = [tuple(row.values()) for row in table.to_pylist()]
    return spark.createDataFrame(rows, "id string, text string, year long").repartition(6)


def test_the_result_is_that_of_one_machine_though_an_executor_is_killed(
    spark: Any, marked: Marked, table: Any, expected: Any, small_model: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    killer = Killer(marked.mark, "CoarseGrainedExecutorBackend", lambda: any(out.rglob("*.parquet")))
    killer.start()
    try:
        made = parse(frame(spark, table), str(small_model), id_column="id", ship=True)
        made.write.parquet(str(out))
    finally:
        killer.stopped.set()
        killer.join()
    assert killer.killed, "the job was over before an executor could be killed"
    found = parquet.read_table(out)
    assert sorted(found["id"].to_pylist()) == table["id"].to_pylist()  # complete, and nothing twice
    assert in_order(found) == in_order(expected)


def test_a_row_per_word_is_what_one_machine_gives(spark: Any, table: Any, small_model: Path) -> None:
    from laconic.pipeline import Pipeline

    few = table.slice(0, 30)
    columns = ["form", "upos", "sentence"]
    made = parse(frame(spark, few), str(small_model), rows="word", columns=columns)
    found = sorted(tuple(row) for row in made.collect())
    alone = Pipeline.load(small_model).at("balanced").map_table(few, rows="word", columns=columns)
    assert found == sorted(tuple(row.values()) for row in alone.to_pylist())


def test_mistakes_are_told_before_anything_runs(spark: Any, table: Any, small_model: Path) -> None:
    given = frame(spark, table.slice(0, 3))
    with pytest.raises(ConfigError, match="no column 'body' of texts"):
        parse(given, str(small_model), text="body")
    with pytest.raises(ConfigError, match="must hold texts"):
        parse(given, str(small_model), text="year")
    with pytest.raises(ConfigError, match="no column 'no' of ids"):
        parse(given, str(small_model), id_column="no")
    with pytest.raises(ModelError, match="no such model"):
        parse(given, "nosuch.laconic")


def test_the_command_says_what_an_engine_cannot_do(table: Any, small_model: Path, tmp_path: Path) -> None:
    parquet.write_table(table, tmp_path / "corpus.parquet")
    for options, message in (
        (("--engine", "flink", "-o", f"{tmp_path}/out/"), "no engine 'flink'"),
        (("--engine", "spark", "-o", f"{tmp_path}/out.parquet"), "an engine writes many files"),
        (("--engine", "spark", "-o", f"{tmp_path}/out/", "--resume"), "is not for engines"),
        (("--engine", "spark", "-o", f"{tmp_path}/out/", "--to", "arrow"), "engines do not write arrow"),
        (("--master", "local", "-o", f"{tmp_path}/out/"), "say the engine"),
    ):
        done = laconic("parse", tmp_path / "corpus.parquet", "-m", small_model, *options)
        assert (done.code, message in done.err) == (2, True), done.err


def test_the_command_parses_on_spark(
    marked: Marked, table: Any, expected: Any, small_model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    parquet.write_table(table, tmp_path / "corpus.parquet")
    options = ("--engine", "spark", "-m", small_model, "-e", "balanced", "--id-column", "id")
    done = laconic("parse", tmp_path / "corpus.parquet", *options, "-o", f"{tmp_path}/out/")
    assert done.code == 0, done.err
    assert in_order(parquet.read_table(tmp_path / "out")) == in_order(expected)
    check_untyped("spark", small_model, tmp_path)
    import pyarrow

    broken = pyarrow.table({"id": ["a", "b"], "text": pyarrow.array([b"Lo", b"\xff"])})
    parquet.write_table(broken, tmp_path / "broken.parquet")
    failed = laconic(
        "parse",
        tmp_path / "broken.parquet",
        "--engine",
        "spark",
        "-m",
        small_model,
        "--id-column",
        "id",
        "-o",
        f"{tmp_path}/none/",
    )
    assert failed.code == 1
    assert "laconic: row 1 (id b): 1:1: byte 0 is not UTF-8" in failed.err
