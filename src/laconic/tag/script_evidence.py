"""What the texts at hand say of edit scripts: which letters they cut, and which words are lemmas."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from laconic._core import tag as core
from laconic.corpus import Doc
from laconic.learn.component import Labels

UNCLEAN = "Typo=Yes"
"""A word of which the treebank says so is not written as its lemma would have it: it teaches nothing of other words."""
BASE_SHARE = 0.95
"""Where so many of the forms with the same tags are their own lemmas, words with these tags are in their base form."""
SELDOM = 0.2
"""A form that has tags of base forms less often is tagged wrongly there."""


@dataclass(frozen=True)
class Evidence:
    """Arrays of what was seen; see ``core.ScriptEvidence``."""

    cuts: npt.NDArray[np.uint64]
    """What a form loses to a script: keys, and from how many different forms."""
    counts: npt.NDArray[np.uint32]
    bases: npt.NDArray[np.uint32]
    """Lemmas and words in their base form, with their part of speech: atoms, ascending."""
    minimum: int
    base_tags: frozenset[int] = frozenset()
    """Atoms of given values with which words are in their base form; known in training only."""

    def for_core(self, scripts: core.Scripts) -> core.ScriptEvidence:
        """ModelError where the arrays make no sense."""
        return core.ScriptEvidence(scripts, self.cuts, self.counts, self.bases, self.minimum)

    def state(self) -> tuple[dict[str, npt.NDArray[Any]], dict[str, Any]]:
        return {"cuts": self.cuts, "counts": self.counts, "bases": self.bases}, {
            "cut_minimum": self.minimum,
            "bases": len(self.bases),
        }

    @classmethod
    def from_state(cls, arrays: Mapping[str, npt.NDArray[Any]], facts: Mapping[str, Any]) -> Self:
        if len(arrays["bases"]) != facts["bases"]:
            raise ValueError("base forms are not as many as it says")
        return cls(arrays["cuts"], arrays["counts"], arrays["bases"], int(facts["cut_minimum"]))


def clean_words(doc: Doc) -> npt.NDArray[np.bool_]:
    """Which words are written as they should be."""
    codes, names = doc.codes("feats")
    return ~np.array([UNCLEAN in name.split("|") for name in names], np.bool_)[codes]


def gather(
    doc: Doc,
    gold: Labels,
    scripts: core.Scripts,
    given: Sequence[str],
    labelled: Iterable[Doc],
    *,
    minimum: int,
    base_minimum: int,
) -> Evidence:
    """From a treebank with the script of each word, and from text with tags alone.

    A word is known as a base form if its tags say that it is one: those with which nearly all forms of the treebank are
    their own lemmas. Lemmas of several forms are known, too; that of one is not, lest a form be evidence for itself.
    """
    from laconic.tag.dictionary import NO_LABEL

    chosen = np.flatnonzero((gold != NO_LABEL) & clean_words(doc))
    forms = doc.strings("form")
    pairs = sorted({(forms[word].lower(), int(gold[word])) for word in chosen.tolist()})
    keys = scripts.cut_keys([form for form, _ in pairs], np.array([label for _, label in pairs], np.uint16))
    cuts, counts = np.unique(keys, return_counts=True)
    base_tags = tags_of_base_forms(doc, chosen, given)
    bases = [_base_forms((doc,), given, base_tags, 1), _lemmas_of_several_forms(doc, chosen, given)]
    bases.append(_base_forms(labelled, given, base_tags, base_minimum))
    return Evidence(cuts, counts.astype(np.uint32), np.unique(np.concatenate(bases)), minimum, base_tags)


def tags_of_base_forms(doc: Doc, words: npt.NDArray[np.int64], given: Sequence[str]) -> frozenset[int]:
    """Atoms of given values with which nearly all forms are their own lemmas, case apart."""
    forms, lemmas = doc.strings("form"), doc.strings("lemma")
    types: dict[int, dict[str, bool]] = {}
    for atoms in core.given(doc.columns, list(given)):
        for word in words.tolist():
            form = forms[word].lower()
            types.setdefault(int(atoms[word]), {})[form] = form == lemmas[word].lower()
    return frozenset(atom for atom, seen in types.items() if sum(seen.values()) >= BASE_SHARE * len(seen))


def _base_forms(
    docs: Iterable[Doc], given: Sequence[str], base_tags: frozenset[int], minimum: int
) -> npt.NDArray[np.uint32]:
    """Atoms of forms seen so often with tags of base forms, which are no rare mistake among their tags."""
    known = np.fromiter(base_tags, np.uint32, len(base_tags))
    atoms, counts = np.zeros(0, np.uint32), np.zeros((2, 0), np.int64)
    for doc in docs:
        base = np.isin(core.given(doc.columns, list(given))[-1], known)
        found, words = np.unique(core.base_atoms(doc.columns, given[0]), return_inverse=True)
        own = np.stack([np.bincount(words[chosen], minlength=len(found)) for chosen in (base, slice(None))])
        atoms, places = np.unique(np.concatenate((atoms, found)), return_inverse=True)
        counts = np.stack([np.bincount(places, weights=row) for row in np.concatenate((counts, own), 1)])
    bases: npt.NDArray[np.uint32] = atoms[(counts[0] >= minimum) & (counts[0] >= SELDOM * counts[1])]
    return bases


def _lemmas_of_several_forms(doc: Doc, words: npt.NDArray[np.int64], given: Sequence[str]) -> npt.NDArray[np.uint32]:
    atoms = core.base_atoms(doc.columns, given[0], lemmas=True)
    forms = core.base_atoms(doc.columns, given[0])
    pairs = np.unique(np.stack((atoms[words], forms[words])), axis=1)
    lemmas, counts = np.unique(pairs[0], return_counts=True)
    return lemmas[counts > 1]
