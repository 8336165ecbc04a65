"""Lists of names and word clusters, as users have them: plain files in UTF-8."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from laconic._core.features import Dictionary
from laconic._core.tag import Gazetteer
from laconic.errors import InputError, ModelError
from laconic.features import build_dictionary
from laconic.features.lexicon import pack

FilePath = str | PathLike[str]
Entries = list[tuple[str, ...]]


def read_entries(path: FilePath) -> Entries:
    """One entry a line, its words separated by spaces, as the text is tokenised. Empty lines are skipped.

    InputError for what is not UTF-8 or an entry of too many words.
    """
    entries: dict[tuple[str, ...], None] = {}
    for number, line in enumerate(_lines(path), 1):
        entry = tuple(line.split())
        if len(entry) > Gazetteer.longest:
            raise InputError(f"an entry of {len(entry)} words; {Gazetteer.longest} are possible", str(path), number)
        if entry:
            entries[entry] = None
    return list(entries)


def build_gazetteer(entries: Iterable[tuple[str, ...]]) -> Gazetteer:
    """Names that are matched in text, the longest first."""
    return load_gazetteer(gazetteer_arrays(entries))


def gazetteer_arrays(entries: Iterable[tuple[str, ...]]) -> dict[str, npt.NDArray[Any]]:
    """What a model stores of a gazetteer."""
    listed = list(entries)
    words: dict[str, int] = {}
    numbers = [words.setdefault(word, len(words)) for entry in listed for word in entry]
    begins = np.concatenate(([0], np.cumsum([len(entry) for entry in listed], dtype=np.int64)))
    data, offsets = pack(words)
    return {
        "bytes": data,
        "offsets": offsets,
        "begins": begins.astype(np.uint32),
        "entries": np.array(numbers, np.uint32),
    }


def load_gazetteer(arrays: Mapping[str, npt.NDArray[Any]]) -> Gazetteer:
    """ModelError unless the arrays fit together."""
    try:
        return Gazetteer(arrays["bytes"], arrays["offsets"], arrays["begins"], arrays["entries"])
    except (KeyError, TypeError) as error:
        raise ModelError(f"a gazetteer of the model is damaged: {error}") from error


def read_clusters(path: FilePath) -> Dictionary:
    """Brown clusters as they are published: bit string, word and perhaps a count, separated by tabs.

    InputError for a line that has less. A word that stands twice keeps its first cluster.
    """
    entries: dict[str, str] = {}
    for number, line in enumerate(_lines(path), 1):
        if not line:
            continue
        bits, tab, rest = line.partition("\t")
        word = rest.partition("\t")[0]
        if not tab or not bits or not word:
            raise InputError("expected a cluster, a tab and a word", str(path), number)
        entries.setdefault(word, bits)
    return build_dictionary(entries)


def _lines(path: FilePath) -> list[str]:
    raw = Path(path).read_bytes()
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise InputError("expected UTF-8", str(path), line) from None
    return [line.removesuffix("\r") for line in text.split("\n")]
