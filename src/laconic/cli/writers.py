"""The forms of output that ``--to`` offers."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from laconic.corpus import Doc
    from laconic.interop.writers import Writer as View
    from laconic.pipeline.flow import Piece
    from laconic.pipeline.writers import Writer

NAMES = ("conllu", "json", "jsonl", "text", "svg", "html", "table")
SUFFIXES = {"text": ".txt", "table": ".txt"}


def writer(name: str) -> Writer:
    """One of ``NAMES``."""
    from laconic.interop.writers import WRITERS
    from laconic.pipeline.writers import CONLLU, Writer

    if name == "conllu":
        return CONLLU
    if name == "jsonl":
        return Writer(name, ".jsonl", jsonl)
    return Writer(name, SUFFIXES.get(name, f".{name}"), _doc, _file_of(WRITERS[name]))


def jsonl(piece: Piece) -> bytes:
    """A sentence a line; offsets count characters of the document, also where it comes in pieces."""
    from laconic.interop.records import sentences

    begin = piece.mark.begin
    lines = []
    for record in sentences(piece.doc):
        if begin:
            for part in (record, *record["tokens"], *record["multiword_tokens"], *record["entities"]):
                _shift(part, begin)
        lines.append(json.dumps(record, ensure_ascii=False))
    return "".join(f"{line}\n" for line in lines).encode()


def _shift(record: dict[str, Any], begin: int) -> None:
    for key in ("start", "end"):
        if record[key] is not None:
            record[key] += begin


def _doc(piece: Piece) -> Doc:
    return piece.doc


def _file_of(view: View) -> Any:
    def file(docs: Iterable[Doc]) -> Iterator[bytes]:
        return (part.encode() for part in view.stream(docs))

    return file
