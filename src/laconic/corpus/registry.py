"""The formats that can be read and written. A format is a pair of functions of the core."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from laconic._core import corpus as core


class Parse(Protocol):
    """Whole sentences from ``source[begin:]``: (columns, faults, sentences skipped, bytes consumed, number of the next
    line). Stops before the sentence that exceeds ``max_words``; collects faults only when lenient."""

    def __call__(
        self, source: bytes, file: str, first_line: int, lenient: bool, max_words: int, begin: int
    ) -> tuple[core.Columns, list[tuple[str, int, int]], int, int, int]: ...


@dataclass(frozen=True)
class Format:
    """One file format: its name, the endings of its files, and how it is read and written."""

    name: str
    suffixes: tuple[str, ...]
    parse: Parse
    render: Callable[[core.Columns], bytes]


FORMATS: dict[str, Format] = {
    "conllu": Format("conllu", (".conllu",), core.read_conllu, core.Columns.to_conllu),
}


def find(name: str) -> Format:
    """The format of that name; ValueError names those that exist."""
    if name not in FORMATS:
        raise ValueError(f"no format {name!r}: there are {', '.join(sorted(FORMATS))}")
    return FORMATS[name]
