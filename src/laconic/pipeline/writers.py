"""What a document can be written as. A format is a writer in ``WRITERS``; other rooms add theirs there."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from laconic.corpus import Doc


@dataclass(frozen=True)
class Writer:
    """How documents become a file: ``head``, what ``render`` makes of each with ``between`` between them, ``tail``."""

    suffix: str
    render: Callable[[Doc], Iterator[str | bytes]]
    head: str = ""
    between: str = ""
    tail: str = ""
    located: bool = False
    """Does it tell character offsets? Then ``render`` also takes the offset of the document's first character."""

    def rendered(self, doc: Doc, begin: int = 0) -> bytes:
        """The document alone, in UTF-8. ``begin``: where it starts in a document that comes in pieces."""
        parts = self.render(doc, begin) if self.located else self.render(doc)  # type: ignore[call-arg]
        return b"".join(part if isinstance(part, bytes) else part.encode() for part in parts)

    def file(self, docs: Iterator[bytes]) -> Iterator[bytes]:
        """A whole file of rendered documents."""
        yield self.head.encode()
        first = True
        for data in docs:
            if not first:
                yield self.between.encode()
            yield data
            first = False
        yield self.tail.encode()


def conllu(doc: Doc) -> Iterator[bytes]:
    yield doc.columns.to_conllu()


def text(doc: Doc) -> Iterator[str]:
    """One sentence a line, its words separated by spaces; white space within a word is a no-break space."""
    words = doc.strings("form")
    if any(not word.isprintable() or " " in word for word in doc.codes("form")[1]):
        words = ["\u00a0".join(word.split()) for word in words]
    edges = doc.sentence_starts.tolist()
    for begin, end in pairwise(edges):
        yield " ".join(words[begin:end]) + "\n"


def jsonl(doc: Doc, begin: int = 0) -> Iterator[str]:
    """One JSON object a sentence and line."""
    for record in sentences(doc, begin):
        yield json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n"


FIELDS = ("form", "lemma", "upos", "xpos", "feats", "deprel", "misc")


def sentences(doc: Doc, begin: int = 0) -> Iterator[dict[str, Any]]:
    """Sentences as plain values; what is not known is null. Offsets count characters of the document."""
    values = {name: doc.strings(name) for name in FIELDS}
    heads = doc.heads.tolist()
    starts, ends = ((place + begin * (place >= 0)).tolist() for place in (doc.starts, doc.ends))
    for sentence in doc.sentences:
        tokens = []
        for number, i in enumerate(range(sentence.begin, sentence.stop), 1):
            token: dict[str, Any] = {"id": number, "form": values["form"][i]}
            for name in FIELDS[1:]:
                token[name] = values[name][i] if values[name][i] != "_" else None
            token |= {"head": _known(heads[i]), "start": _known(starts[i]), "end": _known(ends[i])}
            tokens.append(token)
        yield {
            "text": sentence.text,
            "sent_id": sentence.sent_id,
            "newdoc": sentence.newdoc,
            "tokens": tokens,
            "multiword_tokens": [
                {"id": token.id, "form": token.form, "first": token.first, "last": token.last}
                for token in sentence.multiword_tokens
            ],
        }


def _known(number: int) -> int | None:
    return number if number >= 0 else None


WRITERS: dict[str, Writer] = {
    "conllu": Writer(".conllu", conllu),
    "jsonl": Writer(".jsonl", jsonl, located=True),
    "text": Writer(".txt", text),
}
