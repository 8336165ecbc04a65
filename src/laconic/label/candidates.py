"""Which labels an arc may bear, by the tags of its two words and its direction, and how often each was seen so."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from laconic._core import label as core
from laconic._core.learn import LabelSets
from laconic.errors import ModelError
from laconic.learn.component import Labels

SMOOTHING = 0.5
"""Added to counts before they are made into priors."""


@dataclass(frozen=True)
class LabelCounts:
    """How often each label was seen with pairs of tags."""

    pairs: dict[int, dict[int, int]]
    """By the key of a pair, for pairs seen often enough: label to count, ascending labels."""
    labels: npt.NDArray[np.int64]
    """Of each label, with whatever pair."""

    @classmethod
    def of(cls, keys: npt.NDArray[np.uint64], gold: Labels, labels: int, minimum: int) -> LabelCounts:
        distinct, inverse, counts = np.unique(keys, return_inverse=True, return_counts=True)
        found: dict[int, dict[int, int]] = {}
        names, enough = distinct.tolist(), (counts >= minimum).tolist()
        both, seen = np.unique(inverse.astype(np.int64) << 16 | gold, return_counts=True)
        for one, count in zip(both.tolist(), seen.tolist(), strict=True):
            if enough[one >> 16]:
                found.setdefault(names[one >> 16], {})[one & 0xFFFF] = count
        return cls(found, np.bincount(gold, minlength=labels))

    def with_roots(self, gold: Labels) -> LabelCounts:
        """The same, and for arcs from the root to words whose tag was not seen there often enough, or never, the labels
        of all such arcs."""
        if not len(gold):
            return self
        seen, counts = np.unique(gold, return_counts=True)
        every = dict(zip(seen.tolist(), counts.tolist(), strict=True))
        return LabelCounts(self.pairs | {core.any_root_key(): every}, self.labels)

    def candidates(self, prior_weight: float | None = None) -> core.LabelCandidates:
        """A frozen map; for tasks that need priors, with the log probabilities of the labels of each pair times a
        weight."""
        sets = LabelSets(len(self.labels))
        numbers = [sets.add(list(members)) for members in self.pairs.values()]
        priors = [] if prior_weight is None else (prior_weight * self._log_probabilities()).tolist()
        return core.LabelCandidates(sets, list(self.pairs), numbers, priors)

    def _log_probabilities(self) -> npt.NDArray[np.float32]:
        """Pair after pair, then of pairs that were not seen."""
        found = [_logs(np.array(list(members.values()))) for members in self.pairs.values()]
        return np.concatenate([*found, _logs(self.labels)])


def _logs(counts: npt.NDArray[np.int64]) -> npt.NDArray[np.float32]:
    smoothed = counts + SMOOTHING
    return np.asarray(np.log(smoothed / smoothed.sum()), np.float32)


def candidates_state(candidates: core.LabelCandidates) -> dict[str, npt.NDArray[Any]]:
    arrays: dict[str, npt.NDArray[Any]] = {"pairs.keys": candidates.keys(), "pairs.sets": candidates.numbers()}
    return arrays | ({"pairs.priors": candidates.priors()} if len(candidates.priors()) else {})


def candidates_from(sets: LabelSets, arrays: Mapping[str, npt.NDArray[Any]], *, priors: bool) -> core.LabelCandidates:
    """ModelError unless everything is there and fits."""
    try:
        keys, numbers = arrays["pairs.keys"].tolist(), arrays["pairs.sets"].tolist()
        return core.LabelCandidates(sets, keys, numbers, arrays["pairs.priors"].tolist() if priors else [])
    except (KeyError, AttributeError, TypeError, ValueError, OverflowError) as error:
        raise ModelError(f"the candidates in the model are damaged: {error}") from error
