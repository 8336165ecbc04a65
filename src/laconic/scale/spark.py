"""Spark: a column of texts parsed by ``mapInArrow``, in Python workers that load the model once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from laconic.interop.optional import needed
from laconic.pipeline.loading import path_of
from laconic.pipeline.tables import OnError, RowsOf, TableSettings
from laconic.scale.work import TableWork, worker_faults


def parse(
    frame: Any,
    model: str = "en",
    *,
    text: str = "text",
    effort: str | float | None = None,
    rows: RowsOf = "document",
    columns: Sequence[str] | None = None,
    into: str = "words",
    prefix: str = "",
    on_error: OnError = "raise",
    id_column: str | None = None,
    ship: bool = False,
    **options: Any,
) -> Any:
    """The frame with the words of its texts, as ``Pipeline.map_table`` has it; lazy, as all of Spark.

    The model must lie at the same place, or be installed under its name, on every machine; or ``ship`` sends it there
    with ``addFile``. Workers that find another model refuse to work. No shuffle: partitions stay what they are.
    """
    types = needed("pyspark.sql.pandas.types", "spark")
    settings = TableSettings(text, rows, columns, into, prefix, on_error)
    work = TableWork.of(model, effort, settings, id_column, options)
    schema = types.from_arrow_schema(settings.schema(types.to_arrow_schema(frame.schema)))
    shipped = ""
    if ship:
        path = path_of(model).absolute()
        frame.sparkSession.sparkContext.addFile(str(path))
        shipped = path.name

    def run(batches: Iterable[Any]) -> Iterator[Any]:
        place = needed("pyspark", "spark").SparkFiles.get(shipped) if shipped else ""
        for batch in batches:
            yield work(batch, place)

    return frame.mapInArrow(run, schema)


def parse_files(files: list[str], format: str, output: str, to: str, master: str | None, **settings: Any) -> int:
    """Files to a directory of files; how many there are then. ``master`` is an address of a cluster; None: this
    machine, with as many workers as cores."""
    sql = needed("pyspark.sql", "spark")
    builder = sql.SparkSession.builder.appName("laconic").config("spark.ui.enabled", "false")
    session = builder.master(master or "local[*]").getOrCreate()
    try:
        reader = session.read
        if format == "csv":
            reader = reader.option("header", True).option("multiLine", True).option("escape", '"')
        load = {"parquet": reader.parquet, "csv": reader.csv, "jsonl": reader.json}[format]
        made = parse(load([str(Path(file).absolute()) for file in files]), **settings).write
        place = str(Path(output).absolute())
        if to == "csv":
            made = made.option("header", True).option("escape", '"')
        with worker_faults():
            {"parquet": made.parquet, "csv": made.csv, "jsonl": made.json}[to](place)
    finally:
        session.stop()
    return len(list(Path(output).glob("part-*")))
