"""A document as JSON. docs/views.md describes the shape."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from laconic.corpus import Doc, EmptyNode, Entity, MultiwordToken, Sentence
from laconic.interop.rows import ABSENT, Rows

Record = dict[str, Any]
TOLD = re.compile(r"#\s*(sent_id|text|newdoc|newdoc id)\s*(=|$)")
"""Comments that have keys of their own."""


def document(doc: Doc) -> Record:
    """The document as plain values, ready for ``json.dumps``."""
    return {"id": document_id(doc), "text": doc.text, "sentences": list(sentences(doc))}


def document_id(doc: Doc) -> str | None:
    """Of its first sentence's ``# newdoc id``; None where it has none."""
    return (doc.sentences[0].newdoc if doc else None) or None


def sentences(doc: Doc, begin: int = 0) -> Iterator[Record]:
    """One record per sentence. ``begin`` is added to all offsets: where the document stands in a longer one that comes
    in pieces. Cost: linear; a few Python objects per word."""
    rows, text = Rows.of(doc), doc.text
    for sentence in doc.sentences:
        record = _sentence(sentence, rows, text)
        yield _moved(record, begin) if begin else record


def to_json(doc: Doc, indent: int | None = None) -> str:
    return dumps(document(doc), indent)


def dumps(value: Any, indent: int | None = None) -> str:
    """JSON without white space, unless it is to be indented."""
    return json.dumps(value, ensure_ascii=False, indent=indent, separators=None if indent else (",", ":"))


def _sentence(sentence: Sentence, rows: Rows, text: str) -> Record:
    begin, stop = sentence.begin, sentence.stop
    own = slice(begin, stop)
    columns = (rows.form, rows.lemma, rows.upos, rows.xpos, rows.feats, rows.head, rows.deprel, rows.deps, rows.misc)
    offsets = (rows.start[own], rows.end[own])
    tokens = [
        {
            "id": number,
            "form": form,
            "lemma": lemma if lemma != ABSENT or form == ABSENT else None,
            "upos": upos if upos != ABSENT else None,
            "xpos": xpos if xpos != ABSENT else None,
            "feats": feats if feats != ABSENT else None,
            "head": head if head >= 0 else None,
            "deprel": deprel if deprel != ABSENT else None,
            "deps": deps if deps != ABSENT else None,
            "misc": misc if misc != ABSENT else None,
            "start": start if start >= 0 else None,
            "end": end if end >= 0 else None,
        }
        for number, (form, lemma, upos, xpos, feats, head, deprel, deps, misc, start, end) in enumerate(
            zip(*(column[own] for column in columns), *offsets, strict=True), 1
        )
    ]
    first, last = next(iter(offsets[0]), -1), next(iter(reversed(offsets[1])), -1)
    return {
        "sent_id": sentence.sent_id,
        "text": sentence.text,
        "start": first if first >= 0 else None,
        "end": last if last >= 0 else None,
        "newdoc": sentence.newdoc,
        "comments": [line for line in sentence.comments if not TOLD.match(line)],
        "tokens": tokens,
        "multiword_tokens": [_multiword(token) for token in sentence.multiword_tokens],
        "empty_nodes": [_empty(node) for node in sentence.empty_nodes],
        "entities": [_entity(span, begin, rows, text) for span in sentence.entities],
    }


def _moved(record: Record, by: int) -> Record:
    for part in (record, *record["tokens"], *record["multiword_tokens"], *record["entities"]):
        for name in ("start", "end"):
            part[name] = None if part[name] is None else part[name] + by
    return record


def _multiword(token: MultiwordToken) -> Record:
    return {
        "id": token.id,
        "first": token.first,
        "last": token.last,
        "form": token.form,
        "misc": token.misc if token.misc != ABSENT else None,
        "start": token.start if token.start >= 0 else None,
        "end": token.end if token.end >= 0 else None,
    }


def _empty(node: EmptyNode) -> Record:
    names = ("form", "lemma", "upos", "xpos", "feats", "deps", "misc")
    values = {name: getattr(node, name) for name in names}
    return {"id": node.id, **{name: value if value != ABSENT else None for name, value in values.items()}}


def _entity(span: Entity, begin: int, rows: Rows, text: str) -> Record:
    start, end = rows.start[span.begin], rows.end[span.stop - 1]
    known = start >= 0 and end >= 0
    return {
        "label": span.label,
        "first": span.begin - begin + 1,
        "last": span.stop - begin,
        "text": text[start:end] if known else " ".join(rows.form[span.begin : span.stop]),
        "start": start if known else None,
        "end": end if known else None,
    }
