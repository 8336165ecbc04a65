"""Spark: a column of texts parsed by ``mapInArrow``, in Python workers that load the model once."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from laconic.interop.optional import needed
from laconic.pipeline.loading import path_of
from laconic.pipeline.table_files import TableFile
from laconic.pipeline.tables import OnError, RowsOf, TableSettings, check_id_column
from laconic.scale.work import TableWork, engine_faults


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
    given = types.to_arrow_schema(frame.schema)
    schema = types.from_arrow_schema(settings.schema(given))
    check_id_column(given, id_column)
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


def parse_files(files: Sequence[TableFile], output: str, to: str, master: str | None, **settings: Any) -> int:
    """Files of one format and one schema to a directory of files; how many there are then. ``master`` is an address of
    a cluster; None: this machine, with as many workers as cores. InputError for what the engine or a worker fails
    of."""
    sql = needed("pyspark.sql", "spark")
    if master is None:
        os.environ.setdefault(
            "PYSPARK_PYTHON", sys.executable
        )  # else the first python3 of the path, which may be another
    with engine_faults("Spark"):
        builder = sql.SparkSession.builder.appName("laconic").config("spark.ui.enabled", "false")
        session = builder.master(master or "local[*]").getOrCreate()
        try:
            session.sparkContext.setLogLevel("OFF")  # what goes wrong is raised
            made = parse(_read(session, files), **settings).write
            place = str(Path(output).absolute())
            if to == "csv":
                for side in ("Leading", "Trailing"):
                    made = made.option(f"ignore{side}WhiteSpace", False)
                made.option("header", True).option("escape", '"').csv(place)
            elif to == "jsonl":
                made.option("ignoreNullFields", False).json(place)
            else:
                made.parquet(place)
        finally:
            session.stop()
    return len(list(Path(output).glob("part-*")))


def _read(session: Any, files: Sequence[TableFile]) -> Any:
    """The columns that the files have on one machine. A row that does not fit them is an error."""
    paths = [str(Path(file.path).absolute()) for file in files]
    if files[0].format == "parquet":
        return session.read.parquet(*paths)
    types = needed("pyspark.sql.pandas.types", "spark")
    reader = session.read.schema(types.from_arrow_schema(files[0].schema())).option("mode", "FAILFAST")
    if files[0].format == "csv":
        # A null is what has no quotes: with Spark's own sign for it, which is empty, "" would be null as well.
        quoted = reader.option("multiLine", True).option("escape", '"').option("nullValue", "\0")
        return quoted.option("header", True).csv(paths)
    return reader.json(paths)
