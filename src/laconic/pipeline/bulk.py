"""A text too large for one go: output in shards, and what must be known to go on behind each of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from laconic.interop.writers import Writer
from laconic.pipeline.job_folder import SHARD, JobFolder, JournalEntry, is_complete
from laconic.pipeline.pieces import START, KeptStates, Piece, StreamPosition

PiecesFrom = Callable[[StreamPosition, KeptStates | None], Iterator[Piece]]
"""The pieces of a job from a position on, annotated and rendered."""


@dataclass(frozen=True)
class Shards:
    """Where shards go, and what makes the job this job: equal facts, equal output."""

    directory: Path
    writer: Writer
    facts: dict[str, Any]
    words: int = SHARD
    """After which a shard ends, with the sentence that they are in."""

    def write(self, run: PiecesFrom, *, resume: bool = False) -> Iterator[Piece]:
        """Write what ``run`` gives from a position on; yields each piece when it is written. ConfigError where the
        directory holds other output, resuming would not be the same job, or another process is at it."""
        folder = JobFolder(self.directory, self.writer.suffix, self.facts)
        with folder.opened(resume, _resumed) as entries:
            if not is_complete(entries):
                yield from self._write(folder, run, entries)

    def _write(self, folder: JobFolder, run: PiecesFrom, entries: list[JournalEntry]) -> Iterator[Piece]:
        start, kept = _resumed(entries[-1]) if entries else (START, None)
        pieces = run(start, kept)
        number = len(entries)
        piece = next(pieces, None)
        while piece is not None:
            with folder.shard(number) as file:
                output, words = self.writer.output(), 0
                while piece is not None and words < self.words:
                    file.writelines(output.add(piece))
                    words, last = words + len(piece.doc), piece
                    yield piece
                    piece = next(pieces, None)
                file.writelines(output.close())
            folder.note(_entry(folder.name(number), words, last))
            number += 1
        folder.note({"complete": number})


def _entry(name: str, words: int, last: Piece) -> JournalEntry:
    states = [None if one is None else [np.asarray(array).tolist() for array in one] for one in last.states]
    return {"shard": name, "words": words, "end": last.end.to_json(), "states": states}


def _resumed(entry: JournalEntry) -> tuple[StreamPosition, KeptStates]:
    states = [None if one is None else [list(map(int, array)) for array in one] for one in entry["states"]]
    return StreamPosition.from_json(entry["end"]), states
