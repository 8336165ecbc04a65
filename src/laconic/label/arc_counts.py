"""What arcs of a kind are called most often, by which many an arc is decided before anything else is computed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from laconic.corpus import Doc
from laconic.label.candidates import LabelCounts
from laconic.learn.component import Labels

MOST_TAGS = 128
"""A second column of tags that has more values is too fine to tell kinds of arcs."""
PRIOR_COUNT = 3.0
"""How many arcs of its kind what is known of the coarser kind weighs."""
LEAST_CHANCE = 1e-4
"""Of another label, however often a kind was seen."""
STEPS, MOST = 256, 0xFFFE
"""Of log odds in an answer, and the most of them."""


@dataclass(frozen=True)
class ArcAnswers:
    """The label that each kind of arcs bore most often, and how sure it is."""

    keys: npt.NDArray[np.uint64] = field(default_factory=lambda: np.zeros(0, np.uint64))
    answers: npt.NDArray[np.uint32] = field(default_factory=lambda: np.zeros(0, np.uint32))
    """The label in the lower half, steps of its log odds in the upper one."""
    all_tags: bool = False
    """Are kinds told by both columns of tags?"""

    @classmethod
    def counted(
        cls,
        kinds: npt.NDArray[np.uint64],
        pairs: npt.NDArray[np.uint64],
        gold: Labels,
        counts: LabelCounts,
        all_tags: bool,
    ) -> Self:
        """From the kinds of arcs, a row per level, the finest first, the keys of their pairs of tags and their labels.
        A level refines the next one, the last one pairs of tags. Arcs without a choice have no kind. Cost: kinds times
        labels."""
        known = {key: members for key, members in counts.pairs.items() if len(members) > 1}
        chances = np.zeros((len(known), len(counts.labels)), np.float32)
        for row, members in zip(chances, known.values(), strict=True):
            row[list(members)] = np.array(list(members.values())) / sum(members.values())
        order = np.argsort(np.array(list(known), np.uint64))
        names = np.array(list(known), np.uint64)[order]
        at = np.minimum(np.searchsorted(names, pairs), max(0, len(names) - 1))
        has_choice = names[at] == pairs if len(names) else np.zeros(len(pairs), bool)
        above = order[at[has_choice]] if len(names) else np.zeros(0, np.int64)
        kinds, gold = kinds[:, has_choice], gold[has_choice].astype(np.int64)
        keys, answers = [], []
        for level in kinds[::-1]:
            distinct, first, own, seen = np.unique(level, return_index=True, return_inverse=True, return_counts=True)
            before = chances[above[first]]
            found = np.bincount(own * len(counts.labels) + gold, minlength=before.size).reshape(before.shape)
            chances = ((found + PRIOR_COUNT * before) / (seen[:, None] + PRIOR_COUNT)).astype(np.float32)
            best, highest = chances.argmax(1), chances.max(1)
            lead = np.maximum(np.log(highest / (1 - highest + LEAST_CHANCE)), 0)
            # A kind seen once that bore the label of the coarser one tells nothing more.
            tells = (seen > 1) | (best != before.argmax(1))
            keys.append(distinct[tells])
            answers.append((np.minimum(lead * STEPS, MOST).astype(np.uint32) << 16 | best.astype(np.uint32))[tells])
            above = own
        return cls(np.concatenate(keys), np.concatenate(answers), all_tags)

    def state(self) -> tuple[dict[str, npt.NDArray[Any]], bool]:
        return {"counts.keys": self.keys, "counts.answers": self.answers}, self.all_tags

    @classmethod
    def from_state(cls, arrays: Mapping[str, npt.NDArray[Any]], all_tags: object) -> Self:
        """KeyError or TypeError for what is none."""
        if not isinstance(all_tags, bool):
            raise TypeError("whether all tags tell kinds of arcs")
        return cls(arrays["counts.keys"], arrays["counts.answers"], all_tags)


def tells_kinds(doc: Doc, pos: str) -> bool:
    """Has the other column of tags so few values that they tell kinds of arcs?"""
    return len(doc.codes("xpos" if pos == "upos" else "upos")[1]) <= MOST_TAGS
