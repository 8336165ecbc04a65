"""Core of laconic.corpus."""

from collections.abc import Sequence
from typing import Annotated

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

    def set_head(self, word: int, head: int) -> None: ...

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
