"""Core of laconic.tag: one label per word, left to right."""

from collections.abc import Sequence
from typing import Annotated

import numpy
from numpy.typing import NDArray

import laconic._core.corpus
import laconic._core.features
import laconic._core.learn


def collect(examples: laconic._core.learn.Examples, plan: laconic._core.features.Plan, lexicon: laconic._core.features.Lexicon, sets: laconic._core.learn.LabelSets, open: int, atoms: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], columns: laconic._core.corpus.Columns, gold: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)], sentences: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
    """
    One example per word of the sentences, gold labels to the left as history.
    """

def tag(plan: laconic._core.features.Plan, lexicon: laconic._core.features.Lexicon, table: laconic._core.learn.Table, sets: laconic._core.learn.LabelSets, open: int, atoms: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], columns: laconic._core.corpus.Columns, exits: laconic._core.learn.Exits) -> tuple[NDArray[numpy.uint16], NDArray[numpy.uint32], int]:
    """
    Label and templates computed for each word, and the cache lines of weights read in all.
    """

def prefixes(plan: laconic._core.features.Plan, lexicon: laconic._core.features.Lexicon, table: laconic._core.learn.Table, sets: laconic._core.learn.LabelSets, open: int, atoms: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], columns: laconic._core.corpus.Columns, depths: Sequence[int], exits: laconic._core.learn.Exits, sentences: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple[NDArray[numpy.int32], NDArray[numpy.uint16]]:
    """
    Lead and label of each word after each of the depths, along the trajectory that the exits give.
    """
