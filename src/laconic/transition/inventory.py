"""The labels of a treebank's arcs, and its trees as a parser learns them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from laconic._core import transition as core
from laconic.corpus import Doc
from laconic.corpus.doc import Codes, fits_a_column
from laconic.corpus.projectivity import encode_codes, nonprojective_arcs, without_marks
from laconic.errors import ConfigError, ModelError
from laconic.features import atoms
from laconic.learn.component import alphabetical
from laconic.transition.config import ParserConfig

Heads = npt.NDArray[np.int32]
Relations = npt.NDArray[np.uint16]


MOSTLY = 0.99
"""A treebank whose sentences have one root so often has one root by rule: the others are slips."""


@dataclass(frozen=True)
class Inventory:
    """Which labels there are, and which arcs may get them."""

    names: tuple[str, ...]
    relations: tuple[tuple[int, ...], ...]
    """Of arcs to the left, to the right, and from the root."""
    root: int
    """The label of a word that is a root because nothing else became its head."""
    spare: int
    """The label of a word that nothing attached and that must not be a root."""
    single_root: bool

    def atoms(self) -> npt.NDArray[np.uint32]:
        return atoms(self.names)

    def facts(self) -> dict[str, Any]:
        return {
            "names": list(self.names),
            "relations": [list(some) for some in self.relations],
            "root": self.root,
            "spare": self.spare,
            "single_root": self.single_root,
        }

    @classmethod
    def from_facts(cls, facts: Mapping[str, Any]) -> Inventory:
        names = tuple(str(name) for name in facts["names"])
        relations = tuple(tuple(int(label) for label in some) for some in facts["relations"])
        root, spare = int(facts["root"]), int(facts["spare"])
        if not isinstance(facts["single_root"], bool) or not all(
            0 <= label < len(names) for some in (*relations, (root, spare)) for label in some
        ):
            raise ModelError("the labels in the model are damaged")
        if not all(map(fits_a_column, names)):
            raise ModelError("the labels in the model are damaged: one does not fit a column")
        return cls(names, relations, root, spare, facts["single_root"])


@dataclass(frozen=True)
class LabelPairs:
    """Which labels arcs had in training, by the tags of their words and their direction: the candidates of an arc
    between such words. A pair that is not here has all labels of its kind."""

    keys: tuple[int, ...] = ()
    """As ``laconic._core.transition.arc_keys`` makes them."""
    numbers: tuple[int, ...] = ()
    """Of each key its set."""
    sets: tuple[tuple[int, ...], ...] = ()
    """Ascending labels, each set once."""

    @classmethod
    def counted(cls, doc: Doc, pos: str, trees: Trees) -> LabelPairs:
        """Of trees, with the tags that a document has: those that the parser will read. A tag that training did not
        expect is a pair that it did not show, so tags must be as noisy as they will be."""
        keys = core.arc_keys(doc.columns, pos, trees.heads)
        distinct, inverse = np.unique(keys, return_inverse=True)
        found: list[set[int]] = [set() for _ in distinct]
        for both in np.unique(inverse.astype(np.int64) << 16 | trees.relations).tolist():
            found[both >> 16].add(both & 0xFFFF)
        sets: dict[tuple[int, ...], int] = {}
        numbers = tuple(sets.setdefault(tuple(sorted(some)), len(sets)) for some in found)
        return cls(tuple(distinct.tolist()), numbers, tuple(sets))

    def mean_choice(self, doc: Doc, pos: str, trees: Trees) -> float:
        """Among how many labels an arc of trees chooses on average, if all of its pairs are here."""
        places = np.searchsorted(np.array(self.keys, np.uint64), core.arc_keys(doc.columns, pos, trees.heads))
        sizes = np.array([len(some) for some in self.sets])
        return float(sizes[np.array(self.numbers)[places]].mean())

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        if not self.keys:
            return {}
        return {
            "pairs.keys": np.array(self.keys, np.uint64),
            "pairs.numbers": np.array(self.numbers, np.uint32),
            "pairs.ends": np.cumsum([len(some) for some in self.sets]).astype(np.uint32),
            "pairs.labels": np.array([label for some in self.sets for label in some], np.uint16),
        }

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, npt.NDArray[Any]]) -> LabelPairs:
        """None where a model has none. Whether they fit together is said where they are used."""
        if not any(name.startswith("pairs.") for name in arrays):
            return cls()
        ends = arrays["pairs.ends"].tolist()
        labels = arrays["pairs.labels"].tolist()
        if ends != sorted(ends) or (ends[-1] if ends else 0) != len(labels):
            raise ModelError("the candidates of labels in the model are damaged")
        sets = tuple(tuple(labels[begin:end]) for begin, end in zip([0, *ends], ends, strict=False))
        return cls(tuple(arrays["pairs.keys"].tolist()), tuple(arrays["pairs.numbers"].tolist()), sets)


@dataclass(frozen=True)
class Trees:
    """Heads and label numbers of all words of a document."""

    heads: Heads
    relations: Relations


def learnable(
    doc: Doc, config: ParserConfig, silver: int = 0, *, data: str = "training data"
) -> tuple[Trees, Inventory]:
    """The trees of a treebank, encoded as the system needs them, and their labels. ConfigError if there are none: the
    document is called ``data``.

    The last ``silver`` sentences add no encoded label: a model's trees cross so often that there would be hundreds, few
    of them right. A lifted arc whose label the treebank does not have keeps its plain label.
    """
    check_heads(doc, data)
    codes, values = doc.codes("deprel")
    heads = np.array(doc.heads, np.int32)
    try:
        nonprojective_arcs(heads, doc.sentence_starts)
        if config.encoding is not None:
            heads, codes, values = encode_codes(heads, codes, values, config.encoding, doc.sentence_starts)
            first = int(doc.sentence_starts[len(doc.sentences) - silver])
            codes, values = _without_new_marks(codes, values, first)
    except ValueError as error:
        raise ConfigError(f"a parser cannot learn from the trees of the {data}: {error}") from error
    relations, names = alphabetical(codes, values)
    trees = Trees(heads, relations)
    return trees, _inventory(doc, trees, tuple(names), config)


def _without_new_marks(codes: Codes, values: list[str], first: int) -> tuple[Codes, list[str]]:
    """Encoded labels, from the word ``first`` on only those that words before it have; else the plain label."""
    known = np.zeros(len(values), bool)
    known[codes[:first]] = True
    plain = [value if known[code] else without_marks(value) for code, value in enumerate(values)]
    names = list(dict.fromkeys(plain))
    return np.array([names.index(name) for name in plain], np.int32)[codes], names


def check_heads(doc: Doc, data: str) -> None:
    """ConfigError, which calls the document ``data``, unless it has words and all of them heads."""
    if not len(doc):
        raise ConfigError(f"the {data} has no words")
    if bool((doc.heads < 0).any()):
        raise ConfigError(f"some words of the {data} have no head")


def _inventory(doc: Doc, trees: Trees, names: tuple[str, ...], config: ParserConfig) -> Inventory:
    starts = doc.sentence_starts.astype(np.int64)
    number = np.arange(len(doc)) - np.repeat(starts[:-1], np.diff(starts)) + 1
    roots = trees.heads == 0
    single = config.single_root
    if single is None:
        per_sentence = np.add.reduceat(roots.astype(np.int64), starts[:-1])
        single = bool((per_sentence == 1).mean() >= MOSTLY)
    kinds = (~roots & (number < trees.heads), ~roots & (number > trees.heads), roots)
    counts = [np.bincount(trees.relations[kind], minlength=len(names)) for kind in kinds]
    inner = counts[0] + counts[1]
    # A kind of arc that training did not show may get any label.
    relations = tuple(
        tuple((np.flatnonzero(some) if some.any() else np.arange(len(names))).tolist()) for some in counts
    )
    return Inventory(names, relations, int(counts[2].argmax()), int(inner.argmax()), single)
