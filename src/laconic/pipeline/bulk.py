"""A job too large for one go: output in shards, each written whole or not at all, and a journal to go on from.

A line of the journal is written after its shard is in place, so what the journal tells is there; a shard that it does
not tell is made again, the same. Killed at any moment and resumed, a job leaves the files that it would have left.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from laconic.errors import ConfigError, InputError
from laconic.interop.writers import Part, Writer
from laconic.jsonlines import append, whole_lines
from laconic.pipeline.filling import Memory
from laconic.pipeline.flow import Done
from laconic.pipeline.lock import locked
from laconic.pipeline.sources import Place

JOURNAL = ".laconic-job.jsonl"
LOCK = ".laconic-job.lock"
PARTS = "part-*"
SHARD = 1_000_000
"""Words after which a shard ends, with the sentence that they are in."""
Rendered = Done[Part]
Run = Callable[[Place | None, Memory | None], Iterator[Rendered]]


@dataclass(frozen=True)
class Shards:
    """Where shards go, and what makes the job this job: equal facts, equal output."""

    directory: Path
    writer: Writer
    facts: dict[str, Any]
    words: int = SHARD

    def write(self, run: Run, *, resume: bool = False) -> Iterator[Rendered]:
        """Write what ``run`` gives from a place on; yields each piece when it is written. ConfigError where the
        directory holds other output, resuming would not be the same job, or another process is at it."""
        self.directory.mkdir(parents=True, exist_ok=True)
        with locked(self.directory / LOCK):
            yield from self._write(run, resume)

    def _write(self, run: Run, resume: bool) -> Iterator[Rendered]:
        entries = self._begun(resume)
        if entries and "complete" in entries[-1]:
            return
        place, memory = _place(entries[-1]) if entries else (None, None)
        pieces = run(place, memory)
        number = len(entries)
        piece = next(pieces, None)
        while piece is not None:
            shard = _Shard(piece, pieces, self.words)
            draft = self.directory / f".{self._name(number)}.part"
            passed: list[Rendered] = []
            try:
                with draft.open("wb") as file:
                    for part in self.writer.file(watched(shard.pieces(), passed)):
                        file.write(part)
                        yield from drained(passed)
                    file.flush()
                    os.fsync(file.fileno())
                draft.replace(self.directory / self._name(number))
            except BaseException:
                draft.unlink(missing_ok=True)
                raise
            self._note(_entry(self._name(number), shard.words, shard.last))
            piece = shard.next
            number += 1
        self._note({"complete": number})

    def _name(self, number: int) -> str:
        return f"part-{number:05}{self.writer.suffix}"

    def _note(self, entry: dict[str, Any]) -> None:
        append(self.directory / JOURNAL, entry)

    def _begun(self, resume: bool) -> list[dict[str, Any]]:
        """What is done already; the journal is left with whole lines."""
        journal = self.directory / JOURNAL
        if not journal.exists():
            if any(self.directory.glob(PARTS)):
                raise ConfigError(f"{self.directory}: holds shards of which no journal tells: choose another directory")
            self._note(self.facts)
            return []
        if not resume:
            raise ConfigError(f"{self.directory}: holds the output of a job: resume it, or choose another directory")
        lines = whole_lines(journal)
        if not lines:
            self._note(self.facts)
            return []
        try:
            facts, *entries = [json.loads(line) for line in lines]
            if entries and "complete" not in entries[-1]:
                _place(entries[-1])
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise InputError(f"the journal of the job is damaged: {error}", str(journal)) from None
        if facts != json.loads(json.dumps(self.facts)):
            changed = sorted(key for key in facts | self.facts if facts.get(key) != self.facts.get(key))
            raise ConfigError(f"{self.directory}: holds the output of another job: {', '.join(changed)} differ")
        return entries


@dataclass
class _Shard:
    """As many pieces as a shard takes, and the first that it does not take."""

    next: Rendered | None
    rest: Iterator[Rendered]
    limit: int
    words: int = 0

    def __post_init__(self) -> None:
        assert self.next is not None
        self.last = self.next

    def pieces(self) -> Iterator[Rendered]:
        while self.next is not None and self.words < self.limit:
            self.last = self.next
            self.words += len(self.last.piece.doc)
            yield self.last
            self.next = next(self.rest, None)


def reserved(directory: Path) -> Iterator[Path]:
    """Files in the directory that belong to a job, or would be in its way."""
    for pattern in (PARTS, f".{PARTS}", f"{JOURNAL}*", LOCK):
        yield from directory.glob(pattern)


def watched(pieces: Iterable[Rendered], passed: list[Rendered]) -> Iterator[Part]:
    """What was made of the pieces; those that were taken are noted."""
    for piece in pieces:
        passed.append(piece)
        yield piece.result


def drained(passed: list[Rendered]) -> Iterator[Rendered]:
    """What was noted since the last time."""
    yield from passed
    passed.clear()


def _entry(name: str, words: int, last: Rendered) -> dict[str, Any]:
    place: Place = last.piece.mark
    memory = None if last.memory is None else [part.tolist() for part in last.memory]
    return {"shard": name, "words": words, "place": place.to_json(), "memory": memory}


def _place(entry: dict[str, Any]) -> tuple[Place, Memory | None]:
    memory = entry["memory"]
    if memory is None:
        return Place.from_json(entry["place"]), None
    forms, labels, ages = memory
    return Place.from_json(entry["place"]), (
        np.array(forms, np.uint64),
        np.array(labels, np.uint16),
        np.array(ages, np.uint16),
    )
