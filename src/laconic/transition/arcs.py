"""What a parser finds and what that cost."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
import numpy.typing as npt

from laconic.learn import Work
from laconic.transition.inventory import Heads, Relations


@dataclass(frozen=True)
class ParserWork(Work):
    """What parsing cost: of moves and labels together, then of each."""

    moves: int = 0
    move_templates: int = 0
    labels: int = 0
    label_templates: int = 0

    def __add__(self, other: Work) -> ParserWork:
        if not isinstance(other, ParserWork):
            return NotImplemented
        return ParserWork(*(getattr(self, one.name) + getattr(other, one.name) for one in fields(self)))

    @classmethod
    def of(cls, counted: list[int]) -> ParserWork:
        """From moves, their templates, labels, theirs, and cache lines."""
        moves, move_templates, labels, label_templates, rows = counted
        return cls(
            moves + labels, move_templates + label_templates, rows, moves, move_templates, labels, label_templates
        )


@dataclass(frozen=True)
class Arcs:
    """Heads and labels of the words of a document, as a parser gives them before any decoding."""

    heads: Heads
    relations: Relations
    work: ParserWork
    head_confidence: npt.NDArray[np.float32]
    """How probable each head is to be right; empty if that was not asked for."""
    label_confidence: npt.NDArray[np.float32]
    """How probable each label is to be right if the head is; empty if that was not asked for."""

    @classmethod
    def unsure(cls, heads: Heads, relations: Relations, counted: list[int]) -> Arcs:
        """Without confidences."""
        none = np.zeros(0, np.float32)
        return cls(heads, relations, ParserWork.of(counted), none, none)
