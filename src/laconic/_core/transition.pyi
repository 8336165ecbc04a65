"""Core of laconic.transition: parser states and decisions."""

from typing import Annotated

import numpy
from numpy.typing import NDArray

import laconic._core.corpus
import laconic._core.features


class Machine:
    """A transition system at work on one sentence, step by step."""

    def __init__(self, system: str, words: int, single_root: bool = False) -> None: ...

    @property
    def done(self) -> bool: ...

    @property
    def words(self) -> int: ...

    def valid(self) -> list[int]:
        """Moves that are possible now."""

    def arc(self, move: int) -> tuple[int, int]:
        """
        Head and dependent that a move would join; -1 for a move without an arc.
        """

    def apply(self, move: int, relation: int = 0) -> None: ...

    def finish(self) -> None:
        """Heads for words that ended without one."""

    def copy(self) -> Machine: ...

    def costs(self, heads: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> dict[int, int]:
        """
        What each possible move costs with this tree as gold: arcs that cannot be had any more after it.
        """

    def heads(self) -> NDArray[numpy.int32]: ...

    def stack(self) -> list[int]: ...

    def aside(self) -> list[int]: ...

    def queue(self) -> list[int]: ...

def read_slots(machine: Machine, plan: laconic._core.features.Plan, lexicon: laconic._core.features.Lexicon, columns: laconic._core.corpus.Columns, sentence: int, relations: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], head: int = -1, dependent: int = -1) -> list[list[int]]:
    """
    The atoms that each slot of a plan reads of a state; relations has one atom per label.
    """

def system_names() -> list[str]: ...

def move_names(system: str) -> list[str]: ...

def is_dynamic(system: str) -> bool:
    """
    Does the system's oracle know the cost of moves off the path of gold trees?
    """

def follow_oracle(system: str, heads: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], single_root: bool = False) -> tuple[NDArray[numpy.int32], int]:
    """The tree that the oracle's moves build, and how many they were."""
