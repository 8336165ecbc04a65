"""Core of laconic.graph: edges, decoders, locked arcs, rounds."""

from typing import Annotated

import numpy
from numpy.typing import NDArray


class Edges:
    """
    The edges of a sentence: which heads of each word are alive, and their scores.
    """

    def __init__(self, words: int, longest: int = 400, reach: int = 128, cells: int = 2560000) -> None:
        """All edges are alive, with score 0."""

    @property
    def words(self) -> int: ...

    @property
    def columns(self) -> int: ...

    @property
    def reach(self) -> int:
        """Distance of the farthest head but the root."""

    @property
    def dense(self) -> bool:
        """Is every column the head of that number?"""

    def heads(self) -> NDArray[numpy.int32]:
        """The head of each column of each word; -1 where there is none."""

    def set_scores(self, scores: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> None:
        """By word and column."""

    def set_alive(self, alive: Annotated[NDArray[numpy.bool_], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> None:
        """By word and column; columns without a head stay dead."""

    def alive(self) -> list:
        """The alive heads of each word."""

def best_heads(edges: Edges, single_root: bool = True, projective: bool = True) -> object:
    """
    The best head of each word; None where these are no tree that keeps to the rules.
    """

def best_arborescence(edges: Edges, single_root: bool = True) -> object:
    """The best tree, whose arcs may cross; None if there is no tree."""

def best_projective(edges: Edges, single_root: bool = True) -> object:
    """The best projective tree; None if there is none."""

def best_with_siblings(edges: Edges, parts: Annotated[NDArray[numpy.int32], dict(shape=(None, None, None), order='C', device='cpu', writable=False)], single_root: bool = True) -> object:
    """
    The best projective tree by edges and adjacent siblings. Parts by head, modifier and sibling, without a sibling at the head.
    """

def best_tree(edges: Edges, single_root: bool = True, projective: bool = True) -> object:
    """
    The best tree by edges: the best heads where these are one, else by the decoder for the rules.
    """

def max_marginals(edges: Edges, single_root: bool = True) -> object:
    """
    The best sum, and for each word and column that of the best projective tree with this edge, the lowest 64-bit number where there is none; None if there is no tree.
    """
