"""``laconic parse`` of tables: the options that only they have, and the job."""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from laconic.cli.console import Job
from laconic.cli.options import effort_of
from laconic.cli.source import STREAM
from laconic.errors import ConfigError, choices

if TYPE_CHECKING:
    from laconic.pipeline import Pipeline
    from laconic.pipeline.table_files import TableFile, TableWriter
    from laconic.pipeline.table_job import TableJob
    from laconic.text import Options

log = logging.getLogger(__name__)
PANEL = "Tables"
ENDINGS = (".parquet", ".arrow", ".feather", ".csv", ".jsonl", ".ndjson")
READ = ("parquet", "arrow", "csv", "jsonl")
"""Of ``laconic.pipeline.table_files``, which is not loaded to show help."""

TextColumn = Annotated[
    str | None, typer.Option("--text-column", metavar="NAME", help="Of the texts; else text.", rich_help_panel=PANEL)
]
IdColumn = Annotated[
    str | None,
    typer.Option("--id-column", metavar="NAME", help="Names rows in errors and CoNLL-U.", rich_help_panel=PANEL),
]
RowsOption = Annotated[
    str | None,
    typer.Option("--rows", metavar="document|word", help="Of the output; else document.", rich_help_panel=PANEL),
]
WordColumns = Annotated[
    str | None,
    typer.Option("--columns", metavar="NAMES", help="Of words, separated by commas; else all.", rich_help_panel=PANEL),
]
Into = Annotated[
    str | None,
    typer.Option("--into", metavar="NAME", help="Of the column of lists of words; else words.", rich_help_panel=PANEL),
]
Prefix = Annotated[
    str | None, typer.Option("--prefix", help="Before names of columns, with a row per word.", rich_help_panel=PANEL)
]
OnErrors = Annotated[
    str | None,
    typer.Option(
        "--on-error",
        metavar="raise|column",
        help="Stop at a text that is not UTF-8, or say so in a column.",
        rich_help_panel=PANEL,
    ),
]
EngineOption = Annotated[
    str | None,
    typer.Option("--engine", metavar="ray|spark", help="Parse on an engine; with -o DIR/.", rich_help_panel=PANEL),
]
MasterOption = Annotated[
    str | None,
    typer.Option("--master", metavar="ADDRESS", help="Of its cluster; else this machine.", rich_help_panel=PANEL),
]


@dataclass(frozen=True)
class TableOptions:
    """What is asked for tables alone; None where nothing is."""

    text: str | None
    id: str | None
    rows: str | None
    columns: str | None
    into: str | None
    prefix: str | None
    on_error: str | None
    engine: str | None
    master: str | None

    def settings(self) -> dict[str, Any]:
        """For ``TableSettings``, which checks them."""
        columns = None if self.columns is None else [name.strip() for name in self.columns.split(",") if name.strip()]
        return {
            "text": self.text or "text",
            "rows": self.rows or "document",
            "columns": columns,
            "into": self.into or "words",
            "prefix": self.prefix or "",
            "on_error": self.on_error or "raise",
        }

    def check_unused(self) -> None:
        """For inputs that are no tables."""
        for name, value in vars(self).items():
            if value is not None:
                hint = f"--{name.replace('_', '-')}{'-column' if name in ('text', 'id') else ''}"
                raise typer.BadParameter("is for tables (Parquet, Arrow, CSV, JSON Lines)", param_hint=hint)


def are_tables(names: list[str], format: str | None) -> bool:
    """Are the inputs files of tables? All of them or none."""
    from laconic.pipeline.table_files import table_format

    if format is not None:
        return format in READ
    tables = [name for name in names if table_format(name) is not None]
    if tables and len(tables) < len(names):
        raise typer.BadParameter(f"{tables[0]} is a table, and other inputs are none: parse them apart")
    return bool(tables)


def parse_tables(
    pipeline: Pipeline,
    names: list[str],
    format: str | None,
    to: str | None,
    output: str,
    sharded: bool,
    asked: TableOptions,
    options: Options,
    threads: int,
    shard: int,
    resume: bool,
) -> None:
    from laconic.pipeline.table_job import TableJob
    from laconic.pipeline.tables import TableSettings

    try:
        settings = TableSettings(**asked.settings())
        files = _files(names, format, settings.text)
        job = TableJob(
            pipeline, files, _writer(to, output, sharded, files[0].format), settings, asked.id, options, threads
        )
    except ConfigError as error:
        raise typer.BadParameter(str(error)) from None
    _run(job, output, sharded, shard, resume)


