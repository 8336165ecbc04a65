"""Tables with a column of texts in, the same tables with the words of each text out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from laconic.corpus import Doc
from laconic.errors import ConfigError, InputError, choices
from laconic.interop.optional import needed
from laconic.interop.tables import NAMES, word_types, words_to_arrow
from laconic.pipeline.components import segmenter_of
from laconic.pipeline.flow import check_threads, ordered

if TYPE_CHECKING:
    from laconic.pipeline.pipeline import Pipeline

RowsOf = Literal["document", "word"]
OnError = Literal["raise", "column"]
ROWS, BYTES = 1024, 1 << 18
"""Of a table so many rows are worked on at once, and fewer where their texts are longer together than this."""


@dataclass(frozen=True)
class TableSettings:
    """How a table of texts becomes one of words. The checks that need no table are made here: ConfigError."""

    text: str = "text"
    """The column of texts: strings, or bytes in UTF-8."""
    rows: RowsOf = "document"
    """A row per document, with its words as a list, or a row per word."""
    columns: Sequence[str] | None = None
    """Of the words, as in ``Doc.to_arrow``; None: all."""
    into: str = "words"
    """The column of lists of words."""
    prefix: str = ""
    """Before the names of columns where each word has a row."""
    on_error: OnError = "raise"
    """Stop at a text that cannot be read, or go on and say why in a column ``error``."""
    error: str = "error"

    def __post_init__(self) -> None:
        if self.rows not in ("document", "word"):
            raise ConfigError(f"rows must be document or word, not {self.rows!r}")
        if self.on_error not in ("raise", "column"):
            raise ConfigError(f"on_error must be raise or column, not {self.on_error!r}")
        if isinstance(self.columns, str):
            raise ConfigError(f"columns is a list of names: write [{self.columns!r}]")
        for name in self.columns or ():
            if name not in NAMES:
                raise ConfigError(f"words have no column {name!r}: there are {choices(name, NAMES)}")
        if self.columns is not None and not self.columns:
            raise ConfigError(f"no column of words is named: choose from {', '.join(NAMES)}")

    @property
    def names(self) -> list[str]:
        """Of columns of words, in the order of ``Doc.to_arrow``."""
        return [name for name in NAMES if self.columns is None or name in self.columns]

    def schema(self, given: Any) -> Any:
        """The schema of what becomes of a table of a schema. ConfigError where there is no such column of texts, or a
        new column would be called as one that is there."""
        arrow = needed("pyarrow", "arrow")
        if self.text not in given.names:
            raise ConfigError(
                f"the table has no column {self.text!r} of texts: it has {choices(self.text, given.names)}"
            )
        twice = next((name for name in given.names if given.names.count(name) > 1), None)
        if twice is not None:
            raise ConfigError(f"the table has {given.names.count(twice)} columns {twice!r}: rename all but one")
        kind = given.field(self.text).type
        if not _is_text(arrow, kind):
            raise ConfigError(f"the column {self.text!r} must hold texts, and holds {kind}")
        types = word_types(self.names)
        if self.rows == "word":
            new = [(self.prefix + name, kind) for name, kind in types]
        else:
            new = [(self.into, arrow.list_(arrow.struct(types)))]
        if self.on_error == "column":
            new.append((self.error, arrow.string()))
        for name, _ in new:
            if name in given.names and self.keeps(name):
                other = ', or give a prefix, such as "word_"' if self.rows == "word" else ", or name the new one (into)"
                raise ConfigError(f"the table has a column {name!r} already: rename it{other * (name != self.error)}")
        kept = [field for field in given if self.keeps(field.name)]
        return arrow.schema([*kept, *(arrow.field(name, kind) for name, kind in new)], given.metadata)

    def keeps(self, name: str) -> bool:
        """Is a column of the table one of the result? The text is not repeated for each of its words."""
        return self.rows == "document" or name != self.text


def check_id_column(given: Any, name: str | None) -> None:
    """ConfigError unless a table of the schema has such a column, if one is named."""
    if name is not None and name not in given.names:
        raise ConfigError(f"the table has no column {name!r} of ids: it has {choices(name, given.names)}")


@dataclass(frozen=True)
class TextRow:
    """What became of one text: a document, an error, or neither where there was no text."""

    doc: Doc | None = None
    error: str | None = None


def map_table(
    pipeline: Pipeline,
    table: Any,
    settings: TableSettings,
    *,
    file: str = "",
    first_row: int = 0,
    threads: int = 1,
    options: dict[str, Any],
    id_column: str | None = None,
) -> Any:
    """See ``Pipeline.map_table``. With a column of ids, errors name the id of a row, too."""
    arrow = needed("pyarrow", "arrow")
    check_threads(threads)
    if isinstance(table, arrow.RecordBatch):
        schema = settings.schema(table.schema)
        check_id_column(table.schema, id_column)
        made = _mapped(pipeline, [table], settings, file, first_row, threads, options, id_column)
        whole = arrow.Table.from_batches(list(made), schema).combine_chunks()
        return (whole.to_batches() or [arrow.RecordBatch.from_pylist([], schema)])[0]
    try:
        given = arrow.table(table)
    except (TypeError, ValueError, arrow.ArrowInvalid) as error:
        raise InputError(f"this is no table: {error}") from None
    schema = settings.schema(given.schema)
    check_id_column(given.schema, id_column)
    batches = given.to_batches()
    made = _mapped(pipeline, batches, settings, file, first_row, threads, options, id_column)
    return arrow.Table.from_batches(made, schema)


def _mapped(
    pipeline: Pipeline,
    batches: Iterable[Any],
    settings: TableSettings,
    file: str,
    first_row: int,
    threads: int,
    options: dict[str, Any],
    id_column: str | None,
) -> Iterator[Any]:
    row = first_row
    for batch in in_portions(batches, settings.text):
        rows = parsed_rows(
            pipeline,
            batch,
            settings,
            file=file,
            first_row=row,
            threads=threads,
            options=options,
            id_column=id_column,
        )
        yield with_words(batch, rows, settings)
        row += batch.num_rows


def in_portions(batches: Iterable[Any], text: str) -> Iterator[Any]:
    """The batches, cut where they have many rows or long texts. Cuts depend on the rows alone, not on where reading
    began, as long as it began at a cut."""
    compute = needed("pyarrow.compute", "arrow")
    for batch in batches:
        sizes = compute.fill_null(compute.binary_length(_bytes(batch.column(text))), 0).to_numpy(zero_copy_only=False)
        ends = np.cumsum(sizes, dtype=np.int64)
        at = 0
        while at < batch.num_rows:
            before = int(ends[at - 1]) if at else 0
            end = min(at + ROWS, max(at + 1, int(np.searchsorted(ends, before + BYTES, side="right"))), batch.num_rows)
            yield batch.slice(at, end - at)
            at = end


def parsed_rows(
    pipeline: Pipeline,
    batch: Any,
    settings: TableSettings,
    *,
    file: str = "",
    first_row: int = 0,
    threads: int = 1,
    options: dict[str, Any],
    id_column: str | None = None,
) -> list[TextRow]:
    """What becomes of each text of a batch. Where errors stop the work, InputError with file and row, and the id of
    the row, if there is a column of such."""
    own = pipeline.at()
    segmenter_of(own.components)  # ConfigError, once and not for each row
    annotator = own._batch_annotator(**options)
    texts: list[bytes | None] = _bytes(batch.column(settings.text)).to_pylist()

    def work(part: range) -> list[TextRow]:
        rows = [TextRow() for _ in part]
        given = [index for index in part if texts[index] is not None]
        for index, outcome in zip(given, annotator.outcomes([texts[index] for index in given]), strict=True):
            if isinstance(outcome, Doc):
                rows[index - part.start] = TextRow(outcome)
            elif not isinstance(outcome, InputError):
                raise outcome
            elif settings.on_error == "raise":
                called = "" if id_column is None else f" (id {batch.column(id_column)[index]})"
                raise InputError(f"row {first_row + index}{called}: {outcome}", file) from None
            else:
                rows[index - part.start] = TextRow(error=str(outcome))
        return rows

    step = max(1, min(64, -(-len(texts) // (2 * threads))))
    parts = (range(at, min(at + step, len(texts))) for at in range(0, len(texts), step))
    return [row for part in ordered(work, parts, threads) for row in part]


def with_words(batch: Any, rows: list[TextRow], settings: TableSettings) -> Any:
    """The batch and what became of its texts."""
    arrow = needed("pyarrow", "arrow")
    schema = settings.schema(batch.schema)
    docs = [row.doc for row in rows if row.doc is not None]
    words = words_to_arrow(docs, settings.names)
    counts = np.array([0 if row.doc is None else len(row.doc) for row in rows], np.int64)
    errors = [row.error for row in rows]
    if settings.rows == "document":
        offsets = arrow.array(np.concatenate(([0], np.cumsum(counts))).astype(np.int32))
        fields = [arrow.field(name, kind) for name, kind in word_types(settings.names)]
        missing = arrow.array([row.doc is None for row in rows], arrow.bool_())
        column = arrow.ListArray.from_arrays(offsets, arrow.StructArray.from_arrays(words, fields=fields), mask=missing)
        more = [column, arrow.array(errors, arrow.string())]
        kept = [
            _legible(one) if name == settings.text else one
            for name, one in zip(batch.schema.names, batch.columns, strict=True)
        ]
        return arrow.RecordBatch.from_arrays([*kept, *more][: len(schema)], schema=schema)
    # A text that cannot be read has a row too, without a word: the error must stand somewhere.
    failed = np.array([error is not None for error in errors], bool)
    repeated = np.repeat(np.arange(len(rows)), counts + failed)
    if failed.any():
        place = np.cumsum(counts + failed)[failed] - 1
        numbers = np.arange(len(repeated)) - np.cumsum(np.isin(np.arange(len(repeated)), place))
        hidden = np.zeros(len(repeated), bool)
        hidden[place] = True
        indices = arrow.array(np.where(hidden, 0, numbers), mask=hidden)
        words = [column.take(indices) for column in words]
    kept = batch.select([name for name in batch.schema.names if settings.keeps(name)]).take(arrow.array(repeated))
    more = [*words, arrow.array(errors, arrow.string()).take(arrow.array(repeated))]
    return arrow.RecordBatch.from_arrays([*kept.columns, *more][: len(schema)], schema=schema)


def _is_text(arrow: Any, kind: Any) -> bool:
    types = arrow.types
    if types.is_dictionary(kind):
        kind = kind.value_type
    known = ("string", "large_string", "string_view", "binary", "large_binary", "null")
    return any(getattr(types, f"is_{name}")(kind) for name in known)


def _legible(column: Any) -> Any:
    """The texts with U+FFFD for what is no UTF-8, where they are strings, which cannot be read or written otherwise.
    Bytes stay as they are."""
    arrow = needed("pyarrow", "arrow")
    try:
        column.validate(full=True)
    except arrow.ArrowInvalid:
        texts = [None if text is None else text.decode("utf-8", "replace") for text in _bytes(column).to_pylist()]
        return arrow.array(texts, column.type)
    return column


def _bytes(column: Any) -> Any:
    """Texts of any type as bytes: strings need not be decoded, and what is no UTF-8 is found where the row is known."""
    arrow = needed("pyarrow", "arrow")
    if arrow.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    return column.cast(arrow.large_binary())
