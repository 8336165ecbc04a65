"""A job too large for one go: output in shards, each written whole or not at all, and a journal to go on from.

A line of the journal is written after its shard is in place, so what the journal tells is there; a shard that it does
not tell is made again, the same. Killed at any moment and resumed, a job leaves the files that it would have left.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from laconic.errors import ConfigError, InputError
from laconic.interop.writers import Writer
from laconic.jsonlines import append, whole_lines
from laconic.pipeline.lock import locked
from laconic.pipeline.pieces import START, KeptStates, Piece, StreamPosition

JOURNAL = ".laconic-job.jsonl"
LOCK = ".laconic-job.lock"
PARTS = "part-*"
SHARD = 1_000_000
"""Words after which a shard ends, with the sentence that they are in."""
PiecesFrom = Callable[[StreamPosition, KeptStates | None], Iterator[Piece]]
"""The pieces of a job from a position on, annotated and rendered."""


@dataclass(frozen=True)
class Shards:
    """Where shards go, and what makes the job this job: equal facts, equal output."""

    directory: Path
    writer: Writer
    facts: dict[str, Any]
    words: int = SHARD

    def write(self, run: PiecesFrom, *, resume: bool = False) -> Iterator[Piece]:
        """Write what ``run`` gives from a position on; yields each piece when it is written. ConfigError where the
        directory holds other output, resuming would not be the same job, or another process is at it."""
        self.directory.mkdir(parents=True, exist_ok=True)
        with locked(self.directory / LOCK):
            yield from self._write(run, resume)

    def _write(self, run: PiecesFrom, resume: bool) -> Iterator[Piece]:
        entries = self._begun(resume)
        if entries and "complete" in entries[-1]:
            return
        start, kept = _resumed(entries[-1]) if entries else (START, None)
        pieces = run(start, kept)
        number = len(entries)
        piece = next(pieces, None)
        while piece is not None:
            draft = self.directory / f".{self._name(number)}.part"
            try:
                with draft.open("wb") as file:
                    output, words = self.writer.output(), 0
                    while piece is not None and words < self.words:
                        file.writelines(output.add(piece))
                        words, last = words + len(piece.doc), piece
                        yield piece
                        piece = next(pieces, None)
                    file.writelines(output.close())
                    file.flush()
                    os.fsync(file.fileno())
                draft.replace(self.directory / self._name(number))
            except BaseException:
                draft.unlink(missing_ok=True)
                raise
            self._note(_entry(self._name(number), words, last))
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
                _resumed(entries[-1])
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise InputError(f"the journal of the job is damaged: {error}", str(journal)) from None
        if facts != json.loads(json.dumps(self.facts)):
            changed = sorted(key for key in facts | self.facts if facts.get(key) != self.facts.get(key))
            raise ConfigError(f"{self.directory}: holds the output of another job: {', '.join(changed)} differ")
        return entries


def reserved(directory: Path) -> Iterator[Path]:
    """Files in the directory that belong to a job, or would be in its way."""
    for pattern in (PARTS, f".{PARTS}", f"{JOURNAL}*", LOCK):
        yield from directory.glob(pattern)


def _entry(name: str, words: int, last: Piece) -> dict[str, Any]:
    states = [None if one is None else [np.asarray(array).tolist() for array in one] for one in last.states]
    return {"shard": name, "words": words, "end": last.end.to_json(), "states": states}


def _resumed(entry: dict[str, Any]) -> tuple[StreamPosition, KeptStates]:
    states = [None if one is None else [list(map(int, array)) for array in one] for one in entry["states"]]
    return StreamPosition.from_json(entry["end"]), states
