"""Inputs to output, in bounded memory: what all callers that parse files have in common."""

from __future__ import annotations

import hashlib
import logging
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import laconic
from laconic.corpus.files import check_apart, name_of, opened_to_write
from laconic.errors import ConfigError
from laconic.interop.writers import Writer
from laconic.pipeline.annotate import Annotator
from laconic.pipeline.bulk import Shards
from laconic.pipeline.components import find_segmenter, segmenter_of
from laconic.pipeline.flow import annotated, check_threads
from laconic.pipeline.job_folder import SHARD, reserved
from laconic.pipeline.pieces import START, KeptStates, Piece, StreamPosition
from laconic.pipeline.pipeline import Pipeline
from laconic.pipeline.sources import Input, Reading, cut
from laconic.text import Options

logger = logging.getLogger(__name__)


def parsed(
    pipeline: Pipeline, inputs: tuple[Input, ...], options: Options | None = None, threads: int = 1
) -> Iterator[Piece]:
    """The pieces of texts, annotated; in order, whatever the threads."""
    check_threads(threads)
    own = pipeline.at()
    reading = Reading(inputs, segmenter_of(own.components), options or Options())
    return annotated(Annotator(own.components), reading.pieces(), threads=threads)


class InputJob(ABC):
    """Inputs that become output, piece after piece: what a subclass says in ``run`` and ``decided_by``."""

    inputs: tuple[Input, ...]
    writer: Writer
    options: Options

    @abstractmethod
    def run(
        self, start: StreamPosition = START, kept: KeptStates | None = None, words: int | None = None
    ) -> Iterator[Piece]:
        """Each piece, annotated and rendered, from a position on; in order, whatever works on them. With ``words``,
        pieces end where shards of so many words do."""

    @abstractmethod
    def decided_by(self) -> dict[str, Any]:
        """What decides the output beside inputs and options, as JSON has it."""

    def to_file(self, target: str) -> Iterator[Piece]:
        """Write one file (``-``: standard output), whole or not at all; yields each piece when it is written.
        ConfigError where that is an input."""
        check_apart(self._files(), target)
        with opened_to_write(target) as file:
            output = self.writer.output()
            for piece in self.run():
                file.writelines(output.add(piece))
                yield piece
            file.writelines(output.close())

    def to_shards(self, directory: Path, *, words: int = SHARD, resume: bool = False) -> Iterator[Piece]:
        """Write a directory of shards; see ``laconic.pipeline.bulk``. Files are read once before, for their digests.
        ConfigError where an input lies among the shards, or a job is to be resumed that reads what cannot be read
        again: standard input or a pipe."""
        passing = [_name(file) for file in self._files() if not _lasting(file)]
        if passing and resume:
            raise ConfigError(f"{passing[0]} cannot be read again: a job that reads it cannot be resumed")
        if passing:
            logger.warning("%s cannot be read again: this job cannot be resumed", passing[0])
        for present in reserved(directory):
            check_apart(self._files(), present)
        shards = Shards(directory, self.writer, self._facts(words), words)
        yield from shards.write(partial(self.run, words=words), resume=resume)

    def _files(self) -> list[str]:
        return [given.path for given in self.inputs if given.text is None]

    def _facts(self, words: int) -> dict[str, Any]:
        """What decides the output, and nothing of where it lies."""
        return {
            **self.decided_by(),
            **input_facts(self.inputs, self.options),
            "format": self.writer.name,
            "words": words,
        }


@dataclass(frozen=True)
class ParseJob(InputJob):
    """What is to be parsed, by what, and how it is written."""

    pipeline: Pipeline
    inputs: tuple[Input, ...]
    writer: Writer
    keep: tuple[str, ...] | None = None
    """Columns of treebanks that are kept; None: none."""
    options: Options = field(default_factory=Options)
    threads: int = 1
    confidence: bool = False
    """Write into MISC how probable it is that tags, lemma and arc are right."""

    def __post_init__(self) -> None:
        check_threads(self.threads)
        treebanks = [given for given in self.inputs if given.format not in ("text", "words")]
        if self.keep is not None and not treebanks:
            raise ConfigError("keep says which columns of a treebank are kept: none is given")
        if any(given.format == "text" for given in self.inputs):
            segmenter_of(self.pipeline.components)
        Annotator(self.pipeline.components, self.keep, confidence=self.confidence)

    def run(
        self, start: StreamPosition = START, kept: KeptStates | None = None, words: int | None = None
    ) -> Iterator[Piece]:
        pipeline = self.pipeline.at()
        labels_only = "head" in (self.keep or ()) and "deprel" not in (self.keep or ())
        reading = Reading(self.inputs, find_segmenter(pipeline.components), self.options, trees=labels_only)
        treebanks = any(given.format not in ("text", "words") for given in self.inputs)
        annotator = Annotator(pipeline.components, (self.keep or ()) if treebanks else None, confidence=self.confidence)
        pieces = reading.pieces(start)
        if words is not None:
            pieces = cut(pieces, start, words)
        return annotated(annotator, pieces, self.writer.rendered, self.threads, kept)

    def decided_by(self) -> dict[str, Any]:
        return {
            **model_facts(self.pipeline),
            "keep": None if self.keep is None else sorted(self.keep),
            "confidence": self.confidence,
        }


def model_facts(pipeline: Pipeline) -> dict[str, Any]:
    """What of a model decides the output."""
    return {
        "model": pipeline.digest,
        "components": list(pipeline.components),
        "effort": pipeline.effort,
    }


def input_facts(inputs: Iterable[Input], options: Options) -> dict[str, Any]:
    """What of inputs decides it, and how they are read."""
    asked = {name: getattr(options, name) for name in Options.__dataclass_fields__ if name != "exceptions"}
    identities = [_identity(given) for given in inputs]
    return {"version": laconic.__version__, "options": asked, "inputs": identities}


def _identity(given: Input) -> dict[str, Any]:
    """What tells an input apart from all others, as far as it can be read twice."""
    if given.text is not None:
        data = given.text.encode("utf-8", "surrogatepass")
        return {"format": given.format, "sha256": hashlib.sha256(data).hexdigest()}
    if not _lasting(given.path):
        return {"format": given.format, "treebank": given.treebank}
    with Path(given.path).open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return {"name": given.id, "format": given.format, "treebank": given.treebank, "sha256": digest}


def _lasting(file: str) -> bool:
    """Can it be read more than once?"""
    return file != "-" and Path(file).is_file()


def _name(file: str) -> str:
    return "standard input" if file == "-" else name_of(file)
