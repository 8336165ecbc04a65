"""A run of sentences as columns: one document, a batch, or a whole treebank."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from laconic._core import corpus as core
from laconic.corpus.sentence import EmptyNode, MultiwordToken, Sentence
from laconic.corpus.span import Entity, Span, part_of
from laconic.corpus.token import Token
from laconic.errors import choices

if TYPE_CHECKING:
    from laconic.query import Match, Query
    from laconic.query.search import AnyPattern

FIELDS = ("form", "lemma", "upos", "xpos", "feats", "deprel", "deps", "misc")
Codes = NDArray[np.int32]
"""Heads, or numbers in the list of the distinct values of a column."""


class Doc:
    """A thin wrapper over the columns of the core. ``len`` counts syntactic words; equality compares all that is said
    about them (fields, comments, multiword tokens, empty nodes), not how the lines of the file ended."""

    __slots__ = ("__weakref__", "columns")
    __hash__ = None  # type: ignore[assignment]  # columns can be written to

    def __init__(self, columns: core.Columns) -> None:
        self.columns = columns

    @classmethod
    def from_words(
        cls,
        sentences: Sequence[Sequence[str]],
        *,
        comments: Sequence[Sequence[str]] | None = None,
        multiword_tokens: Sequence[Sequence[tuple[int, int, str] | tuple[int, int, str, str]]] | None = None,
        **fields: Sequence[Sequence[Any]],
    ) -> Doc:
        """Builds a document from lists of words, one list per sentence.

        ``fields`` are lists of the same shape: lemma, upos, xpos, feats, head (numbers), deprel, deps, misc.
        ``comments`` has lines starting with ``#`` per sentence, ``multiword_tokens`` has (first, last, form) or
        (first, last, form, misc). ValueError where shapes differ or a string cannot stand in a column.
        """
        rows = _rows(sentences, "sentences")
        lengths = [len(row) for row in rows]
        if 0 in lengths:
            raise ValueError(f"sentence {lengths.index(0)} has no words: leave it out")
        columns = core.build(lengths, list(chain.from_iterable(rows)))
        for name, values in fields.items():
            if name != "head" and name not in FIELDS[1:]:
                raise ValueError(f"no field {name!r}: there are {choices(name, (*FIELDS[1:], 'head'))}")
            column = _rows(values, name)
            if [len(row) for row in column] != lengths:
                raise ValueError(f"{name} must have the shape of the words: one value for each word of each sentence")
            flat = list(chain.from_iterable(column))
            if name == "head":
                columns.heads[:] = np.asarray(flat, dtype=np.int32)
            else:
                columns.set_strings(name, flat)
        if comments is not None:
            columns.set_comments([list(lines) for lines in comments])
        if multiword_tokens is not None:
            columns.set_multiwords(
                [[(t[0], t[1], t[2], t[3] if len(t) > 3 else "_") for t in row] for row in multiword_tokens]
            )
        return cls(columns)

    @classmethod
    def from_conllu(cls, text: str | bytes) -> Doc:
        """Reads CoNLL-U from memory; InputError where it is broken."""
        source = text.encode() if isinstance(text, str) else text
        return cls(core.read_conllu(source)[0])

    @classmethod
    def from_json(cls, text: str | bytes) -> Doc:
        """A document from JSON as ``to_json`` writes it, or all documents of a file of ``--to json`` as one. InputError
        names the sentence of what is wrong."""
        from laconic.corpus.record_reading import from_json

        return cls(from_json(text))

    @classmethod
    def from_arrow(cls, table: Any) -> Doc:
        """A document from a table of words as ``to_arrow`` gives it, a cell of nested words of ``Pipeline.map_table``,
        or any object that offers such a table as Arrow. Needs the extra ``arrow``. Not in tables: empty
        nodes, and of multiword tokens all but range, form and MISC."""
        from laconic.interop.table_reading import from_arrow

        return from_arrow(table)

    @classmethod
    def concatenate(cls, docs: Iterable[Doc]) -> Doc:
        """All sentences of all documents, in order."""
        return cls(core.concatenate([doc.columns for doc in docs]))

    def __len__(self) -> int:
        return len(self.columns)

    def __bool__(self) -> bool:
        return self.columns.sentence_count > 0

    def __iter__(self) -> Iterator[Token]:
        """The words, one after another. About as fast as a list of them, and never more than a sentence of them is
        there at once."""
        edges = pairwise(self.columns.sentences.tolist())
        return chain.from_iterable(core.words(Token, self, begin, stop) for begin, stop in edges)

    @overload
    def __getitem__(self, index: int) -> Token: ...
    @overload
    def __getitem__(self, index: slice) -> Span: ...
    def __getitem__(self, index: int | slice) -> Token | Span:
        return part_of(self, range(len(self)), index)

    def __eq__(self, other: object) -> bool:
        return self.columns.equals(other.columns) if isinstance(other, Doc) else NotImplemented

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles as CoNLL-U."""
        return Doc.from_conllu, (self.columns.to_conllu(),)

    def __repr__(self) -> str:
        return f"<Doc: {self.columns.sentence_count} sentences, {len(self)} words>"

    @property
    def sentences(self) -> SentenceSequence:
        """The sentences as a sequence of views; a slice of it is a Doc of its own."""
        return SentenceSequence(self)

    @property
    def entities(self) -> list[Entity]:
        """The named entities in their order, read from ``NER=`` in MISC, whatever the scheme of the tags (BIO, BIOES,
        BILOU); what is no tag is passed over. Linear."""
        return [Entity(self, *found) for found in self.columns.entities(0, self.columns.sentence_count)]

    @property
    def ents(self) -> list[Entity]:
        """The same as ``entities``, as spaCy calls them."""
        return self.entities

    @property
    def noun_chunks(self) -> list[Span]:
        """The noun phrases of all sentences, each without what follows or embeds it; see ``Sentence.noun_chunks``."""
        return [chunk for sentence in self.sentences for chunk in sentence.noun_chunks]

    def _labelled(self, begin: int, stop: int, label: str) -> Entity:
        return Entity(self, begin, stop, label)

    @property
    def sentence_starts(self) -> NDArray[np.uint32]:
        """Index of the first word of each sentence, and the number of words at the end. Read-only, no copy."""
        return self.columns.sentences

    @property
    def heads(self) -> NDArray[np.int32]:
        """Head of each word: 0 root, else an id in the sentence, -1 none. No copy: writing here writes the document."""
        return self.columns.heads

    @property
    def starts(self) -> NDArray[np.int32]:
        """Offset in ``text`` of each word's first character, -1 where it is not known. Words of a multiword token stand
        where their letters stand if they spell it, but for case and white space (don't: do, n't), else all where the
        token stands (du: de, le). Computed once, at the first question."""
        return self.columns.starts

    @property
    def ends(self) -> NDArray[np.int32]:
        """Offset in ``text`` after each word's last character."""
        return self.columns.ends

    @property
    def text(self) -> str:
        """The running text: each sentence as its ``# text``, or as SpaceAfter, SpacesAfter, SpacesBefore and
        SpacesInToken of its tokens say; where nothing is said, one space stands between tokens.
        Rebuilt at each call; linear."""
        return self.columns.text()

    def strings(self, field: str) -> list[str]:
        """One field of all words."""
        return self.columns.strings(field, 0, len(self))

    def codes(self, field: str) -> tuple[NDArray[np.int32], list[str]]:
        """One field as numbers: a code per word, and the distinct values in the order of their first appearance."""
        return self.columns.codes(field)

    def set_codes(self, field: str, codes: ArrayLike, values: Sequence[str]) -> None:
        """Writes a field: word i gets ``values[codes[i]]``."""
        given = values if isinstance(values, list) else list(values)
        self.columns.set_codes(field, np.ascontiguousarray(codes, dtype=np.int32), given)

    @property
    def comments(self) -> list[list[str]]:
        """The comment lines of each sentence."""
        return [sentence.comments for sentence in self.sentences]

    @property
    def multiword_tokens(self) -> list[list[MultiwordToken]]:
        return [sentence.multiword_tokens for sentence in self.sentences]

    @property
    def empty_nodes(self) -> list[list[EmptyNode]]:
        return [sentence.empty_nodes for sentence in self.sentences]

    def documents(self) -> Iterator[Doc]:
        """The documents in it, cut before each ``# newdoc``."""
        count = self.columns.sentence_count
        starts = self.columns.document_starts()
        edges = [*(() if starts[:1] == [0] else (0,)), *starts, count]
        for begin, end in pairwise(edges):
            if begin < end:
                yield self.sentences[begin:end]

    def find(self, pattern: AnyPattern | Query) -> list[Match]:
        """The words that match a pattern over trees, in the language of Semgrex
        (``{upos:VERB} >nsubj {lemma:/cat|dog/}=who``) or as spaCy's DependencyMatcher takes it; docs/query.md describes
        both. InputError that points at the column of what cannot be read."""
        from laconic.query.search import find

        return find(self, pattern)

    def to_conllu(self) -> str:
        """The document as CoNLL-U; what was read comes back as it was. ValueError where heads were set to nonsense that
        no reader takes: out of the sentence, a cycle, only some words with a head."""
        return self.columns.to_conllu().decode()

    def to_json(self, *, indent: int | None = None) -> str:
        """The document as JSON: per sentence a list for each column of its words; docs/views.md describes the shape."""
        from laconic.corpus.records import to_json

        return to_json(self, indent)

    def to_arrow(self) -> Any:
        """A ``pyarrow.Table`` with one row per word, null where nothing is known. Needs the extra ``arrow``."""
        from laconic.interop.tables import to_arrow

        return to_arrow(self)

    def to_pandas(self) -> Any:
        """A ``pandas.DataFrame`` with one row per word. Needs the extra ``pandas``."""
        from laconic.interop.tables import to_pandas

        return to_pandas(self)

    def to_spacy(self, vocab: Any = None) -> Any:
        """A ``spacy.tokens.Doc``, with the vocabulary of a pipeline if one is given. Needs the extra ``spacy``."""
        from laconic.interop.spacy import to_spacy

        return to_spacy(self, vocab)

    def to_nltk(self) -> list[Any]:
        """One ``DependencyGraph`` of NLTK's per sentence. Needs the extra ``nltk``."""
        from laconic.interop.nltk import to_nltk

        return to_nltk(self)

    def to_displacy(self, style: Literal["dep", "ent"] = "dep") -> list[dict[str, Any]]:
        """What ``displacy.render(…, manual=True)`` takes: one dictionary per sentence."""
        from laconic.interop.displacy import to_displacy

        return to_displacy(self, style)

    def svg(self, *, width: float | None = 1000, rows: Sequence[str] = ("upos",)) -> str:
        """The trees as one self-contained picture. Sentences wider than ``width`` pixels go on in the next line (None:
        never); under the words stand ``rows``: upos, xpos, lemma, feats."""
        from laconic.interop.svg import Style, to_svg

        return to_svg(self, Style(width=width, rows=tuple(rows)))

    def _repr_html_(self) -> str:
        """The first sentences as pictures, for notebooks."""
        from laconic.interop.html import notebook

        return notebook(self)