def _files(names: list[str], format: str | None, text: str) -> tuple[TableFile, ...]:
    from laconic.pipeline.table_files import TableFile, table_format

    made = []
    for name in names:
        if name == STREAM or Path(name).is_fifo():
            raise typer.BadParameter("a table is read from a file, not from a stream")
        with Path(name).open("rb"):  # an error here is one before hours of work
            pass
        made.append(TableFile(name, format or table_format(name) or "", text))
    return tuple(made)


def _writer(to: str | None, output: str, sharded: bool, given: str) -> TableWriter:
    """By name, by the ending of the output, or as the input; JSON Lines on standard output."""
    from laconic.pipeline.table_files import TABLE_WRITERS

    if to is None and output == STREAM:
        to = "jsonl"
    elif to is None and sharded:
        to = given
    elif to is None:
        suffix = Path(output).suffix.lower()
        to = next((name for name, writer in TABLE_WRITERS.items() if writer.suffix == suffix), suffix or "no ending")
    if to not in TABLE_WRITERS:
        raise ConfigError(f"tables are not written as {to}: there are {choices(to, TABLE_WRITERS)}")
    return TABLE_WRITERS[to]


def _run(job: TableJob, output: str, sharded: bool, shard: int, resume: bool) -> None:
    words, rows, start = 0, 0, time.monotonic()
    with Job("parsing") as shown:
        run = job.to_shards(Path(output), words=shard, resume=resume) if sharded else job.to_file(output)
        for portion in run:
            words, rows = words + portion.words, rows + len(portion.rows)
            seconds = max(1e-9, time.monotonic() - start)
            shown.show(f"{rows:,} rows, {words:,} words, {words / seconds:,.0f} words/s")


def parse_with_engine(
    names: list[str],
    format: str | None,
    to: str | None,
    output: str,
    sharded: bool,
    asked: TableOptions,
    options: Options,
    model: str,
    effort: str | None,
) -> None:
    """On Ray or Spark, which read, write and try again themselves."""
    from laconic.pipeline.table_files import check_flat, common_schema
    from laconic.pipeline.tables import TableSettings, check_id_column
    from laconic.scale import ray, spark
    from laconic.scale.work import FORMATS

    engines = {"ray": ray.parse_files, "spark": spark.parse_files}
    try:
        if asked.engine not in engines:
            raise ConfigError(f"no engine {asked.engine!r}: there are {choices(str(asked.engine), engines)}")
        if not sharded:
            raise ConfigError("an engine writes many files: -o DIR/")
        if Path(output).exists() and any(Path(output).iterdir()):
            raise ConfigError(f"{output}: is not empty: choose another directory, or remove what a killed job has left")
        settings = asked.settings()
        checked = TableSettings(**settings)
        files = _files(names, format, checked.text)
        given = files[0].format
        kind = to or given
        for role, one in (("read", given), ("write", kind)):
            if one not in FORMATS:
                raise ConfigError(f"engines do not {role} {one}: there are {', '.join(FORMATS)}")
        if any(file.format != given for file in files):
            raise ConfigError("an engine reads files of one format: parse those of another apart")
        # What is wrong with the columns is found before an engine starts.
        schema = common_schema(files)
        made = checked.schema(schema)
        check_id_column(schema, asked.id)
        if kind == "csv":
            check_flat(made)
        if Path(output).exists():
            Path(output).rmdir()  # empty; Spark makes it itself
        with Job(f"parsing on {asked.engine}"):
            count = engines[asked.engine](
                files,
                output,
                kind,
                asked.master,
                model=model,
                effort=None if effort is None else effort_of(effort),
                id_column=asked.id,
                lines=options.lines,
                line_ends=options.line_ends,
                mwt=options.mwt,
                surrogates=options.surrogates,
                **settings,
            )
    except ConfigError as error:
        raise typer.BadParameter(str(error)) from None
    log.info("wrote %s files into %s", f"{count:,}", output)
