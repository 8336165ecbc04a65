"""Core of laconic.corpus."""

from collections.abc import Sequence
from typing import Annotated, Any, Self, SupportsIndex

import numpy
import numpy.typing
from numpy.typing import NDArray


class Columns:
    """Sentences as columns; see core/corpus/columns.hpp."""

    def __len__(self) -> int: ...

    @property
    def sentence_count(self) -> int: ...

    @property
    def sentences(self) -> numpy.typing.NDArray[numpy.uint32]: ...

    @property
    def heads(self) -> numpy.typing.NDArray[numpy.int32]: ...

    @property
    def starts(self) -> numpy.typing.NDArray[numpy.int32]: ...

    @property
    def ends(self) -> numpy.typing.NDArray[numpy.int32]: ...

    def text(self) -> str: ...

    def strings(self, field: str, begin: int, end: int) -> list[str]: ...

    def set_strings(self, field: str, strings: list[str]) -> None: ...

    def set_string(self, field: str, word: int, string: str) -> None: ...

    def codes(self, field: str) -> tuple[numpy.typing.NDArray[numpy.int32], list[str]]: ...

    def set_codes(self, field: str, codes: numpy.typing.NDArray[numpy.int32], values: list[str]) -> None: ...

    def comments(self, sentence: int) -> list[str]: ...

    def set_comments(self, comments: list[list[str]]) -> None: ...

    def number_sentences(self, first: int) -> None:
        """Gives each sentence a comment with its number as sent_id."""

    def set_entries(self, key: str, codes: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)], values: Sequence[str]) -> None:
        """
        Gives each word an entry of MISC, in place of one of that name; an empty value is no entry.
        """

    def multiwords(self, sentence: int) -> list[tuple[int, int, str, tuple[str, str, str, str, str, str, str, str]]]: ...

    def set_multiwords(self, multiwords: list[list[tuple[int, int, str, str]]]) -> None: ...

    def drop_empty_nodes(self) -> None: ...

    def empty_nodes(self, sentence: int) -> list[tuple[int, int, str, tuple[str, str, str, str, str, str, str, str]]]: ...

    def document_starts(self) -> list[int]: ...

    def to_conllu(self, exact: bool = True) -> bytes:
        """
        As it was read, or with plain line ends and blank lines, so that several can be joined.
        """

    def slice(self, begin: int, end: int) -> Columns: ...

    def reversed(self) -> Columns:
        """
        The same sentences with their words, and heads, in reverse; without comments, multiword tokens and empty nodes.
        """

    def equals(self, other: Columns) -> bool: ...

    def sentence_of(self, word: int) -> int:
        """The number of the sentence that a word is in."""

    def entry(self, field: str, word: int, key: str) -> str | None:
        """
        The value of an entry of FEATS or MISC; None where there is no such entry.
        """

    def entity_at(self, word: int) -> tuple[int, int, str] | None:
        """
        The entity that a word is in: first word, the word behind the last, label.
        """

    def entities(self, begin: int, end: int) -> list[tuple[int, int, str]]:
        """
        Entities of some sentences: first word, the word behind the last, label.
        """

    def text_between(self, begin: int, end: int) -> str:
        """The text of some words."""

def build(lengths: list[int], forms: list[str]) -> Columns: ...

def concatenate(parts: list[Columns]) -> Columns: ...

def tree_fault(heads: numpy.typing.NDArray[numpy.int32]) -> str: ...

longest_line: int = 4194304

def read_conllu(source: bytes, file: str = '', first_line: int = 1, lenient: bool = False, max_words: int = 18446744073709551615, begin: int = 0) -> tuple[Columns, list[tuple[str, int, int]], int, int, int]:
    """Reads CoNLL-U."""

def check_conllu(source: bytes, file: str = '', first_line: int = 1, lenient: bool = False, max_words: int = 18446744073709551615, begin: int = 0) -> tuple[Columns, list[tuple[str, int, int]], int, int, int]:
    """
    Reads CoNLL-U; what is read as it is, but should not be there, is a fault, too.
    """

def nonprojective_arcs(heads: numpy.typing.NDArray[numpy.int32], starts: numpy.typing.NDArray[numpy.uint32]) -> numpy.typing.NDArray[numpy.uint8]: ...

def lift(heads: numpy.typing.NDArray[numpy.int32], starts: numpy.typing.NDArray[numpy.uint32]) -> tuple[numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.uint8]]: ...

def unlift(heads: numpy.typing.NDArray[numpy.int32], starts: numpy.typing.NDArray[numpy.uint32], codes: numpy.typing.NDArray[numpy.int32], labels: numpy.typing.NDArray[numpy.int32], targets: numpy.typing.NDArray[numpy.int32], lifts: numpy.typing.NDArray[numpy.uint8], paths: numpy.typing.NDArray[numpy.uint8], follow_path: bool) -> numpy.typing.NDArray[numpy.int32]: ...

