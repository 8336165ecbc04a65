"""Ray Data: a column of texts parsed by actors, each of which loads the model once."""

from __future__ import annotations

import logging
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from laconic.errors import ConfigError
from laconic.interop.optional import needed
from laconic.pipeline.loading import path_of
from laconic.pipeline.table_files import TableFile, csv_options, json_line, json_options
from laconic.pipeline.tables import OnError, RowsOf, TableSettings, check_id_column
from laconic.scale.work import TableWork, engine_faults

BATCH = 1024
"""Rows that an actor gets at once."""


def parse(
    dataset: Any,
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
    workers: int | tuple[int, int] | None = None,
    batch_size: int = BATCH,
    **options: Any,
) -> Any:
    """The dataset with the words of its texts, as ``Pipeline.map_table`` has it; lazy, as all of Ray Data.

    ``workers``: so many actors, or between two numbers; None: between one and as many as there are CPUs but one, which
    is left for reading and writing. The model must lie at the same place, or be installed under its name, on every
    node; or ``ship`` sends it there. Workers that find another model at that place refuse to work. An actor that dies
    is started again, and its batch is done again.
    """
    ray = needed("ray", "ray")
    settings = TableSettings(text, rows, columns, into, prefix, on_error)
    work = TableWork.of(model, effort, settings, id_column, options)
    known = dataset.schema(fetch_if_missing=False)
    if known is not None and hasattr(known.base_schema, "metadata"):
        settings.schema(known.base_schema)
        check_id_column(known.base_schema, id_column)
    if workers is None:
        if not ray.is_initialized():
            ray.init()
        # One is left for those who read and write.
        workers = (1, max(1, int(ray.cluster_resources().get("CPU", 1)) - 1))
    least, most = workers if isinstance(workers, tuple) and len(workers) == 2 else (workers, workers)
    if not (type(least) is int and type(most) is int and 1 <= least <= most):
        raise ConfigError(f"workers must be a number from 1 on, or the least and the most, not {workers!r}")
    shipped = ray.put(path_of(model).read_bytes()) if ship else None
    return dataset.map_batches(
        Worker,
        fn_constructor_args=(work, [shipped] if ship else []),
        batch_format="pyarrow",
        batch_size=batch_size,
        zero_copy_batch=True,
        compute=needed("ray.data", "ray").ActorPoolStrategy(min_size=least, max_size=most),
    )


class Worker:
    """What an actor holds."""

    def __init__(self, work: TableWork, shipped: list[Any]) -> None:
        self.work, self._place, self._folder = work, "", None
        if shipped:
            data = needed("ray", "ray").get(shipped[0])
            self._folder = tempfile.TemporaryDirectory(prefix="laconic-")
            self._place = str(Path(self._folder.name) / "model.laconic")
            Path(self._place).write_bytes(data)

    def __call__(self, batch: Any) -> Any:
        return self.work(batch, self._place)


def parse_files(files: Sequence[TableFile], output: str, to: str, master: str | None, **settings: Any) -> int:
    """Files of one format and one schema to a directory of files; how many there are then. ``master`` is the address
    of a cluster (``auto``, ``ray://…``); None: this machine. InputError for what the engine or a worker fails of."""
    ray = needed("ray", "ray")
    data = needed("ray.data", "ray")
    logging.getLogger("ray.data").setLevel(logging.CRITICAL)  # what goes wrong is raised
    started = not ray.is_initialized()
    try:
        with engine_faults("Ray"):
            if started:
                ray.init(address=master or "local", logging_level="ERROR", log_to_driver=False)
            data.DataContext.get_current().enable_progress_bars = False
            made = parse(_read(data, files), **settings)
            place = str(Path(output).absolute())
            if to == "jsonl":
                made.write_datasink(_json_lines(data, place))
            else:
                {"parquet": made.write_parquet, "csv": made.write_csv}[to](place)
    finally:
        if started:
            ray.shutdown()
    return len(list(Path(output).glob("*")))


def _read(data: Any, files: Sequence[TableFile]) -> Any:
    """The columns that the files have on one machine, and none that Ray finds in the names of folders."""
    paths = [str(Path(file.path).absolute()) for file in files]
    schema = files[0].schema()
    if files[0].format == "csv":
        return data.read_csv(paths, partitioning=None, file_extensions=None, **csv_options(schema.names))
    if files[0].format == "jsonl":
        return data.read_json(paths, partitioning=None, file_extensions=None, **json_options(schema))
    return data.read_parquet(paths, partitioning=None, file_extensions=None)


def _json_lines(data: Any, place: str) -> Any:
    """Rows as one machine writes them: Ray's own writer makes floats of numbers beside nulls, and numbers of times."""

    class JsonLines(data.datasource.BlockBasedFileDatasink):  # type: ignore[misc]
        def write_block_to_file(self, block: Any, file: Any) -> None:
            for record in block.to_arrow().to_pylist():
                file.write(json_line(record))

    return JsonLines(place, file_format="jsonl")
