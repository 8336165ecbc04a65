"""Files that hold tables: Parquet, Arrow, CSV and JSON Lines, by pyarrow, a few rows at a time."""

from __future__ import annotations

import json
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any, BinaryIO

from laconic.corpus.files import name_of
from laconic.errors import ConfigError, InputError
from laconic.interop.optional import needed
from laconic.pipeline.tables import TableSettings, TextRow, with_words

SUFFIXES = {
    ".parquet": "parquet",
    ".arrow": "arrow",
    ".feather": "arrow",
    ".csv": "csv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
}
FORMATS = tuple(dict.fromkeys(SUFFIXES.values()))
BLOCK = 1 << 24
"""Bytes of CSV or JSON Lines that are read at once: a row must fit in."""
READ_ROWS = 1 << 12
CSV_ROW = re.compile(r"Row #(\d+): ")
JSON_ROW = re.compile(r"\.? in row (\d+)$")


def table_format(file: str) -> str | None:
    """The format of a file of tables by its ending, ``.gz`` aside; None where it is none."""
    return SUFFIXES.get(PurePath(file.removesuffix(".gz")).suffix.lower())


@dataclass(frozen=True)
class TableFile:
    """A file of tables. Nothing is guessed: columns of CSV, which has no types, are strings, and what is a string in
    JSON stays one. Whether ``text`` is UTF-8 is not looked at here: those who read it tell of the single row."""

    path: str
    format: str
    text: str = ""

    def batches(self, first_row: int = 0) -> Iterator[Any]:
        """Record batches from a row on; where they end depends on the file alone. InputError for what cannot be read.
        Memory: one block, or for Parquet and Arrow one batch or page."""
        before = 0
        with _faults(self.path, lambda: before):
            for batch in self._opened()[1]:
                if before + batch.num_rows > first_row:
                    self._check(batch, before)
                    yield batch.slice(max(0, first_row - before))
                before += batch.num_rows

    def schema(self) -> Any:
        with _faults(self.path, lambda: 0):
            found = self._opened()[0]
            found.names  # noqa: B018  # decoded here, where the name of the file is known
            return found

    def _check(self, batch: Any, first_row: int) -> None:
        """InputError that names row and column for what could not be written again."""
        arrow = needed("pyarrow", "arrow")
        for name, column in zip(batch.schema.names, batch.columns, strict=True):
            if name == self.text:
                continue
            try:
                column.validate(full=True)
            except arrow.ArrowInvalid as error:
                row = first_row + next(at for at in range(len(column)) if not _is_valid(column.slice(at, 1)))
                raise InputError(f"row {row}: the column {name!r}: {error}", name_of(self.path)) from None

    def _opened(self) -> tuple[Any, Iterable[Any]]:
        arrow = needed("pyarrow", "arrow")
        if self.format == "parquet":
            file = needed("pyarrow.parquet", "arrow").ParquetFile(self.path)
            return file.schema_arrow, file.iter_batches(READ_ROWS)
        stream = arrow.input_stream(self.path)
        if self.format == "arrow":
            if stream.read(6) == b"ARROW1":
                whole = arrow.ipc.open_file(self.path)
                return whole.schema, (whole.get_batch(number) for number in range(whole.num_record_batches))
            stream = arrow.ipc.open_stream(arrow.input_stream(self.path))
            return stream.schema, stream
        if self.format == "csv":
            names = needed("pyarrow.csv", "arrow").open_csv(stream, **csv_options(())).schema.names
            reader = needed("pyarrow.csv", "arrow").open_csv(arrow.input_stream(self.path), **csv_options(names))
        else:
            lines = needed("pyarrow.json", "arrow")
            guessed = lines.open_json(stream, lines.ReadOptions(block_size=BLOCK)).schema
            reader = lines.open_json(
                arrow.input_stream(self.path), **json_options([_as_written(field, self.text) for field in guessed])
            )
        return reader.schema, reader


def csv_options(names: Iterable[str]) -> dict[str, Any]:
    """How pyarrow reads CSV with these columns. In one thread, where it tells the row of what it cannot read."""
    arrow, csv = needed("pyarrow", "arrow"), needed("pyarrow.csv", "arrow")
    return {
        "read_options": csv.ReadOptions(block_size=BLOCK, use_threads=False),
        "parse_options": csv.ParseOptions(newlines_in_values=True),
        "convert_options": csv.ConvertOptions(
            check_utf8=False,  # rows are told where it is not
            column_types=dict.fromkeys(names, arrow.string()),
            null_values=[""],  # pyarrow's own would lose texts such as NA and null
            strings_can_be_null=True,
            quoted_strings_can_be_null=False,
        ),
    }


def json_options(fields: Iterable[Any]) -> dict[str, Any]:
    """How pyarrow reads JSON Lines with these fields, and no others."""
    lines = needed("pyarrow.json", "arrow")
    schema = needed("pyarrow", "arrow").schema(list(fields))
    return {
        "read_options": lines.ReadOptions(block_size=BLOCK, use_threads=False),
        "parse_options": lines.ParseOptions(explicit_schema=schema, unexpected_field_behavior="error"),
    }


def _as_written(field: Any, text: str) -> Any:
    """A field as pyarrow guesses it, but strings that look like times are strings, and so are texts that come late."""
    arrow = needed("pyarrow", "arrow")
    if field.name == text and arrow.types.is_null(field.type):
        return field.with_type(arrow.string())
    return field.with_type(_without_times(arrow, field.type))


def _without_times(arrow: Any, kind: Any) -> Any:
    if arrow.types.is_timestamp(kind):
        return arrow.string()
    if arrow.types.is_list(kind):
        return arrow.list_(_without_times(arrow, kind.value_type))
    if arrow.types.is_struct(kind):
        return arrow.struct([(field.name, _without_times(arrow, field.type)) for field in kind])
    return kind


