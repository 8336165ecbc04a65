"""What a file format is: how its bytes become columns, and columns its bytes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from laconic._core import corpus as core

Losses: TypeAlias = list[tuple[str, int]]


class SentenceReader(Protocol):
    """Whole sentences from ``source[begin:]``: (columns, faults, sentences skipped, bytes consumed, number of the next
    line). Stops before the sentence that exceeds ``max_words``; collects faults only when lenient."""

    def __call__(
        self, source: bytes, file: str, first_line: int, lenient: bool, max_words: int, begin: int
    ) -> tuple[core.Columns, list[tuple[str, int, int]], int, int, int]: ...


@dataclass(frozen=True)
class Format:
    """One file format: its name, the endings of its files, and how it is read and written.

    ``render`` gives the bytes and what the format could not hold, with counts; None for a format that is only read.
    ``boundary`` tells how many bytes of an incomplete file are surely whole sentences; None where
    blank lines tell. ``check`` is ``parse`` with more faults: those of what is read as it is, but should not be there.
    ``long_lines``: lines may be of any length.
    """

    name: str
    suffixes: tuple[str, ...]
    parse: SentenceReader
    render: Callable[[core.Columns], tuple[bytes, Losses]] | None
    boundary: Callable[[bytes], int] | None = None
    check: SentenceReader | None = None
    long_lines: bool = False
