"""What goes through a pipeline: a document, or the next part of one, with the position behind it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Self

import numpy.typing as npt

from laconic.interop.parts import DocumentPart

KeptStates = Sequence[Sequence[npt.ArrayLike] | None]
"""What components remember of the words before, as arrays; for each one that works in order."""


@dataclass(frozen=True)
class StreamPosition:
    """Behind a piece: how much of which input is done, and what is needed to read on from there."""

    input: int = 0
    done: int = 0
    """Bytes of a text, batches of a treebank."""
    document: int = 0
    opens: bool = True
    """The next piece opens a document."""
    characters: int = 0
    """Of the open document, before the next piece."""
    tail: str = ""
    """The end of the text before the next piece."""
    sentences: int = 0
    """That have got a number, from the first input on."""
    skip: int = 0
    """Sentences of the next piece that are done as well."""

    @property
    def between_documents(self) -> bool:
        """Does what comes next depend on nothing before it?"""
        return self.opens and not self.skip

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, facts: dict[str, Any]) -> Self:
        """TypeError or ValueError for what no position was written as."""
        position = cls(**facts)
        for name, value in asdict(position).items():
            if type(value) is not type(getattr(cls, name)) or (isinstance(value, int) and value < 0):
                raise ValueError(f"{name} cannot be {value!r}")
        return position


START = StreamPosition()


@dataclass(frozen=True)
class Piece(DocumentPart):
    """Sentences on their way from a source to a file: each step fills in what it knows."""

    end: StreamPosition = START
    """Where reading goes on behind it."""
    states: KeptStates = ()
    """What components must know of it for the next piece of its document, once it is annotated."""
