"""Frozen vocabularies and dictionaries: built from Python values, saved to and loaded from plain arrays."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from laconic._core.features import Dictionary, Lexicon, Plan, WordRows, atom
from laconic.errors import ConfigError, ModelError
from laconic.features.compile import ATTRIBUTES

StoredArrays = Mapping[str, npt.NDArray[Any]]
Number = TypeVar("Number", bound=np.generic)
UINT32 = np.uint32


def build_dictionary(entries: Mapping[str, str]) -> Dictionary:
    """A frozen map from forms to values, for ``DICT:name`` (gazetteers) and ``CLUSTER:name`` (bit strings)."""
    names = {value: number for number, value in enumerate(dict.fromkeys(entries.values()))}
    values = np.array([names[value] for value in entries.values()], UINT32)
    return Dictionary(*pack(entries), values, *pack(names))


def load_dictionary(arrays: StoredArrays) -> Dictionary:
    """The dictionary whose ``arrays()`` these are; ModelError if they cannot be."""
    names = _array(arrays, "name_bytes", np.uint8), _array(arrays, "name_offsets", UINT32)
    return Dictionary(*_forms(arrays), _array(arrays, "values", UINT32), *names)


def atoms(names: Iterable[str]) -> npt.NDArray[np.uint32]:
    """The atom of each name."""
    return np.array([atom(name) for name in names], np.uint32)


def build_lexicon(
    plan: Plan,
    forms: Sequence[str],
    counts: Sequence[int] | npt.NDArray[np.integer] | None = None,
    *,
    cutoff: int = 1,
    ambiguity: Mapping[str, str] | None = None,
    dictionaries: Mapping[str, Dictionary] | None = None,
    payloads: npt.NDArray[np.uint32] | None = None,
) -> Lexicon:
    """The lexicon of those forms that were counted at least ``cutoff`` times, most frequent first, ties as given.

    ``ambiguity`` gives the ambiguity class of forms as text (``"NOUN|VERB"``); a form without one has the empty class.
    The classes are needed, and kept, only if the plan reads them.
    ``payloads`` has a row of numbers per form, aligned with ``forms``: they follow the atoms in the lexicon's rows.
    ``dictionaries`` must have every name that the plan's DICT and CLUSTER terms use.
    """
    order = np.arange(len(forms))
    if counts is not None:
        counted = np.asarray(counts)
        if len(counted) != len(forms):
            raise ConfigError("a lexicon needs one count per form")
        order = np.argsort(-counted.astype(np.int64), kind="stable")
        order = order[counted[order] >= cutoff]
    if payloads is None:
        payloads = np.zeros((len(forms), 0), UINT32)
    if payloads.ndim != 2 or len(payloads) != len(forms):
        raise ConfigError("payloads have one row per form")
    kept = [forms[i] for i in order.tolist()]
    if len(set(kept)) != len(kept):
        raise ConfigError("a lexicon needs distinct forms")
    ambiguous = any(slot.attribute == ATTRIBUTES["AMBIGUITY"] for slot in plan.slots)
    if ambiguous and ambiguity is None:
        raise ConfigError("the templates use AMBIGUITY: a lexicon for them needs ambiguity classes")
    classes = [atom((ambiguity or {}).get(form, "")) for form in kept] if ambiguous else []
    return Lexicon(
        plan,
        *pack(kept),
        np.array(classes, UINT32),
        np.ascontiguousarray(payloads[order], UINT32),
        _dictionaries(plan, dictionaries),
    )


def load_lexicon(plan: Plan, arrays: StoredArrays, dictionaries: Mapping[str, Dictionary] | None = None) -> Lexicon:
    """The lexicon whose ``arrays()`` these are, with rows for this plan; ModelError if they cannot be.

    Only what does not follow from a form is stored; the rest is computed again. Cost: one pass over the forms.
    """
    payloads = _array(arrays, "payloads", UINT32, 2)
    ambiguity = _array(arrays, "ambiguity", UINT32)
    return Lexicon(plan, *_forms(arrays), ambiguity, payloads, _dictionaries(plan, dictionaries))


def word_rows(lexicon: Lexicon, forms: Iterable[str]) -> WordRows:
    """The forms resolved to rows, to look at single words; components resolve the columns of a document in the core."""
    data, offsets = pack(forms)
    spans = np.stack([offsets[:-1], np.diff(offsets)], axis=1)
    return WordRows(lexicon, data.tobytes(), np.ascontiguousarray(spans, UINT32))


def pack(strings: Iterable[str]) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint32]]:
    """Strings as one array of UTF-8 bytes and the offsets between them."""
    encoded = [string.encode("utf-8") for string in strings]
    offsets = np.zeros(len(encoded) + 1, np.int64)
    np.cumsum([len(piece) for piece in encoded], out=offsets[1:])
    if offsets[-1] >= 2**32:
        raise ConfigError("a list of forms holds at most 4 GiB")
    return np.frombuffer(b"".join(encoded), np.uint8), offsets.astype(UINT32)


def _dictionaries(plan: Plan, given: Mapping[str, Dictionary] | None) -> dict[str, Dictionary]:
    tables = {ATTRIBUTES["DICT"], ATTRIBUTES["CLUSTER"]}
    names = sorted({plan.arguments[slot.argument] for slot in plan.slots if slot.attribute in tables})
    missing = [name for name in names if name not in (given or {})]
    if missing:
        raise ConfigError(f"the templates use a dictionary that was not given: {', '.join(missing)}")
    return {name: (given or {})[name] for name in names}


def _forms(arrays: StoredArrays) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint32]]:
    return _array(arrays, "bytes", np.uint8), _array(arrays, "offsets", UINT32)


def _array(arrays: StoredArrays, name: str, dtype: type[Number], dimensions: int = 1) -> npt.NDArray[Number]:
    found = arrays.get(name)
    if found is None or found.dtype != dtype or found.ndim != dimensions:
        raise ModelError(f"expected an array '{name}' of {np.dtype(dtype).name} with {dimensions} dimension(s)")
    return np.ascontiguousarray(found, dtype)