def common_schema(files: Sequence[TableFile]) -> Any:
    """Of files that are one table. ConfigError where one has other columns than the first."""
    schemas = [file.schema() for file in files]
    for file, schema in zip(files, schemas, strict=True):
        if schema != schemas[0]:
            raise ConfigError(
                f"{name_of(file.path)}: has other columns, or other types of them, than {name_of(files[0].path)}: "
                "parse the two apart"
            )
    return schemas[0]


def _is_valid(column: Any) -> bool:
    try:
        column.validate(full=True)
    except needed("pyarrow", "arrow").ArrowInvalid:
        return False
    return True


@contextmanager
def _faults(path: str, before: Callable[[], int]) -> Iterator[None]:
    """What pyarrow finds wrong with a file, as InputError with its name, and with the row where it tells one, counted
    from 0: of CSV it counts lines from 1, the header included, of JSON Lines rows behind those that came ``before``."""
    arrow = needed("pyarrow", "arrow")
    try:
        yield
    except (arrow.ArrowException, OSError, UnicodeDecodeError) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise  # the system says why
        reason = str(error).splitlines()[0]
        if line := CSV_ROW.search(reason):
            reason = f"row {int(line[1]) - 2}: {CSV_ROW.sub('', reason)}"
        elif row := JSON_ROW.search(reason):
            reason = f"row {before() + int(row[1])}: {JSON_ROW.sub('', reason)}"
        elif "straddling object" in reason:
            reason = f"a row, from row {before()} on, is longer than {BLOCK >> 20} MB"
        elif reason.endswith("unexpected field"):
            reason = f"from row {before()} on there is a field that no row has in the first {BLOCK >> 20} MB"
        raise InputError(f"cannot be read as a table: {reason}", name_of(path)) from None


class TableOutput(ABC):
    """A file that is written batch by batch."""

    @abstractmethod
    def add(self, batch: Any, rows: list[TextRow], first_row: int) -> None: ...

    def close(self) -> None:  # noqa: B027  # not all have something to write at the end
        pass


class _Columns(TableOutput):
    """What a writer of pyarrow's makes."""

    def __init__(self, opened: Any, settings: TableSettings) -> None:
        self._opened, self._settings = opened, settings

    def add(self, batch: Any, rows: list[TextRow], first_row: int) -> None:
        self._opened.write_batch(with_words(batch, rows, self._settings))

    def close(self) -> None:
        self._opened.close()


class _Lines(TableOutput):
    """An object a line. What JSON has no type for (times, decimals, bytes) is written as text."""

    def __init__(self, file: BinaryIO, settings: TableSettings) -> None:
        self._file, self._settings = file, settings

    def add(self, batch: Any, rows: list[TextRow], first_row: int) -> None:
        for record in with_words(batch, rows, self._settings).to_pylist():
            self._file.write(json_line(record))


class _Conllu(TableOutput):
    """A document for each text, called by the column of ids, or by the number of its row. Rows without a text have
    none."""

    def __init__(self, file: BinaryIO, id_column: str | None) -> None:
        self._file, self._id = file, id_column

    def add(self, batch: Any, rows: list[TextRow], first_row: int) -> None:
        given = range(first_row, first_row + len(rows)) if self._id is None else batch.column(self._id).to_pylist()
        for value, row in zip(given, rows, strict=True):
            if row.doc:
                name = " ".join(str(value).split())
                comments = [
                    [f"# sent_id = {name}-{number}", *lines] for number, lines in enumerate(row.doc.comments, 1)
                ]
                comments[0].insert(0, f"# newdoc id = {name}")
                row.doc.columns.set_comments(comments)
                self._file.write(row.doc.columns.to_conllu(exact=False))


def json_line(record: dict[str, Any]) -> bytes:
    """A row as a line of JSON."""
    return json.dumps(record, ensure_ascii=False, default=_plain).encode() + b"\n"


def _plain(value: Any) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


@dataclass(frozen=True)
class TableWriter:
    """How tables become a file of one format."""

    name: str
    suffix: str
    opened: Callable[[BinaryIO, Any, TableSettings, str | None], TableOutput]
    """Given the file, the schema of what comes, and the column of ids."""


def _parquet(file: BinaryIO, schema: Any, settings: TableSettings, _: str | None) -> TableOutput:
    return _Columns(needed("pyarrow.parquet", "arrow").ParquetWriter(file, schema, compression="zstd"), settings)


def _arrow(file: BinaryIO, schema: Any, settings: TableSettings, _: str | None) -> TableOutput:
    return _Columns(needed("pyarrow", "arrow").ipc.new_file(file, schema), settings)


def check_flat(schema: Any) -> None:
    """ConfigError unless CSV can hold such a table."""
    arrow = needed("pyarrow", "arrow")
    for field in schema:
        if arrow.types.is_nested(field.type):
            raise ConfigError(
                f"CSV cannot hold the column {field.name!r}, of lists: ask for a row per word, without comments, "
                "or write another format"
            )


def _csv(file: BinaryIO, schema: Any, settings: TableSettings, _: str | None) -> TableOutput:
    check_flat(schema)
    return _Columns(needed("pyarrow.csv", "arrow").CSVWriter(file, schema), settings)


TABLE_WRITERS = {
    writer.name: writer
    for writer in (
        TableWriter("parquet", ".parquet", _parquet),
        TableWriter("arrow", ".arrow", _arrow),
        TableWriter("csv", ".csv", _csv),
        TableWriter("jsonl", ".jsonl", lambda file, _, settings, __: _Lines(file, settings)),
        TableWriter("conllu", ".conllu", lambda file, _, __, id_column: _Conllu(file, id_column)),
    )
}
