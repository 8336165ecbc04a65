"""Scores of parts of the words: by relation, tag, sentence length, known or unknown form."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from laconic.evaluate.align import Alignment
from laconic.evaluate.judge import Judgement, count_words
from laconic.evaluate.score import Ints, Scores

Side = Literal["each", "gold"]


@dataclass(frozen=True, slots=True)
class Groups:
    """A group for each word of either side, as an index into ``names``."""

    gold: Ints
    system: Ints
    names: Sequence[str]


def split(
    alignment: Alignment, judgements: dict[str, Judgement], groups: Groups, side: Side = "each"
) -> dict[str, Scores]:
    """The metrics within each group that occurs, in the order of ``names``.

    ``side="each"``: words are grouped by what their own side says, and a pair is correct only if both say the same, so
    that precision and recall of a label are what CoNLL-X's scorer prints. ``side="gold"``: a system word is in the
    group of the gold word aligned with it, so that recall is the accuracy on these gold words whatever the system
    called them.
    """
    system = groups.system
    if side == "gold":
        system = system.copy()
        system[alignment.system_words] = groups.gold[alignment.gold_words]
    agree = groups.gold[alignment.gold_words] == system[alignment.system_words]
    found = np.union1d(groups.gold, system)
    return {
        groups.names[group]: Scores(
            {
                name: count_words(
                    alignment,
                    Judgement(
                        one.gold & (groups.gold == group),
                        one.system & (system == group),
                        one.correct & agree,
                        one.on_aligned,
                    ),
                )
                for name, one in judgements.items()
            }
        )
        for group in found.tolist()
    }


def by_length(alignment: Alignment, bounds: Sequence[int]) -> Groups:
    """Groups by the number of words of the gold sentence: up to the first bound, up to the second, …, and beyond."""
    edges = sorted(set(bounds))
    lows = [1, *(edge + 1 for edge in edges)]
    names = [f"{low}-{high}" for low, high in zip(lows, edges, strict=False)] + [f"{lows[-1]}-"]
    group = np.searchsorted(edges, np.diff(alignment.gold.sentence_words))
    return Groups(group[alignment.gold_units], group[alignment.system_units], names)