class SentenceSequence:
    """The sentences of a document."""

    __slots__ = ("doc",)

    def __init__(self, doc: Doc) -> None:
        self.doc = doc

    def __len__(self) -> int:
        return self.doc.columns.sentence_count

    @overload
    def __getitem__(self, index: int) -> Sentence: ...
    @overload
    def __getitem__(self, index: slice) -> Doc: ...
    def __getitem__(self, index: int | slice) -> Sentence | Doc:
        numbers = range(len(self))[index]
        if not isinstance(numbers, range):
            return Sentence(self.doc, numbers)
        columns = self.doc.columns
        if numbers.step == 1:
            return Doc(columns.slice(numbers.start, max(numbers.start, numbers.stop)))
        return Doc(core.concatenate([columns.slice(number, number + 1) for number in numbers]))

    def __iter__(self) -> Iterator[Sentence]:
        return (Sentence(self.doc, index) for index in range(len(self)))

    def __repr__(self) -> str:
        return f"<{len(self)} sentences of {self.doc!r}>"


def fits_a_column(label: str) -> bool:
    """Can a document hold it? Not where it is empty, would break a line, or is a lone surrogate."""
    return label != "" and not re.search("[\t\n\r\0\ud800-\udfff]", label)


def _rows(values: Sequence[Sequence[Any]], name: str) -> list[list[Any]]:
    """Checks that there is a list per sentence: a flat list of strings would be taken for sentences of letters."""
    if isinstance(values, str) or any(isinstance(row, str) for row in values):
        raise ValueError(
            f"{name} is a flat list of strings: expected one list per sentence; "
            'for one sentence write [["The", "dog", "barks"]], with two pairs of brackets'
        )
    return [list(row) for row in values]
