"""A document as a table of words, for Arrow and pandas. Columns are built from codes: no Python object per word."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from laconic.corpus import Doc
from laconic.corpus.doc import Codes
from laconic.evaluate.entities import UNANNOTATED
from laconic.evaluate.judge import Coded
from laconic.interop.optional import needed
from laconic.interop.rows import ABSENT, entity_tags

CATEGORIES = ("upos", "xpos", "feats", "deprel", "entity", "sent_id", "multiword")
"""Columns with few values: dictionaries in Arrow, categories in pandas."""
NAMES = (
    "sentence",
    "sent_id",
    "id",
    "form",
    "lemma",
    "upos",
    "xpos",
    "feats",
    "head",
    "deprel",
    "deps",
    "misc",
    "start",
    "end",
    "entity",
    "multiword",
)


def to_arrow(doc: Doc) -> Any:
    """A ``pyarrow.Table``: one row per word; null where nothing is known."""
    arrow = needed("pyarrow", "arrow")
    columns: dict[str, Any] = {}
    for name, values in _columns(doc).items():
        if isinstance(values, tuple):
            codes, names = values
            indices = arrow.array(codes, mask=codes < 0)
            column = arrow.DictionaryArray.from_arrays(indices, arrow.array(names, arrow.string()))
            columns[name] = column if name in CATEGORIES else column.dictionary_decode()
        else:
            columns[name] = arrow.array(values, mask=values < 0)
    return arrow.table(columns)


def to_pandas(doc: Doc) -> Any:
    """A ``pandas.DataFrame``: one row per word; missing values where nothing is known."""
    pandas = needed("pandas", "pandas")
    columns: dict[str, Any] = {}
    for name, values in _columns(doc).items():
        if isinstance(values, tuple):
            column = pandas.Categorical.from_codes(values[0], categories=values[1])
            columns[name] = column if name in CATEGORIES else column.astype(object)
        else:
            columns[name] = pandas.array(values, dtype="Int32")
            columns[name][values < 0] = pandas.NA
    return pandas.DataFrame(columns)


def _columns(doc: Doc) -> dict[str, Coded | Codes]:
    """Codes and distinct values for strings, -1 being none; plain arrays for numbers, negative ones being none."""
    starts = doc.sentence_starts.astype(np.int64)
    lengths = np.diff(starts)
    sentence = np.repeat(np.arange(len(lengths), dtype=np.int32), lengths)
    number = (np.arange(len(doc)) - np.repeat(starts[:-1], lengths) + 1).astype(np.int32)
    columns: dict[str, Coded | Codes] = {
        "sentence": sentence,
        "sent_id": _sentence_ids(doc, sentence),
        "id": number,
        "head": doc.heads.copy(),
        "start": doc.starts.copy(),
        "end": doc.ends.copy(),
        "entity": _known(entity_tags(doc), UNANNOTATED),
        "multiword": _multiwords(doc, starts),
        "form": doc.codes("form"),
        "lemma": _lemmas(doc),
    }
    for name in ("upos", "xpos", "feats", "deprel", "deps", "misc"):
        columns[name] = _known(doc.codes(name), ABSENT)
    return {name: columns[name] for name in NAMES}


def _known(coded: Coded, absent: str) -> Coded:
    """The codes with -1 for the value that says that there is none; distinct values are distinct again, and none is
    listed that nothing has."""
    codes, values = coded
    distinct = {value: index for index, value in enumerate(dict.fromkeys(value for value in values if value != absent))}
    recoded = np.array([distinct.get(value, -1) for value in values], np.int32)
    return (recoded[codes] if len(codes) else codes), list(distinct)


def _lemmas(doc: Doc) -> Coded:
    """A lone underscore says that there is no lemma, but it is the lemma of an underscore."""
    codes, values = doc.codes("lemma")
    forms, names = doc.codes("form")
    if ABSENT not in names or ABSENT not in values:
        return _known((codes, values), ABSENT)
    absent = (codes == values.index(ABSENT)) & (forms != names.index(ABSENT))
    return np.where(absent, -1, codes).astype(np.int32), values


def _sentence_ids(doc: Doc, sentence: Codes) -> Coded:
    names = [one.sent_id for one in doc.sentences]
    distinct = {name: index for index, name in enumerate(dict.fromkeys(name for name in names if name is not None))}
    recoded = np.array([-1 if name is None else distinct[name] for name in names], np.int32)
    return (recoded[sentence] if len(names) else recoded), list(distinct)


def _multiwords(doc: Doc, starts: npt.NDArray[np.int64]) -> Coded:
    """The form of the multiword token that a word is part of."""
    codes = np.full(len(doc), -1, np.int32)
    distinct: dict[str, int] = {}
    for index, begin in enumerate(starts[:-1].tolist()):
        for first, last, _, fields in doc.columns.multiwords(index):
            codes[begin + first - 1 : begin + last] = distinct.setdefault(fields[0], len(distinct))
    return codes, list(distinct)
