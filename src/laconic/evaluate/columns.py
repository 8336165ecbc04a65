"""What the scorers read from a document."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from laconic.corpus import Doc
from laconic.evaluate.entities import UNANNOTATED
from laconic.evaluate.judge import Coded
from laconic.evaluate.layout import Multiword, TokenLayout, token_layout
from laconic.evaluate.trees import parents
from laconic.evaluate.universal import Annotation

NO_MULTIWORD = Multiword(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64), ())


def layout_of(doc: Doc, name: str) -> TokenLayout:
    """Where the words of a document lie; ``name`` is for error messages."""
    codes, forms = doc.codes("form")
    return token_layout(codes, forms, doc.sentence_starts.astype(np.int64), _multiword(doc), name)


def _multiword(doc: Doc) -> Multiword:
    tokens = [
        (begin + first - 1, last - first + 1, fields[0])
        for number, begin in enumerate(doc.sentence_starts[:-1].tolist())
        for first, last, _, fields in doc.columns.multiwords(number)
    ]
    if not tokens:
        return NO_MULTIWORD
    begins, counts, forms = zip(*tokens, strict=True)
    return Multiword(np.array(begins, dtype=np.int64), np.array(counts, dtype=np.int64), forms)


def annotation_of(doc: Doc, layout: TokenLayout, name: str, single_root: bool) -> Annotation:
    """What the metrics of Universal Dependencies compare, its heads checked to be trees."""
    return Annotation(
        doc.codes("lemma"),
        doc.codes("upos"),
        doc.codes("xpos"),
        doc.codes("feats"),
        doc.codes("deprel"),
        parents(doc.heads, layout.sentence_words, name, single_root=single_root),
    )


def tags_of(doc: Doc, key: str) -> Coded:
    """The entity tags that stand as ``key=`` in MISC; ``_`` where there is none."""
    codes, values = doc.codes("misc")
    return codes, [_value_of(misc, key) for misc in values]


def _value_of(misc: str, key: str) -> str:
    found = (pair.partition("=") for pair in misc.split("|"))
    return next((value for name, _, value in found if name == key), UNANNOTATED)


def factorise(values: Iterable[str]) -> Coded:
    """Strings as codes and their distinct values, in the order of first appearance."""
    table: dict[str, int] = {}
    codes = [table.setdefault(value, len(table)) for value in values]
    return np.array(codes, dtype=np.int32), list(table)
