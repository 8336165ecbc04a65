"""What training says a word may be: ambiguity classes and candidate labels."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from laconic._core.learn import LabelSets
from laconic._core.tag import given as given_atoms
from laconic.corpus import Doc

if TYPE_CHECKING:
    from laconic.evaluate.score import Ints

NO_LABEL = np.iinfo(np.uint16).max
NO_WORD = 2**32 - 1


@dataclass(frozen=True)
class TagDictionary:
    """How often each form had each label; only what was seen takes room. Most frequent forms first."""

    forms: list[str]
    totals: Ints
    begins: Ints
    """The labels of form i are ``labels[begins[i]:begins[i + 1]]``, ascending; so are their counts."""
    labels: Ints
    counts: Ints
    words: Ints
    """The number of each word's form; -1 for words that were not counted."""
    size: int
    """How many labels there are."""

    @classmethod
    def count(cls, doc: Doc, gold: npt.NDArray[np.uint16], labels: int, words: npt.NDArray[np.bool_]) -> TagDictionary:
        """Counts over those words of the document that ``words`` selects. Words without a label count as forms."""
        codes, forms = doc.codes("form")
        totals = np.bincount(codes[words], minlength=len(forms)).astype(np.int64)
        order = np.argsort(-totals, kind="stable")
        order = order[: np.count_nonzero(totals)]
        rank = np.full(len(forms), -1, np.int64)
        rank[order] = np.arange(len(order))
        chosen = words & (gold != NO_LABEL)
        pairs, counts = np.unique(rank[codes[chosen]] * labels + gold[chosen], return_counts=True)
        return cls(
            [forms[i] for i in order.tolist()],
            totals[order],
            np.searchsorted(pairs, np.arange(len(order) + 1) * labels),
            pairs % labels,
            counts.astype(np.int64),
            np.where(words, rank[codes], -1),
            labels,
        )

    def _runs(self) -> Iterator[tuple[int, list[int], list[int]]]:
        begins, labels, counts = self.begins.tolist(), self.labels.tolist(), self.counts.tolist()
        for i, total in enumerate(self.totals.tolist()):
            yield total, labels[begins[i] : begins[i + 1]], counts[begins[i] : begins[i + 1]]

    def ambiguity(self, names: list[str], share: float) -> dict[str, str]:
        """Each form's labels that it bears at least so often, most frequent first, as one string."""
        classes = {}
        for form, (total, labels, counts) in zip(self.forms, self._runs(), strict=True):
            likely = [(-n, y) for y, n in zip(labels, counts, strict=True) if n >= max(1, share * total)]
            classes[form] = "|".join(names[y] for _, y in sorted(likely))
        return classes

    def candidates(self, minimum: int) -> list[list[int] | None]:
        """Labels of each form seen at least ``minimum`` times; None for the others, which may be anything."""
        return [labels if total >= minimum and labels else None for total, labels, _ in self._runs()]

    def open_labels(self) -> list[int]:
        """Labels of words seen once: what a word never seen is likely to be."""
        seen: set[int] = set()
        for total, labels, _ in self._runs():
            if total == 1:
                seen.update(labels)
        return sorted(seen) or list(range(self.size))


def remember(
    doc: Doc,
    gold: npt.NDArray[np.uint16],
    known: TagDictionary,
    sets: LabelSets,
    columns: tuple[str, ...],
    *,
    cutoff: int,
    minimum: int,
    base: frozenset[int] | None = None,
    plain: frozenset[int] = frozenset(),
) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint32]]:
    """Keys and sets of the memory: labels seen with a form and given values, and with given values alone.

    A form with given values is remembered if it was seen with them ``minimum`` times. What given values alone allow is
    what they allowed words seen less often than that, if there were any: a new word is more like those. Where it is
    known which given values are those of ``base`` forms, all that they allowed is left to evidence, and base forms may
    get the labels in ``plain`` alone.
    """
    atoms = given_atoms(doc.columns, list(columns)).astype(np.int64)
    counted = (known.words >= 0) & (gold != NO_LABEL)
    rare = counted & (known.totals[np.maximum(known.words, 0)] < minimum) if len(known.totals) else counted
    in_lexicon = counted & (known.totals[np.maximum(known.words, 0)] >= cutoff) if len(known.totals) else counted
    memory: dict[int, int] = {}
    for by_word in (True, False):
        above: dict[int, int] = {}
        for level in range(len(columns)):
            words = known.words if by_word else np.full(len(doc), NO_WORD, np.int64)
            keys = (words << 32) | atoms[level]
            parents = (words << 32) | atoms[level - 1] if level else None
            groups = _groups(keys, gold, in_lexicon if by_word else counted, minimum if by_word else 1)
            if not by_word and base is None:
                groups |= _groups(keys, gold, rare, 1)
            elif not by_word and base is not None:
                groups |= {
                    key: [y for y in members if y in plain] or members
                    for key, members in groups.items()
                    if key & 0xFFFFFFFF in base
                }
            parent_of = dict(zip(keys.tolist(), parents.tolist(), strict=True)) if parents is not None else {}
            here = {}
            for key, members in sorted(groups.items()):
                here[key] = sets.add(members)
                if above.get(parent_of.get(key, -1)) != here[key]:
                    memory[key] = here[key]
            above = here
    ordered = sorted(memory.items())
    return (
        np.array([key & (2**64 - 1) for key, _ in ordered], np.uint64),
        np.array([number for _, number in ordered], np.uint32),
    )


def _groups(
    keys: Ints, gold: npt.NDArray[np.uint16], chosen: npt.NDArray[np.bool_], minimum: int
) -> dict[int, list[int]]:
    """The labels seen with each key, for keys seen at least ``minimum`` times."""
    distinct, inverse, counts = np.unique(keys[chosen], return_inverse=True, return_counts=True)
    pairs = np.unique(inverse.astype(np.int64) << 16 | gold[chosen])
    groups: dict[int, list[int]] = {}
    names = distinct.tolist()
    enough = (counts >= minimum).tolist()
    for pair in pairs.tolist():
        if enough[pair >> 16]:
            groups.setdefault(names[pair >> 16], []).append(pair & 0xFFFF)
    return groups
