"""Projectivity of dependency trees: the test, lifting, and the pseudo-projective encoding that can be undone after
parsing.

Heads are arrays as in ``Doc.heads``: 0 is the root, otherwise 1-based within the sentence; several roots are allowed.
Every function takes one sentence, or several of them with ``sentence_starts`` as in ``Doc.sentence_starts``. Heads
that are absent, out of range or form a cycle are a ValueError that names the sentence.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from laconic._core import corpus as _core

if TYPE_CHECKING:
    from laconic.corpus import Doc
    from laconic.corpus.doc import Codes

Scheme = Literal["head", "path", "head+path"]
LIFTED, PATH = "↑", "↓"


def is_projective(heads: ArrayLike, sentence_starts: ArrayLike | None = None) -> bool:
    """Whether all arcs are projective. An arc h→d is if every word between h and d descends from h. O(n)."""
    return not nonprojective_arcs(heads, sentence_starts).any()


def nonprojective_arcs(heads: ArrayLike, sentence_starts: ArrayLike | None = None) -> NDArray[np.bool_]:
    """For each word, whether the arc from its head is non-projective. O(n)."""
    given, starts = _arrays(heads, sentence_starts)
    return np.asarray(_core.nonprojective_arcs(given, starts), dtype=np.bool_)


def lift(heads: ArrayLike, sentence_starts: ArrayLike | None = None) -> Codes:
    """Projective heads: the smallest non-projective arc, leftmost first, goes to the head of its head until none is
    left.

    Projective sentences cost O(n). A lift costs the arcs of the head that is left, and the words between.
    Chang, Do & Roth 2007; Nivre & Nilsson 2005.
    """
    given, starts = _arrays(heads, sentence_starts)
    return np.asarray(_core.lift(given, starts)[0])


def encode(
    heads: ArrayLike, deprels: Sequence[str], scheme: Scheme = "head", sentence_starts: ArrayLike | None = None
) -> tuple[Codes, list[str]]:
    """Lifted heads, and labels that tell what was lifted: the pseudo-projective encoding of Nivre & Nilsson 2005.

    A lifted arc with label ``d`` whose head had the label ``h`` gets ``d↑h`` (schemes ``head`` and ``head+path``) or
    ``d↑`` (``path``). An arc over which another was lifted gets ``p↓`` (``path`` and ``head+path``). Labels that
    already hold an arrow are a ValueError.
    """
    codes, values = _factorise(deprels)
    new_heads, new_codes, new_values = encode_codes(heads, codes, values, scheme, sentence_starts)
    return new_heads, [new_values[code] for code in new_codes]


def decode(
    heads: ArrayLike, deprels: Sequence[str], scheme: Scheme = "head", sentence_starts: ArrayLike | None = None
) -> tuple[Codes, list[str]]:
    """Undoes :func:`encode`, as far as the scheme tells where an arc came from; all labels are plain afterwards.

    For each lifted word, from the root down, the tree below its head is searched breadth-first, from left to right,
    for the first word with the label ``h`` (``head``), reached along ``↓`` arcs (``head+path``), or for the end of a
    ``↓`` path (``path``). A word whose search finds nothing keeps its head. O(n) per lifted word. Nivre & Nilsson
    2005.
    """
    codes, values = _factorise(deprels)
    new_heads, new_codes, new_values = decode_codes(heads, codes, values, scheme, sentence_starts)
    return new_heads, [new_values[code] for code in new_codes]


def encode_doc(doc: Doc, scheme: Scheme = "head") -> None:
    """:func:`encode` on the heads and labels of a document, in place."""
    codes, values = doc.codes("deprel")
    heads, codes, values = encode_codes(doc.heads, codes, values, scheme, doc.sentence_starts)
    doc.heads[:] = heads
    doc.set_codes("deprel", codes, values)


def decode_doc(doc: Doc, scheme: Scheme = "head") -> None:
    """:func:`decode` on the heads and labels of a document, in place."""
    codes, values = doc.codes("deprel")
    heads, codes, values = decode_codes(doc.heads, codes, values, scheme, doc.sentence_starts)
    doc.heads[:] = heads
    doc.set_codes("deprel", codes, values)


def without_marks(value: str) -> str:
    """The plain label of one that :func:`encode` may have given."""
    return _Kind.parse(value).label


def encode_codes(
    heads: ArrayLike, codes: ArrayLike, values: Sequence[str], scheme: Scheme, sentence_starts: ArrayLike | None = None
) -> tuple[Codes, Codes, list[str]]:
    """:func:`encode` with labels as codes into ``values``, as ``Doc.codes`` gives them."""
    _check_scheme(scheme)
    given, starts = _arrays(heads, sentence_starts)
    labels = _codes(codes, given)
    for value in values:
        if LIFTED in value or PATH in value:
            raise ValueError(f"the label {value!r} is already encoded: it holds an arrow")
    new_heads, crossed = _core.lift(given, starts)
    lifted = new_heads != given
    # A lifted word had a head that is a word: the root arc is always projective.
    targets = np.full(len(given), -1, dtype=np.int64)
    if scheme != "path":
        first = np.repeat(starts[:-1].astype(np.int64), np.diff(starts))
        targets[lifted] = labels[(first + given - 1)[lifted]]
    paths = crossed.astype(np.int64) if scheme != "head" else np.zeros(len(given), dtype=np.int64)
    # One number per combination of label, target, lifted and path; only the combinations that occur become labels.
    size = len(values) + 1
    keys = ((labels.astype(np.int64) * size + targets + 1) * 2 + lifted) * 2 + paths
    kinds, first_at, new_codes = np.unique(keys, return_index=True, return_inverse=True)
    new_values = []
    for kind, word in zip(kinds, first_at, strict=True):
        value = values[labels[word]]
        if lifted[word]:
            value += LIFTED + (values[targets[word]] if targets[word] >= 0 else "")
        new_values.append(value + (PATH if kind % 2 else ""))
    return new_heads, new_codes.astype(np.int32), new_values


def decode_codes(
    heads: ArrayLike, codes: ArrayLike, values: Sequence[str], scheme: Scheme, sentence_starts: ArrayLike | None = None
) -> tuple[Codes, Codes, list[str]]:
    """:func:`decode` with labels as codes into ``values``; no loop over words in Python."""
    decoder = LabelDecoder(values, scheme)
    return *decoder.decoded(heads, codes, sentence_starts), decoder.names


class LabelDecoder:
    """The encoded labels of a parser taken apart once, to decode many documents."""

    def __init__(self, values: Sequence[str], scheme: Scheme) -> None:
        _check_scheme(scheme)
        kinds = [_Kind.parse(value) for value in values]
        plain: dict[str, int] = {}
        for kind in kinds:
            plain.setdefault(kind.label, len(plain))
        self.names = list(plain)
        """What the codes of decoded labels stand for."""
        # A target that is no label is found nowhere: -2, since -1 means "no target".
        targets = [plain.get(kind.target, -2) if kind.target is not None and scheme != "path" else -1 for kind in kinds]
        self._numbers = np.array([plain[kind.label] for kind in kinds], dtype=np.int32)
        self._marks = (
            np.array(targets, dtype=np.int32),
            # In the head schemes a mark without its label says nothing of the place; it stays.
            np.array([kind.lifted and (scheme == "path" or kind.target is not None) for kind in kinds], dtype=np.uint8),
            np.array([kind.path for kind in kinds], dtype=np.uint8),
            scheme != "head",
        )

    def decoded(
        self, heads: ArrayLike, codes: ArrayLike, sentence_starts: ArrayLike | None = None
    ) -> tuple[Codes, Codes]:
        """Heads, and labels by their number in ``names``."""
        given, starts = _arrays(heads, sentence_starts)
        labels = _codes(codes, given)
        return np.asarray(_core.unlift(given, starts, labels, self._numbers, *self._marks)), self._numbers[labels]


@dataclass(frozen=True, slots=True)
class _Kind:
    """An encoded label taken apart."""

    label: str
    lifted: bool
    target: str | None
    path: bool

    @classmethod
    def parse(cls, value: str) -> _Kind:
        rest, path = (value[: -len(PATH)], True) if value.endswith(PATH) else (value, False)
        label, arrow, target = rest.partition(LIFTED)
        return cls(label, bool(arrow), target or None, path)


def _check_scheme(scheme: str) -> None:
    if scheme not in get_args(Scheme):
        raise ValueError(f"unknown scheme {scheme!r}: choose one of {', '.join(get_args(Scheme))}")


def _arrays(heads: ArrayLike, sentence_starts: ArrayLike | None) -> tuple[Codes, NDArray[np.uint32]]:
    given = np.ascontiguousarray(heads, dtype=np.int32)
    if given.ndim != 1:
        raise ValueError("heads must be one array of numbers")
    starts = np.array([0, len(given)]) if sentence_starts is None else np.asarray(sentence_starts)
    return given, np.ascontiguousarray(starts, dtype=np.uint32)


def _codes(codes: ArrayLike, heads: Codes) -> Codes:
    labels = np.ascontiguousarray(codes, dtype=np.int32)
    if labels.shape != heads.shape:
        raise ValueError(f"{len(heads)} heads need as many labels, not {labels.size}")
    return labels


def _factorise(labels: Sequence[str]) -> tuple[Codes, list[str]]:
    numbers: dict[str, int] = {}
    codes = [numbers.setdefault(label, len(numbers)) for label in labels]
    return np.array(codes, dtype=np.int32), list(numbers)
