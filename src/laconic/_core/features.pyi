"""Core of laconic.features."""

from collections.abc import Mapping, Sequence
from typing import Annotated

import numpy
from numpy.typing import NDArray


def is_word_level(attribute: int) -> bool:
    """Does the attribute depend on nothing but the form of a word?"""

def attribute_names() -> list[str]:
    """Names in the order of their codes."""

def node_names() -> list[str]:
    """Names in the order of their codes."""

def step_names() -> list[str]:
    """Names in the order of their codes."""

UNKNOWN: int = 0

NOTHING: int = 1

UNKNOWN_WORD: int = 2

NO_PAYLOAD: int = 4294967295

MAX_STEPS: int = 5

MAX_AFFIX: int = 5

CHARACTERS_BEFORE: int = 32

CHARACTERS_BEHIND: int = 39

DECISIONS_BEFORE: int = 8

def atom(arg: str, /) -> int: ...

def feat_atom(feats: str, name: str) -> int: ...

def shape(arg: str, /) -> str: ...

def word_atom(form: str, attribute: int, number: int = 0) -> int: ...

class Slot:
    """Where one atom is read."""

    def __init__(self, attribute: int, node: int, index: int = 0, number: int = 0, argument: int = 0, path: Sequence[int] = [], many: bool = False) -> None: ...

    @property
    def attribute(self) -> int: ...

    @property
    def node(self) -> int: ...

    @property
    def index(self) -> int: ...

    @property
    def number(self) -> int: ...

    @property
    def argument(self) -> int: ...

    @property
    def many(self) -> bool: ...

    @property
    def path(self) -> list[int]: ...

class Plan:
    """A template set compiled."""

    def __init__(self, slots: Sequence[Slot], templates: Sequence[Sequence[int]], names: Sequence[str], arguments: Sequence[str] = []) -> None: ...

    def __len__(self) -> int: ...

    @property
    def slots(self) -> list[Slot]: ...

    @property
    def arguments(self) -> list[str]: ...

    def template(self, arg: int, /) -> list[int]: ...

    def many(self, arg: int, /) -> bool: ...

    @property
    def word_columns(self) -> list[int]:
        """
        For each slot the column of a lexicon's rows that holds its atom, or -1.
        """

class Dictionary:
    """A frozen map from forms to values."""

    def __init__(self, bytes: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], offsets: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], values: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], name_bytes: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], name_offsets: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def __len__(self) -> int: ...

    def atom(self, form: str, prefix: int = 0) -> int: ...

    def arrays(self) -> dict[str, NDArray[numpy.generic]]: ...

class Lexicon:
    """The frozen vocabulary with the word-level atoms of a plan."""

    def __init__(self, plan: Plan, bytes: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], offsets: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], ambiguity: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], payloads: Annotated[NDArray[numpy.uint32], dict(shape=(None, None), order='C', device='cpu', writable=False)], dictionaries: Mapping[str, Dictionary]) -> None: ...

    def __len__(self) -> int: ...

    def __contains__(self, arg: str, /) -> bool: ...

    def find(self, form: str) -> int | None:
        """The number of a form, or None."""

    @property
    def forms(self) -> list[str]: ...

    @property
    def stride(self) -> int: ...

    @property
    def payload_count(self) -> int: ...

    def row(self, arg: int, /) -> NDArray[numpy.uint32]: ...

    def arrays(self) -> dict[str, NDArray[numpy.generic]]: ...

class WordRows:
    """The words of a batch resolved to rows of a lexicon and of an overlay."""

    def __init__(self, lexicon: Lexicon, bytes: bytes, spans: Annotated[NDArray[numpy.uint32], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> None: ...

    def __len__(self) -> int: ...

    def known(self, arg: int, /) -> bool: ...

    @property
    def ids(self) -> NDArray[numpy.uint32]: ...

    @property
    def unknown_types(self) -> int: ...

    def table(self) -> NDArray[numpy.uint32]:
        """All rows as one matrix."""

UNICODE_VERSION: str = '14.0.0'

def lower(arg: bytes, /) -> bytes: ...

def decode(arg: bytes, /) -> list[int]: ...

def code_point(arg: int, /) -> tuple[str, str, int]: ...
