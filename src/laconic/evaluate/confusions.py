"""What was taken for what."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from laconic.evaluate.align import Alignment
from laconic.evaluate.score import Ints


@dataclass(frozen=True, slots=True)
class Confusion:
    """How often each gold label met each system label on aligned words: ``matrix[gold, system]``, labels sorted."""

    labels: list[str]
    matrix: Ints

    def errors(self) -> list[tuple[str, str, int]]:
        """Gold label, system label and count of every kind of error, most frequent first, then by label."""
        wrong = self.matrix.copy()
        np.fill_diagonal(wrong, 0)
        rows, columns = np.nonzero(wrong)
        found = zip(rows.tolist(), columns.tolist(), wrong[rows, columns].tolist(), strict=True)
        return [(self.labels[g], self.labels[s], n) for g, s, n in sorted(found, key=lambda e: (-e[2], e[0], e[1]))]


def confuse(alignment: Alignment, gold: Ints, system: Ints, values: list[str]) -> Confusion:
    """Counts pairs of codes on aligned words. The matrix has a cell for each pair of values that occur there."""
    left, right = gold[alignment.gold_words], system[alignment.system_words]
    used = sorted({*left.tolist(), *right.tolist()}, key=values.__getitem__)
    rank = np.zeros(len(values), dtype=np.int64)
    rank[used] = np.arange(len(used))
    cells = np.bincount(rank[left] * len(used) + rank[right], minlength=len(used) ** 2)
    return Confusion([values[code] for code in used], cells.reshape(len(used), len(used)))