def read_conllx(source: bytes, file: str = '', first_line: int = 1, lenient: bool = False, max_words: int = 18446744073709551615, begin: int = 0) -> tuple[Columns, list[tuple[str, int, int]], int, int, int]:
    """Reads CoNLL-X."""

def read_conll2008(source: bytes, file: str = '', first_line: int = 1, lenient: bool = False, max_words: int = 18446744073709551615, begin: int = 0) -> tuple[Columns, list[tuple[str, int, int]], int, int, int]:
    """Reads CoNLL-2008."""

def read_conll2009(source: bytes, file: str = '', first_line: int = 1, lenient: bool = False, max_words: int = 18446744073709551615, begin: int = 0) -> tuple[Columns, list[tuple[str, int, int]], int, int, int]:
    """Reads CoNLL-2009."""

def write_conllx(columns: Columns) -> tuple[bytes, list[tuple[str, int]]]:
    """CoNLL-X, and what it could not hold."""

def write_conll2008(columns: Columns) -> tuple[bytes, list[tuple[str, int]]]:
    """CoNLL-2008, and what it could not hold."""

def write_conll2009(columns: Columns) -> tuple[bytes, list[tuple[str, int]]]:
    """CoNLL-2009, and what it could not hold."""

def read_iob(source: bytes, file: str, first_line: int, lenient: bool, max_words: int, begin: int, names: list[str], tabs: bool, scheme: str) -> tuple[Columns, list[tuple[str, int, int]], int, int, int]:
    """Reads entities in columns."""

def write_iob(columns: Columns, names: list[str], tabs: bool, scheme: str) -> tuple[bytes, list[tuple[str, int]]]:
    """Entities in columns, and what they could not hold."""

def tags_to_bio(tags: Sequence[str], scheme: str) -> list[str]: ...

def tags_from_bio(bio: Sequence[str], scheme: str) -> list[str]: ...

class Joined:
    """Short documents at work as one; see core/corpus/joined.hpp."""

    def __init__(self, parts: list[Columns], opens: Sequence[bool]) -> None: ...

    @property
    def columns(self) -> Columns: ...

    def hand_back(self, parts: list[Columns]) -> None:
        """
        Gives each part what its words have in the whole: heads, and fields but for forms.
        """

class WordView:
    """A word of a document; see laconic.corpus.Token."""

    def __init__(self, doc: Any, index: int) -> None: ...

    def __eq__(self, other: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    @property
    def doc(self) -> Any:
        """The document it belongs to."""

    @property
    def index(self) -> int:
        """Its place among all words of the document, from 0 on."""

    @property
    def id(self) -> int:
        """Its number in the sentence, from 1 on."""

    @property
    def form(self) -> str:
        """The word as it is written."""

    @property
    def text(self) -> str:
        """The same as ``form``."""

    @property
    def start(self) -> int:
        """
        Offset of the first character in ``doc.text``; -1 where it is not known.
        """

    @property
    def end(self) -> int:
        """Offset behind the last character in ``doc.text``."""

    @property
    def lemma(self) -> str:
        """Its dictionary form."""

    @lemma.setter
    def lemma(self, value: str, /) -> None: ...

    @property
    def upos(self) -> str:
        """Universal part of speech."""

    @upos.setter
    def upos(self, value: str, /) -> None: ...

    @property
    def xpos(self) -> str:
        """Part of speech of the language or the treebank."""

    @xpos.setter
    def xpos(self, value: str, /) -> None: ...

    @property
    def deprel(self) -> str:
        """Its relation to the head."""

    @deprel.setter
    def deprel(self, value: str, /) -> None: ...

    @property
    def deps(self) -> str:
        """Enhanced dependencies, as in CoNLL-U."""

    @deps.setter
    def deps(self, value: str, /) -> None: ...

    @property
    def head_index(self) -> int:
        """Id of the head in the sentence; 0 for a root, -1 where there is none."""

    @head_index.setter
    def head_index(self, value: SupportsIndex, /) -> None: ...

    @property
    def head(self) -> Self:
        """
        The word it depends on; the word itself for a root, and where no head is known.
        """

    @head.setter
    def head(self, value: WordView, /) -> None: ...

    @property
    def children(self) -> list[Self]:
        """
        The words that depend on it, in their order. Linear in the sentence, as all below.
        """

    @property
    def lefts(self) -> list[Self]:
        """Those of its children that stand before it."""

    @property
    def rights(self) -> list[Self]:
        """Those of its children that stand behind it."""

    @property
    def subtree(self) -> list[Self]:
        """It and all words below it, in the order of the sentence."""

    @property
    def ancestors(self) -> list[Self]:
        """Its head, the head of that, up to the root."""

def words(type: type[Any], doc: Any, begin: int, end: int) -> list[Any]:
    """Words of a document as objects of a subclass of WordView."""
