"""Core of laconic.label: one label per arc of a finished tree."""

from collections.abc import Sequence
from typing import Annotated

import numpy
from numpy.typing import NDArray

import laconic._core.corpus
import laconic._core.features
import laconic._core.learn


class LabelCandidates:
    """
    Which labels an arc may bear, by the tags of its two words and its direction.
    """

    def __init__(self, sets: laconic._core.learn.LabelSets, keys: Sequence[int], numbers: Sequence[int]) -> None: ...

    def keys(self) -> NDArray[numpy.uint64]: ...

    def numbers(self) -> NDArray[numpy.uint32]: ...

class ArcClassifier:
    """How arcs are read, which labels they may bear, and weights."""

    def __init__(self, plan: laconic._core.features.Plan, lexicon: laconic._core.features.Lexicon, candidates: LabelCandidates, atoms: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], pos: str, order: str, table: laconic._core.learn.Table | laconic._core.learn.HiddenTable | None = None) -> None: ...

    def collect(self, examples: laconic._core.learn.Examples, columns: laconic._core.corpus.Columns, gold: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)], sentences: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], teach: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """
        One example per arc of the sentences that has something to teach, gold labels as history.
        """

    def decide(self, columns: laconic._core.corpus.Columns, exits: laconic._core.learn.Exits, temperatures: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple[NDArray[numpy.uint16], NDArray[numpy.uint32], int, NDArray[numpy.float32]]:
        """
        Label and templates computed for each word, the cache lines of weights read in all, and confidences if there are temperatures.
        """

    def prefixes(self, columns: laconic._core.corpus.Columns, exits: laconic._core.learn.Exits, depths: Sequence[int], sentences: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple[NDArray[numpy.int32], NDArray[numpy.uint16]]:
        """
        Lead and label of each word after each of the depths, along the trajectory that the exits give.
        """

    def final_scores(self, columns: laconic._core.corpus.Columns, exits: laconic._core.learn.Exits, sentences: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple[NDArray[numpy.uint16], NDArray[numpy.uint32], NDArray[numpy.uint64], NDArray[numpy.float32]]:
        """
        How each decision ended: label, depth, and the scores of its candidates less the best one, run after run.
        """

def pair_keys(columns: laconic._core.corpus.Columns, pos: str) -> NDArray[numpy.uint64]:
    """The key of the pair of tags of every arc."""
