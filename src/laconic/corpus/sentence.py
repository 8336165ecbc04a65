"""A sentence of a document, and what stands beside its words. Made on demand, never stored."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from laconic.corpus.span import Entity, Span

if TYPE_CHECKING:
    from laconic.corpus.doc import Doc


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


class Sentence(Span):
    """Sentence ``number`` of a document, from 0 on: a sequence of its words, from ``begin`` to ``stop`` there."""

    __slots__ = ("number",)

    def __init__(self, doc: Doc, number: int) -> None:
        starts = doc.sentence_starts
        super().__init__(doc, int(starts[number]), int(starts[number + 1]))
        self.number = number

    def __reduce__(self) -> tuple[Any, ...]:
        return Sentence, (self.doc, self.number)

    def __repr__(self) -> str:
        return f"<Sentence {self.number}: {self.text!r}>"

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
        return super().text

    @property
    def entities(self) -> list[Entity]:
        """The named entities, in their order."""
        found = self.doc.columns.entities(self.number, self.number + 1)
        return [Entity(self.doc, *one) for one in found]

    @property
    def noun_chunks(self) -> list[Span]:
        """Noun phrases without what follows or embeds them; ``laconic.corpus.noun_chunks`` has the definition."""
        from laconic.corpus.noun_chunks import noun_chunks  # it makes spans of sentences

        return list(noun_chunks(self))

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
