"""Core of laconic.graph: edges, decoders, locked arcs, rounds."""

from collections.abc import Sequence
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

def vote(heads: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], starts: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], weights: Sequence[int], single_root: bool = True) -> NDArray[numpy.int32]:
    """
    The trees with the most votes: heads by document and word, where sentences start and the last ends, and the weight of each document.
    """

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

def prune(edges: Edges, share: float, single_root: bool = True) -> int | None:
    """
    Removes edges whose max-marginal is below share * best + (1 - share) * mean of all, a step of a pruning cascade. How many died; None, and nothing happens, if there is no projective tree.
    """

class Faces:
    """
    Locked arcs of a sentence, and the heads that they leave to other words.
    """

    def __init__(self, words: int, single_root: bool = True, projective: bool = True) -> None: ...

    @property
    def words(self) -> int: ...

    @property
    def locked(self) -> int:
        """How many words are locked."""

    def candidates(self, word: int) -> list[int]:
        """
        The heads that some tree with all locked arcs gives to a word, in ascending order.
        """

    def lock(self, head: int, word: int) -> list[int]:
        """Locks an arc; returns the words whose candidates may have changed."""

    def regions(self) -> list[tuple[list[int], int]]:
        """
        Words on the border of each face, and the head of the arc above it, -1 for the first, which has none.
        """

class PolicyWeights:
    """
    What a linear policy weighs beside features of the edge: it locks where the sum is positive.
    """

    def __init__(self, bias: float, now: float, before: float, margin: float, groups: Sequence[float], temperature: float) -> None:
        """
        Of the squashed score now and before the last group, its margin over the best rival, and the next group.
        """

    @property
    def bias(self) -> float: ...

    @property
    def now(self) -> float: ...

    @property
    def before(self) -> float: ...

    @property
    def margin(self) -> float: ...

    @property
    def groups(self) -> list[float]: ...

    @property
    def temperature(self) -> float: ...

class RoundCounts:
    """One round of a sentence: what was decided, then computed."""

    @property
    def group(self) -> int: ...

    @property
    def parser(self) -> str: ...

    @property
    def locked(self) -> int:
        """Words locked by the policy."""

    @property
    def forced(self) -> int:
        """Words locked because one head was left."""

    @property
    def dropped(self) -> int:
        """Edges that trailed, or whose word was locked to another head."""

    @property
    def ruled_out(self) -> int:
        """Edges that locked arcs ruled out."""

    @property
    def kept(self) -> int:
        """Edges of the current tree that locked arcs would rule out."""

    @property
    def open(self) -> int:
        """Words that the group was added to."""

    @property
    def edges(self) -> int:
        """Alive edges of these words."""

    @property
    def templates(self) -> int: ...

    @property
    def rows(self) -> int: ...

class RoundsResult:
    """What the rounds of a sentence came to."""

    @property
    def rounds(self) -> list[RoundCounts]: ...

    @property
    def lifted(self) -> bool:
        """The edges given had no tree, so that all others came back."""

    @property
    def failed(self) -> bool:
        """The paper's propagation left no projective tree."""

class RoundTrace:
    """What happened in the rounds of a sentence."""

    @property
    def trees(self) -> list[list[int]]:
        """The heads after each round."""

    def candidates(self, round: int) -> dict[int, dict[int, int]]:
        """Of each word with several heads when a tree was decoded: their scores."""

    @property
    def events(self) -> list[tuple[int, int, int, str]]:
        """
        After which round, head, word, and what became of the edge: locked, forced (no other head was left), or the reason for which it died: trails, other head, crossing, cycle, second root.
        """

class CheckedTrace(RoundTrace):
    """A trace of rounds whose trees were decoded twice."""

    @property
    def sums(self) -> list[int]:
        """Of the tree of each round."""

    @property
    def sums_from_scratch(self) -> list[int]: ...

    @property
    def edges_alive(self) -> list[int]: ...

    @property
    def tree_is_alive(self) -> bool:
        """Were all edges of each tree alive?"""

def run_rounds(edges: Edges, groups: Annotated[NDArray[numpy.int32], dict(shape=(None, None, None, None), order='C', device='cpu', writable=False)], siblings: Annotated[NDArray[numpy.int32], dict(shape=(None, None, None, None), order='C', device='cpu', writable=False)], policy: str, thresholds: Sequence[int] = [], gold: Sequence[int] = [], single_root: bool = True, projective: bool = True, propagation: str = 'exact', by_score: bool = False, rounds: int | None = None, weights: PolicyWeights | None = None, acquired: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)] | None = None) -> tuple[NDArray[numpy.int32], RoundsResult, CheckedTrace]:
    """
    Dynamic feature selection with scores of groups from arrays: by parser (crossing, projective, siblings), group, word and head; siblings by group, head, modifier and sibling. Heads, counts, and a trace of which every tree was decoded once more from scratch.
    """
