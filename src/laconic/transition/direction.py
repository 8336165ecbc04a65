"""Reading direction: the one place where the words of sentences are reversed, and what was found is turned back."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from laconic.corpus import Doc
from laconic.transition.arcs import Arcs
from laconic.transition.config import Direction
from laconic.transition.inventory import Heads

Values = TypeVar("Values", bound=npt.NDArray[Any])


@dataclass(frozen=True)
class WordOrder:
    """A document as a parser reads it, and the way back from what it finds to the order of the document.

    Of a document that is read from right to left, ``doc`` is a copy whose sentences have their words, with their heads,
    in reverse; moves, directions and distances are those of that copy. Linear.
    """

    doc: Doc
    back: npt.NDArray[np.int64] | None
    """For each word of the document, its index in ``doc``; None where that is the same."""

    @classmethod
    def of(cls, doc: Doc, direction: Direction) -> WordOrder:
        if direction == "left-to-right":
            return cls(doc, None)
        starts = doc.sentence_starts.astype(np.int64)
        back = np.repeat(starts[:-1] + starts[1:] - 1, np.diff(starts)) - np.arange(len(doc))
        return cls(Doc(doc.columns.reversed()), back)

    def values(self, found: Values) -> Values:
        """What was found for each word, in the order of the document; nothing stays nothing."""
        return found if self.back is None or not len(found) else found[self.back]  # type: ignore[return-value]

    def heads(self, found: Heads) -> Heads:
        """The heads of the document's words, given those of the words as read."""
        if self.back is None:
            return found
        starts = self.doc.sentence_starts.astype(np.int64)
        sizes = starts[1:] - starts[:-1]
        return turned(found, np.repeat(sizes, sizes))[self.back]

    def arcs(self, found: Arcs) -> Arcs:
        if self.back is None:
            return found
        return replace(
            found,
            heads=self.heads(found.heads),
            relations=self.values(found.relations),
            head_confidence=self.values(found.head_confidence),
            label_confidence=self.values(found.label_confidence),
        )

    def word(self, index: int) -> int:
        """The document's index of a word as read; none (below 0) stays none."""
        return index if self.back is None or index < 0 else int(self.back[index])  # reversing twice changes nothing


def turned(heads: Heads, sizes: npt.NDArray[np.int64] | int) -> Heads:
    """Heads under their numbers from the other end of the sentence; those of words stay at their places."""
    return np.where(heads > 0, sizes + 1 - heads, heads).astype(np.int32)
