"""What a file format is: how its bytes become columns, and columns its bytes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from laconic._core import corpus as core

Losses: TypeAlias = list[tuple[str, int]]


class Parse(Protocol):
    """Whole sentences from ``source[begin:]``: (columns, faults, sentences skipped, bytes consumed, number of the next
    line). Stops before the sentence that exceeds ``max_words``; collects faults only when lenient."""

    def __call__(
        self, source: bytes, file: str, first_line: int, lenient: bool, max_words: int, begin: int
    ) -> tuple[core.Columns, list[tuple[str, int, int]], int, int, int]: ...


def after_last_blank_line(data: bytes) -> int:
    """Where the last sentence starts: after the last blank line that something follows. 0 where there is none."""
    end = len(data.rstrip(b"\r\n"))
    found = ((data.rfind(mark, 0, end), len(mark)) for mark in (b"\n\n", b"\n\r\n"))
    return max(place + length if place >= 0 else 0 for place, length in found)


@dataclass(frozen=True)
class Format:
    """One file format: its name, the endings of its files, and how it is read and written.

    ``render`` gives the bytes and what the format could not hold, with counts; None for a format that is only read.
    ``boundary`` tells how many bytes of an incomplete file are surely whole sentences.
    """

    name: str
    suffixes: tuple[str, ...]
    parse: Parse
    render: Callable[[core.Columns], tuple[bytes, Losses]] | None
    boundary: Callable[[bytes], int] = after_last_blank_line
