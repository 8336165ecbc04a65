"""What training says a word may be: ambiguity classes and candidate labels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from laconic.corpus import Doc


@dataclass(frozen=True)
class TagDictionary:
    """How often each form had each label."""

    forms: list[str]
    counts: npt.NDArray[np.int64]
    """Forms x labels."""

    @classmethod
    def count(cls, doc: Doc, gold: npt.NDArray[np.uint16], labels: int, words: npt.NDArray[np.bool_]) -> TagDictionary:
        """Counts over those words of the document that ``words`` selects."""
        codes, forms = doc.codes("form")
        flat = np.bincount(codes[words].astype(np.int64) * labels + gold[words], minlength=len(forms) * labels)
        counts = flat.reshape(len(forms), labels)
        seen = counts.sum(axis=1) > 0
        return cls([form for form, there in zip(forms, seen.tolist(), strict=True) if there], counts[seen])

    @property
    def totals(self) -> npt.NDArray[np.int64]:
        return np.asarray(self.counts.sum(axis=1))

    def ambiguity(self, names: list[str], share: float) -> dict[str, str]:
        """Each form's labels that it bears at least so often, most frequent first, as one string."""
        likely = self.counts >= np.maximum(1, share * self.totals)[:, None]
        order = np.argsort(-self.counts, axis=1, kind="stable")
        return {
            form: "|".join(names[y] for y in order[i].tolist() if likely[i, y]) for i, form in enumerate(self.forms)
        }

    def candidates(self, minimum: int) -> list[list[int] | None]:
        """Labels of each form seen at least ``minimum`` times; None for the others, which may be anything."""
        frequent = self.totals >= minimum
        return [
            np.flatnonzero(row).tolist() if known else None for row, known in zip(self.counts, frequent, strict=True)
        ]

    def open_labels(self) -> list[int]:
        """Labels of words seen once: what a word never seen is likely to be."""
        rare = self.counts[self.totals == 1].sum(axis=0)
        return np.flatnonzero(rare).tolist() or list(range(self.counts.shape[1]))
