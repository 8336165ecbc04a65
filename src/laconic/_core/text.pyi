"""Core of laconic.text: where tokens and sentences end."""

from collections.abc import Sequence
from typing import Annotated

import numpy
from numpy.typing import NDArray

import laconic._core.corpus
import laconic._core.features
import laconic._core.learn


CODES: int = 64

GAPS: int = 5

LABELS: int = 3

CONTEXT: int = 632

class BoundaryTables:
    """
    What is learned beside the weights: likely labels, gaps, casing of words.
    """

    def __init__(self, masks: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], gaps: Sequence[int], words: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], casing: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

class Multiwords:
    """Which tokens stand for several words, and for which."""

    def __init__(self, tokens: Sequence[str], endings: Sequence[str], begins: Sequence[int], words: Sequence[str]) -> None: ...

    @staticmethod
    def from_arrays(token_bytes: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], token_offsets: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], ending_bytes: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], ending_offsets: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], begins: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], word_bytes: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], word_offsets: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Multiwords: ...

    def arrays(self) -> dict[str, NDArray[numpy.generic]]: ...

    def split(self, form: str, next: str = '') -> list[str]:
        """The words of a token before another; none if it is one word."""

class Exceptions:
    """Strings never split."""

    def __init__(self, strings: Sequence[str]) -> None: ...

class Training:
    """A text with the labels that a treebank gives its characters."""

    def __init__(self, text: bytes, columns: laconic._core.corpus.Columns) -> None: ...

    def boundary_counts(self, chosen: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> NDArray[numpy.uint32]:
        """
        How often each label stood between which characters, over the chosen sentences.
        """

    def casing(self, chosen: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], minimum: int) -> tuple[NDArray[numpy.uint32], NDArray[numpy.uint8]]:
        """Words of the chosen sentences and how they are written."""

class BoundaryClassifier:
    """Which ends are likely where, and weights."""

    def __init__(self, plan: laconic._core.features.Plan, tables: BoundaryTables, table: laconic._core.learn.Table | None = None) -> None: ...

    def collect(self, examples: laconic._core.learn.Examples, training: Training, chosen: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """One example per decision of the chosen sentences."""

    def prefixes(self, training: Training, depths: Sequence[int], chosen: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple[NDArray[numpy.int32], NDArray[numpy.uint16]]:
        """
        Lead and label of each decision of the chosen sentences after each of the depths; gold labels are the history.
        """

    def segment(self, text: bytes, exits: laconic._core.learn.Exits, begin: int, multiwords: Multiwords | None, exceptions: Exceptions | None, emails: bool, urls: bool, technical: bool, lines: bool, line_ends: str, last: bool, longest: int) -> tuple[laconic._core.corpus.Columns, int, int, int, int]:
        """
        The sentences of a text in UTF-8 from the byte `begin` on, the byte where they end, and what it cost.
        """

    def segment_each(self, texts: list[bytes], exits: laconic._core.learn.Exits, multiwords: Multiwords | None, exceptions: Exceptions | None, emails: bool, urls: bool, technical: bool, lines: bool, line_ends: str, longest: int) -> list[laconic._core.corpus.Columns]:
        """Each of the texts as a document of its own."""

    def split(self, text: bytes, exits: laconic._core.learn.Exits, ends: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> NDArray[numpy.uint8]:
        """
        For each token of a text, given by the byte where it ends: does a sentence end behind it?
        """
