"""Views of a document: a sentence, a word, and what stands beside the words. Made on demand, never stored."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import index
from typing import TYPE_CHECKING, SupportsIndex, overload

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from laconic.corpus.doc import Doc

WRITABLE = ("lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc")
READ_ONLY = {"form": "it is read-only, since text and offsets follow from it (doc.set_codes writes whole columns)"}


class Token:
    """One syntactic word of a document: ``doc`` and its place there, ``index``. Fields are looked up when asked for.

    Assigning to a field writes the document: InputError, which names sentence and word, where a string cannot stand in
    a column or a head is not in the sentence; RuntimeError while another thread is at the document.
    """

    __slots__ = ("doc", "id", "index")
    __hash__ = None  # type: ignore[assignment]  # documents can be written to

    doc: Doc
    index: int
    id: int

    def __init__(self, doc: Doc, index: int, id: int) -> None:
        object.__setattr__(self, "doc", doc)
        object.__setattr__(self, "index", index)
        object.__setattr__(self, "id", id)

    if not TYPE_CHECKING:  # a type checker knows from the properties what can be assigned to

        def __setattr__(self, name: str, value: object) -> None:
            if name not in WRITABLE:
                known = hasattr(self, name)
                reason = READ_ONLY.get(name, "it is read-only") if known else "there is no such attribute"
                raise AttributeError(f"cannot set {name} of a token: {reason}; these can be set: {', '.join(WRITABLE)}")
            object.__setattr__(self, name, value)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Token):
            return NotImplemented
        return (self.index, self.id, self.doc) == (other.index, other.id, other.doc)

    def __reduce__(self) -> tuple[type[Token], tuple[Doc, int, int]]:
        return Token, (self.doc, self.index, self.id)

    def _field(self, field: str) -> str:
        return self.doc.columns.strings(field, self.index, self.index + 1)[0]

    def _set_field(self, field: str, value: str) -> None:
        self.doc.columns.set_string(field, self.index, value)

    @property
    def form(self) -> str:
        return self._field("form")

    @property
    def lemma(self) -> str:
        return self._field("lemma")

    @lemma.setter
    def lemma(self, value: str) -> None:
        self._set_field("lemma", value)

    @property
    def upos(self) -> str:
        return self._field("upos")

    @upos.setter
    def upos(self, value: str) -> None:
        self._set_field("upos", value)

    @property
    def xpos(self) -> str:
        return self._field("xpos")

    @xpos.setter
    def xpos(self, value: str) -> None:
        self._set_field("xpos", value)

    @property
    def feats(self) -> str:
        return self._field("feats")

    @feats.setter
    def feats(self, value: str) -> None:
        self._set_field("feats", value)

    @property
    def head(self) -> int:
        """Id of the head in the sentence; 0 for a root, -1 where there is none."""
        return int(self.doc.heads[self.index])

    @head.setter
    def head(self, value: SupportsIndex) -> None:
        self.doc.columns.set_head(self.index, index(value))

    @property
    def deprel(self) -> str:
        return self._field("deprel")

    @deprel.setter
    def deprel(self, value: str) -> None:
        self._set_field("deprel", value)

    @property
    def deps(self) -> str:
        return self._field("deps")

    @deps.setter
    def deps(self, value: str) -> None:
        self._set_field("deps", value)

    @property
    def misc(self) -> str:
        return self._field("misc")

    @misc.setter
    def misc(self, value: str) -> None:
        """Text and offsets follow where SpaceAfter and its like change; linear in the document then."""
        self._set_field("misc", value)

    @property
    def start(self) -> int:
        """Offset of the first character in ``doc.text``; -1 where it is not known."""
        return int(self.doc.starts[self.index])

    @property
    def end(self) -> int:
        return int(self.doc.ends[self.index])

    def __repr__(self) -> str:
        return f"<Token {self.id} {self.form!r}>"


@dataclass(frozen=True, slots=True)
class MultiwordToken:
    """A surface token over the words ``first`` to ``last`` (ids, both included)."""

    first: int
    last: int
    form: str
    lemma: str
    upos: str
    xpos: str
    feats: str
    head: str
    deprel: str
    deps: str
    misc: str
    start: int
    end: int

    @property
    def id(self) -> str:
        return f"{self.first}-{self.last}"


@dataclass(frozen=True, slots=True)
class EmptyNode:
    """The ``number``-th node without a surface form after the word with the id ``after``."""

    after: int
    number: int
    form: str
    lemma: str
    upos: str
    xpos: str
    feats: str
    head: str
    deprel: str
    deps: str
    misc: str

    @property
    def id(self) -> str:
        return f"{self.after}.{self.number}"


class Sentence(Sequence[Token]):
    """Sentence ``number`` of a document, from 0 on: a sequence of its words, from ``begin`` to ``stop`` there."""

    __slots__ = ("begin", "doc", "number", "stop")

    def __init__(self, doc: Doc, number: int) -> None:
        self.doc = doc
        self.number = number
        self.begin = int(doc.sentence_starts[number])
        self.stop = int(doc.sentence_starts[number + 1])

    def __len__(self) -> int:
        return self.stop - self.begin

    @overload
    def __getitem__(self, index: int) -> Token: ...
    @overload
    def __getitem__(self, index: slice) -> list[Token]: ...
    def __getitem__(self, index: int | slice) -> Token | list[Token]:
        words = range(self.begin, self.stop)[index]
        if isinstance(words, range):
            return [self._token(word) for word in words]
        return self._token(words)

    def __iter__(self) -> Iterator[Token]:
        return (self._token(word) for word in range(self.begin, self.stop))

    def _token(self, word: int) -> Token:
        return Token(self.doc, word, word - self.begin + 1)

    def __repr__(self) -> str:
        return f"<Sentence {self.number}: {self.text!r}>"

    @property
    def tokens(self) -> list[Token]:
        """The syntactic words."""
        return list(self)

    @property
    def words(self) -> list[str]:
        """Their forms."""
        return self.strings("form")

    def strings(self, field: str) -> list[str]:
        """One field of all words."""
        return self.doc.columns.strings(field, self.begin, self.stop)

    @property
    def heads(self) -> NDArray[np.int32]:
        """Their heads: a view, so that writing to it writes to the document."""
        return self.doc.heads[self.begin : self.stop]

    @property
    def comments(self) -> list[str]:
        """The comment lines, each with its ``#``."""
        return self.doc.columns.comments(self.number)

    def comment(self, key: str) -> str | None:
        """The value of the first ``# key = value``; ``""`` for ``# key`` alone; None where there is none."""
        pattern = re.compile(rf"#\s*{re.escape(key)}\s*(?:=\s?(.*))?", re.DOTALL)
        for line in self.comments:
            if match := pattern.fullmatch(line):
                return match[1] or ""
        return None

    def _boundary(self, kind: str) -> str | None:
        name = self.comment(f"{kind} id")
        return self.comment(kind) if name is None else name

    @property
    def newdoc(self) -> str | None:
        """The id of the document that starts here, ``""`` if it has none; None where no document starts."""
        return self._boundary("newdoc")

    @property
    def newpar(self) -> str | None:
        """The id of the paragraph that starts here, ``""`` if it has none; None where no paragraph starts."""
        return self._boundary("newpar")

    @property
    def sent_id(self) -> str | None:
        return self.comment("sent_id")

    @property
    def text(self) -> str:
        """The ``# text`` of the sentence, or its tokens joined as their SpaceAfter says."""
        text = self.comment("text")
        if text is not None:
            return text
        if not len(self):
            return ""
        alone = self.doc.columns.slice(self.number, self.number + 1)
        return alone.text()[int(alone.starts[0]) : int(alone.ends[-1])]

    @property
    def start(self) -> int:
        """Offset of the first word in ``doc.text``; -1 where it is not known."""
        return int(self.doc.starts[self.begin]) if len(self) else -1

    @property
    def end(self) -> int:
        return int(self.doc.ends[self.stop - 1]) if len(self) else -1

    @property
    def multiword_tokens(self) -> list[MultiwordToken]:
        return [
            MultiwordToken(
                first,
                last,
                *fields[:5],
                head,
                *fields[5:],
                start=int(self.doc.starts[self.begin + first - 1]),
                end=int(self.doc.ends[self.begin + last - 1]),
            )
            for first, last, head, fields in self.doc.columns.multiwords(self.number)
        ]

    @property
    def empty_nodes(self) -> list[EmptyNode]:
        return [
            EmptyNode(after, number, *fields[:5], head, *fields[5:])
            for after, number, head, fields in self.doc.columns.empty_nodes(self.number)
        ]
