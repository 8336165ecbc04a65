"""Documents from tables of words: the inverse of ``to_arrow``."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from laconic._core import corpus as core
from laconic.corpus import Doc
from laconic.corpus.doc import FIELDS
from laconic.errors import InputError
from laconic.interop.optional import needed
from laconic.interop.rows import ABSENT, KEY


def from_arrow(table: Any) -> Doc:
    """A document from a table with a row per word and the columns of ``to_arrow``, of which ``form`` and ``sentence``
    must be there: a pyarrow ``Table`` or ``RecordBatch``, a cell of nested words, or anything that offers itself as
    Arrow. Columns of other names are not looked at.

    InputError names the row of what no document can hold. Cost: linear; no Python object per word but forms.
    """
    columns = _columns(table)
    for name in ("form", "sentence"):
        if name not in columns:
            raise InputError(f"a table of words needs a column {name}: it has {', '.join(columns) or 'none'}")
    sentence = _numbers(columns, "sentence")
    words = len(sentence)
    edges = [0, *(np.flatnonzero(np.diff(sentence)) + 1).tolist(), words] if words else [0]
    starts = np.array(edges, np.int64)
    _check_numbers(columns, starts)
    forms = columns["form"].to_pylist()
    if None in forms:
        raise InputError(f"row {forms.index(None)}: a word without form")
    try:
        doc = Doc(core.build(np.diff(starts).tolist(), forms))
        for name in FIELDS[1:]:
            if name in columns:
                doc.set_codes(name, *_coded(columns, name))
    except (ValueError, TypeError) as error:
        raise InputError(f"the words cannot stand in a document: {error}") from None
    if "head" in columns:
        doc.heads[:] = _heads(columns, starts)
    if "misc" not in columns and "entity" in columns:
        codes, values = _coded(columns, "entity")
        if wrong := next((value for value in values if "|" in value), None):
            raise InputError(f"the column entity: {wrong!r} does not fit a column")
        doc.set_codes("misc", codes, [value if value == ABSENT else f"{KEY}={value}" for value in values])
    _set_lines(doc, columns, edges)
    return doc


def _columns(table: Any) -> dict[str, Any]:
    arrow = needed("pyarrow", "arrow")
    if isinstance(table, arrow.ListScalar | arrow.LargeListScalar):
        table = table.values if table.is_valid else arrow.table({"form": [], "sentence": []})
    if isinstance(table, arrow.StructArray):
        table = arrow.RecordBatch.from_struct_array(table)
    try:
        whole = arrow.table(table)
    except (TypeError, ValueError, arrow.ArrowInvalid) as error:
        raise InputError(f"this is no table of words: {error}") from None
    names = whole.column_names
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise InputError(f"a table of words has {names.count(twice)} columns {twice}: expected one")
    return {name: column.combine_chunks() for name, column in zip(whole.column_names, whole.columns, strict=True)}


def _numbers(columns: dict[str, Any], name: str) -> npt.NDArray[np.int32]:
    """-1 for null."""
    arrow = needed("pyarrow", "arrow")
    try:
        filled = columns[name].cast(arrow.int32()).fill_null(-1)
    except (arrow.ArrowInvalid, arrow.ArrowNotImplementedError) as error:
        raise InputError(f"the column {name} must hold whole numbers: {error}") from None
    found: npt.NDArray[np.int32] = filled.to_numpy(zero_copy_only=False)
    return found


def _heads(columns: dict[str, Any], starts: npt.NDArray[np.int64]) -> npt.NDArray[np.int32]:
    """InputError for a head out of the sentence. Whether heads are a tree is asked where they are used."""
    heads = _numbers(columns, "head")
    sizes = np.diff(starts)
    wrong = np.flatnonzero((heads < -1) | (heads > np.repeat(sizes, sizes)))
    if len(wrong):
        row = int(wrong[0])
        raise InputError(f"row {row}: the head {heads[row]} is no word of the sentence")
    return heads


def _strings(columns: dict[str, Any], name: str) -> Any:
    arrow = needed("pyarrow", "arrow")
    try:
        return columns[name].cast(arrow.string())
    except (arrow.ArrowInvalid, arrow.ArrowNotImplementedError) as error:
        raise InputError(f"the column {name} must hold strings: {error}") from None


def _check_numbers(columns: dict[str, Any], starts: npt.NDArray[np.int64]) -> None:
    """Heads are numbers of words: a row that is missing or out of order would have others point at the wrong one."""
    if "id" not in columns:
        return
    given = _numbers(columns, "id")
    expected = np.arange(len(given)) - np.repeat(starts[:-1], np.diff(starts)) + 1
    wrong = np.flatnonzero(given != expected)
    if len(wrong):
        row = int(wrong[0])
        raise InputError(f"row {row}: word {given[row]} where word {expected[row]} of the sentence is expected")


def _coded(columns: dict[str, Any], name: str) -> tuple[npt.NDArray[np.int32], list[str]]:
    arrow = needed("pyarrow", "arrow")
    column = columns[name]
    if not arrow.types.is_dictionary(column.type):
        column = _strings(columns, name).dictionary_encode()
    values = _strings({name: column.dictionary}, name).to_pylist()
    codes = column.indices.fill_null(len(values)).to_numpy(zero_copy_only=False)
    return codes.astype(np.int32), [*(ABSENT if value is None else value for value in values), ABSENT]


def _set_lines(doc: Doc, columns: dict[str, Any], edges: list[int]) -> None:
    """Comments and multiword tokens, which are lines of their own in a file."""
    starts = edges[:-1]
    try:
        if "comments" in columns:
            doc.columns.set_comments([columns["comments"][begin].as_py() or [] for begin in starts])
        elif "sent_id" in columns:
            names = [columns["sent_id"][begin].as_py() for begin in starts]
            doc.columns.set_comments([[] if name is None else [f"# sent_id = {name}"] for name in names])
        if "multiword" in columns and "multiword_id" in columns:
            forms, ranges = (_strings(columns, name).to_pylist() for name in ("multiword", "multiword_id"))
            known = "multiword_misc" in columns
            miscs = _strings(columns, "multiword_misc").to_pylist() if known else [None] * len(forms)
            doc.columns.set_multiwords(
                [
                    [
                        (*_range(ranges[row], row), forms[row], miscs[row] or ABSENT)
                        for row in range(begin, stop)
                        if ranges[row] is not None and (row == begin or ranges[row] != ranges[row - 1])
                    ]
                    for begin, stop in pairwise(edges)
                ]
            )
    except (ValueError, TypeError) as error:
        raise InputError(f"comments or multiword tokens cannot stand in a document: {error}") from None


def _range(text: str, row: int) -> tuple[int, int]:
    first, _, last = text.partition("-")
    if not (first.isdecimal() and last.isdecimal()):
        raise InputError(f"row {row}: multiword_id must be a range such as 2-3, not {text!r}")
    return int(first), int(last)
