"""Metrics before they are summed: what is judged, word by word."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from laconic.corpus.doc import Codes
from laconic.evaluate.align import Alignment
from laconic.evaluate.score import Bools, Counts, Ints

Coded = tuple[Codes, Sequence[str]]


@dataclass(frozen=True, slots=True)
class Judgement:
    """One metric: the words of either side that are in it, and for each aligned pair whether it is correct.

    A pair counts if its gold word is in the metric. ``on_aligned`` says that correct pairs are also to be seen as a
    share of the aligned ones.
    """

    gold: Bools
    system: Bools
    correct: Bools
    on_aligned: bool = True


def tally(units: int, gold: Ints, system: Ints, correct: Ints, aligned: Ints | None = None) -> Counts:
    """Counts per unit, from the unit of every single thing that is to be counted."""

    def count(where: Ints) -> Ints:
        return np.bincount(where, minlength=units)

    return Counts(count(correct), count(gold), count(system), None if aligned is None else count(aligned))


def count_words(alignment: Alignment, judgement: Judgement) -> Counts:
    """The counts of a metric in each gold sentence."""
    pair_units = alignment.gold_units[alignment.gold_words]
    judged = judgement.gold[alignment.gold_words]
    return tally(
        alignment.units,
        alignment.gold_units[judgement.gold],
        alignment.system_units[judgement.system],
        pair_units[judged & judgement.correct],
        pair_units[judged] if judgement.on_aligned else None,
    )


def same(value: str) -> str:
    return value


def joint_codes(gold: Coded, system: Coded, normal: Callable[[str], str] = same) -> tuple[Ints, Ints, list[str]]:
    """Codes that are equal where the normal forms of the values are, on either side, and those normal forms.

    Only distinct values are normalised: the cost is that of the vocabulary and two array look-ups.
    """
    table: dict[str, int] = {}

    def recode(coded: Coded) -> Ints:
        codes, values = coded
        mapped = np.array([table.setdefault(normal(value), len(table)) for value in values], dtype=np.int64)
        return mapped[codes]

    return recode(gold), recode(system), list(table)
