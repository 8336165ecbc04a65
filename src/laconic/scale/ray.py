"""Ray Data: a column of texts parsed by actors, each of which loads the model once."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from laconic.errors import ConfigError
from laconic.interop.optional import needed
from laconic.pipeline.loading import path_of
from laconic.pipeline.tables import OnError, RowsOf, TableSettings
from laconic.scale.work import TableWork, worker_faults

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
    if workers is None:
        if not ray.is_initialized():
            ray.init()
        # One is left for those who read and write.
        workers = (1, max(1, int(ray.cluster_resources().get("CPU", 1)) - 1))
    if isinstance(workers, bool) or not (isinstance(workers, int | tuple)):
        raise ConfigError(f"workers must be a number or two, not {workers!r}")
    shipped = ray.put(path_of(model).read_bytes()) if ship else None
    return dataset.map_batches(
        Worker,
        fn_constructor_args=(work, [shipped] if ship else []),
        batch_format="pyarrow",
        batch_size=batch_size,
        zero_copy_batch=True,
        concurrency=workers,
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


READERS = {"parquet": "read_parquet", "csv": "read_csv", "jsonl": "read_json"}
WRITERS = {"parquet": "write_parquet", "csv": "write_csv", "jsonl": "write_json"}


def parse_files(files: list[str], format: str, output: str, to: str, master: str | None, **settings: Any) -> int:
    """Files to a directory of files; how many there are then. ``master`` is the address of a cluster (``auto``,
    ``ray://…``); None: this machine."""
    ray = needed("ray", "ray")
    data = needed("ray.data", "ray")
    started = not ray.is_initialized()
    if started:
        ray.init(address=master or "local", logging_level="WARNING", log_to_driver=False)
    data.DataContext.get_current().enable_progress_bars = False
    try:
        dataset = getattr(data, READERS[format])([str(Path(file).absolute()) for file in files])
        with worker_faults():
            getattr(parse(dataset, **settings), WRITERS[to])(str(Path(output).absolute()))
    finally:
        if started:
            ray.shutdown()
    return len(list(Path(output).glob("*")))
