"""The folder of a job in shards: each shard is there whole or not at all, and a journal says what is done.

A line of the journal is written after its shard is in place, so what the journal tells is there; a shard that it does
not tell is made again, the same. Killed at any moment and resumed, a job leaves the files that it would have left.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from laconic.errors import ConfigError, InputError
from laconic.jsonlines import append, whole_lines
from laconic.pipeline.lock import locked

JOURNAL = ".laconic-job.jsonl"
LOCK = ".laconic-job.lock"
PARTS = "part-*"
SHARD = 1_000_000
"""Words after which a shard ends."""
JournalEntry = dict[str, Any]


@dataclass(frozen=True)
class JobFolder:
    """Where shards go, and what makes the job this job: equal facts, equal output."""

    directory: Path
    suffix: str
    facts: JournalEntry

    @contextmanager
    def opened(self, resume: bool, check: Callable[[JournalEntry], object]) -> Iterator[list[JournalEntry]]:
        """What is done already: an entry for each shard, and a last one if all is complete. ``check`` raises an error
        for an entry that nobody can go on from. ConfigError where the directory holds other output, resuming would not
        be the same job, or another process is at it."""
        self.directory.mkdir(parents=True, exist_ok=True)
        with locked(self.directory / LOCK):
            yield self._begun(resume, check)

    @contextmanager
    def shard(self, number: int) -> Iterator[BinaryIO]:
        """A file that becomes the shard of that number when all of it was written."""
        draft = self.directory / f".{self.name(number)}.part"
        try:
            with draft.open("wb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            draft.replace(self.directory / self.name(number))
        except BaseException:
            draft.unlink(missing_ok=True)
            raise

    def name(self, number: int) -> str:
        return f"part-{number:05}{self.suffix}"

    def note(self, entry: JournalEntry) -> None:
        append(self.directory / JOURNAL, entry)

    def _begun(self, resume: bool, check: Callable[[JournalEntry], object]) -> list[JournalEntry]:
        """The journal is left with whole lines."""
        journal = self.directory / JOURNAL
        if not journal.exists():
            if any(self.directory.glob(PARTS)):
                raise ConfigError(f"{self.directory}: holds shards of which no journal tells: choose another directory")
            self.note(self.facts)
            return []
        if not resume:
            raise ConfigError(f"{self.directory}: holds the output of a job: resume it, or choose another directory")
        lines = whole_lines(journal)
        if not lines:
            self.note(self.facts)
            return []
        try:
            facts, *entries = [json.loads(line) for line in lines]
            if entries and not is_complete(entries):
                check(entries[-1])
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise InputError(f"the journal of the job is damaged: {error}", str(journal)) from None
        if facts != json.loads(json.dumps(self.facts)):
            changed = sorted(key for key in facts | self.facts if facts.get(key) != self.facts.get(key))
            raise ConfigError(f"{self.directory}: holds the output of another job: {', '.join(changed)} differ")
        done = len(entries) - is_complete(entries)
        lost = next((name for name in map(self.name, range(done)) if not (self.directory / name).exists()), None)
        if lost is not None:
            raise ConfigError(f"{self.directory}: {lost} was written and is gone: put it back, or begin anew elsewhere")
        return entries


def is_complete(entries: list[JournalEntry]) -> bool:
    return bool(entries) and "complete" in entries[-1]


def reserved(directory: Path) -> Iterator[Path]:
    """Files in the directory that belong to a job, or would be in its way."""
    for pattern in (PARTS, f".{PARTS}", f"{JOURNAL}*", LOCK):
        yield from directory.glob(pattern)
