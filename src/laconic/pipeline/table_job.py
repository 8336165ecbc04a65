"""Files of tables to files of tables, in bounded memory, in shards that a killed job resumes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from laconic.corpus.files import check_apart, name_of, opened_to_write
from laconic.pipeline.components import segmenter_of
from laconic.pipeline.flow import check_threads
from laconic.pipeline.job import input_facts, model_facts
from laconic.pipeline.job_folder import SHARD, JobFolder, JournalEntry, is_complete, reserved
from laconic.pipeline.pipeline import Pipeline
from laconic.pipeline.sources import Input
from laconic.pipeline.table_files import TableFile, TableOutput, TableWriter, common_schema
from laconic.pipeline.tables import TableSettings, TextRow, check_id_column, in_portions, parsed_rows
from laconic.text import Options


@dataclass(frozen=True)
class TablePortion:
    """Rows of an input that are done."""

    batch: Any
    rows: list[TextRow]
    input: int
    first_row: int

    @property
    def words(self) -> int:
        return sum(len(row.doc) for row in self.rows if row.doc is not None)

    @property
    def end(self) -> int:
        """The row behind it."""
        return self.first_row + len(self.rows)


@dataclass(frozen=True)
class TableJob:
    """Tables to parse, by what, and how they are written. All have the same columns: ConfigError where they have
    not, where there is no such column, or where the format cannot hold what comes."""

    pipeline: Pipeline
    files: tuple[TableFile, ...]
    writer: TableWriter
    settings: TableSettings = field(default_factory=TableSettings)
    id_column: str | None = None
    """Names documents in CoNLL-U and rows in errors."""
    options: Options = field(default_factory=Options)
    threads: int = 1

    def __post_init__(self) -> None:
        check_threads(self.threads)
        segmenter_of(self.pipeline.components)
        schema = common_schema(self.files)
        self.settings.schema(schema)
        check_id_column(schema, self.id_column)

    def run(self, start: tuple[int, int] = (0, 0)) -> Iterator[TablePortion]:
        """Portions of rows, parsed, from an input and a row of it on. What they are does not depend on the start."""
        own = self.pipeline.at()
        options = {name: getattr(self.options, name) for name in Options.__dataclass_fields__}
        for number in range(start[0], len(self.files)):
            row = start[1] if number == start[0] else 0
            file = self.files[number]
            for batch in in_portions(file.batches(row), self.settings.text):
                yield TablePortion(batch, self._parsed(own, batch, file, row, options), number, row)
                row += batch.num_rows

    def _parsed(
        self, pipeline: Pipeline, batch: Any, file: TableFile, row: int, options: dict[str, Any]
    ) -> list[TextRow]:
        return parsed_rows(
            pipeline,
            batch,
            self.settings,
            file=name_of(file.path),
            first_row=row,
            threads=self.threads,
            options=options,
            id_column=self.id_column,
        )

    def to_file(self, target: str) -> Iterator[TablePortion]:
        """Write one file (``-``: standard output), whole or not at all; yields each portion when it is written."""
        check_apart((file.path for file in self.files), target)
        with opened_to_write(target) as file, closing(self._output(file, self._schema())) as output:
            for portion in self.run():
                output.add(portion.batch, portion.rows, portion.first_row)
                yield portion

    def to_shards(self, directory: Path, *, words: int = SHARD, resume: bool = False) -> Iterator[TablePortion]:
        """Write a directory of shards; a shard ends with the portion of rows that brings it to so many words."""
        for present in reserved(directory):
            check_apart((file.path for file in self.files), present)
        folder = JobFolder(directory, self.writer.suffix, self._facts(words))
        with folder.opened(resume, _resumed) as entries:
            if not is_complete(entries):
                yield from self._write(folder, words, entries)

    def _write(self, folder: JobFolder, most: int, entries: list[JournalEntry]) -> Iterator[TablePortion]:
        portions = self.run(_resumed(entries[-1]) if entries else (0, 0))
        number = len(entries)
        portion = next(portions, None)
        schema = self._schema()
        while portion is not None:
            with folder.shard(number) as file, closing(self._output(file, schema)) as output:
                words = 0
                while portion is not None and words < most:
                    output.add(portion.batch, portion.rows, portion.first_row)
                    words, last = words + portion.words, portion
                    yield portion
                    portion = next(portions, None)
            end = {"input": last.input, "row": last.end}
            folder.note({"shard": folder.name(number), "words": words, "end": end})
            number += 1
        folder.note({"complete": number})

    def _schema(self) -> Any:
        """Of what is written."""
        return self.settings.schema(self.files[0].schema())

    def _output(self, file: Any, schema: Any) -> TableOutput:
        return self.writer.opened(file, schema, self.settings, self.id_column)

    def _facts(self, words: int) -> dict[str, Any]:
        files = [Input(file.path, format=file.format) for file in self.files]
        return {
            **model_facts(self.pipeline),
            **input_facts(files, self.options),
            "format": self.writer.name,
            "table": asdict(self.settings) | {"columns": self.settings.names},
            "id_column": self.id_column,
            "words": words,
        }


def _resumed(entry: JournalEntry) -> tuple[int, int]:
    number, row = entry["end"]["input"], entry["end"]["row"]
    if not all(type(value) is int and value >= 0 for value in (number, row)):
        raise ValueError(f"no place in a table: {entry['end']!r}")
    return number, row
