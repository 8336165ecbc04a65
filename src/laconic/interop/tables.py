"""Documents as tables of words, for Arrow and pandas. Columns are built from codes: no Python object per word."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from laconic.corpus import Doc
from laconic.corpus.doc import Codes
from laconic.evaluate.entities import UNANNOTATED
from laconic.evaluate.judge import Coded
from laconic.interop.optional import needed
from laconic.interop.rows import ABSENT, entity_tags

CATEGORIES = ("upos", "xpos", "feats", "deprel", "entity", "sent_id", "multiword", "multiword_id", "multiword_misc")
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
    "multiword_id",
    "multiword_misc",
    "comments",
)
NUMBERS = ("sentence", "id", "head", "start", "end")


@dataclass(frozen=True)
class Sparse:
    """A column of lists of strings: the number of a list for each word, -1 for none, and the lists."""

    codes: Codes
    lists: list[list[str]]


Column = Coded | Codes | Sparse


def to_arrow(doc: Doc) -> Any:
    """A ``pyarrow.Table``: one row per word; null where nothing is known."""
    arrow = needed("pyarrow", "arrow")
    return arrow.table({name: _array(arrow, _column(doc, name), name in CATEGORIES) for name in NAMES})


def words_to_arrow(docs: Sequence[Doc], names: Iterable[str] = NAMES) -> list[Any]:
    """Columns of the words of many documents, one after another, as plain arrays of the types of ``word_types``."""
    arrow = needed("pyarrow", "arrow")
    whole = Doc.concatenate(docs)
    counted: dict[str, Callable[[Doc], Codes]] = {  # from the beginning of a document
        "start": lambda doc: doc.starts,
        "end": lambda doc: doc.ends,
        "sentence": _sentences,
    }
    return [
        _array(
            arrow,
            np.concatenate([counted[name](doc) for doc in docs]) if name in counted and docs else _column(whole, name),
            dictionary=False,
        )
        for name in names
    ]


def word_types(names: Iterable[str] = NAMES) -> list[tuple[str, Any]]:
    """Names and Arrow types of columns of words."""
    arrow = needed("pyarrow", "arrow")
    kinds = dict.fromkeys(NUMBERS, arrow.int32()) | {"comments": arrow.list_(arrow.string())}
    return [(name, kinds.get(name, arrow.string())) for name in names]


def to_pandas(doc: Doc) -> Any:
    """A ``pandas.DataFrame``: one row per word; missing values where nothing is known."""
    pandas = needed("pandas", "pandas")
    columns: dict[str, Any] = {}
    for name in NAMES:
        values = _column(doc, name)
        if isinstance(values, Sparse):
            lists = [None if code < 0 else values.lists[code] for code in values.codes]
            columns[name] = pandas.Series(lists, dtype=object)
        elif isinstance(values, tuple):
            column = pandas.Categorical.from_codes(values[0], categories=values[1])
            columns[name] = column if name in CATEGORIES else column.astype(object)
        else:
            columns[name] = pandas.array(values, dtype="Int32")
            columns[name][values < 0] = pandas.NA
    return pandas.DataFrame(columns)


def _array(arrow: Any, values: Column, dictionary: bool) -> Any:
    if isinstance(values, Sparse):
        lists = arrow.array(values.lists, arrow.list_(arrow.string()))
        return lists.take(arrow.array(values.codes, mask=values.codes < 0))
    if not isinstance(values, tuple):
        return arrow.array(values, mask=values < 0)
    codes, names = values
    indices = arrow.array(codes, mask=codes < 0)
    column = arrow.DictionaryArray.from_arrays(indices, arrow.array(names, arrow.string()))
    return column if dictionary else column.dictionary_decode()


def _column(doc: Doc, name: str) -> Column:
    """Codes and distinct values for strings, -1 being none; plain arrays for numbers, negative ones being none."""
    match name:
        case "sentence":
            return _sentences(doc)
        case "sent_id":
            return _sentence_ids(doc, _sentences(doc))
        case "id":
            starts = doc.sentence_starts.astype(np.int64)
            return (np.arange(len(doc)) - starts[_sentences(doc)] + 1).astype(np.int32)
        case "head":
            return doc.heads.copy()
        case "start":
            return doc.starts.copy()
        case "end":
            return doc.ends.copy()
        case "entity":
            return _known(entity_tags(doc), UNANNOTATED)
        case "form":
            return doc.codes("form")
        case "lemma":
            return _lemmas(doc)
        case "multiword" | "multiword_id" | "multiword_misc":
            return _multiwords(doc, name)
        case "comments":
            return _comments(doc)
    return _known(doc.codes(name), ABSENT)


def _sentences(doc: Doc) -> Codes:
    starts = doc.sentence_starts.astype(np.int64)
    return np.repeat(np.arange(len(starts) - 1, dtype=np.int32), starts[1:] - starts[:-1])


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


def _multiwords(doc: Doc, name: str) -> Coded:
    """Form, range (2-3) or MISC of the multiword token that a word is part of."""
    codes = np.full(len(doc), -1, np.int32)
    distinct: dict[str, int] = {}
    for index, begin in enumerate(doc.sentence_starts.tolist()[:-1]):
        for first, last, _, fields in doc.columns.multiwords(index):
            value = {"multiword": fields[0], "multiword_misc": fields[-1]}.get(name, f"{first}-{last}")
            if name != "multiword_misc" or value != ABSENT:
                codes[begin + first - 1 : begin + last] = distinct.setdefault(value, len(distinct))
    return codes, list(distinct)


def _comments(doc: Doc) -> Sparse:
    """The comments of a sentence, at its first word."""
    codes = np.full(len(doc), -1, np.int32)
    lists: list[list[str]] = []
    for begin, lines in zip(doc.sentence_starts.tolist(), doc.comments, strict=False):
        if lines:
            codes[begin] = len(lists)
            lists.append(lines)
    return Sparse(codes, lists)
