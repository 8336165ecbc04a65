"""Raw text to labelled text, by a teacher: in shards, resumable, the same for any number of processes."""

from __future__ import annotations

import logging
import multiprocessing
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from laconic.corpus import Doc
from laconic.distill.confidences import comment_confidences
from laconic.distill.encoder import EXTRA
from laconic.distill.teacher import Teacher
from laconic.errors import ConfigError, InputError
from laconic.interop.optional import needed
from laconic.interop.writers import WRITERS, Writer
from laconic.learn.component import Confidences
from laconic.pipeline.annotate import Annotator
from laconic.pipeline.components import Components, segmenter_of
from laconic.pipeline.confidence import confident, write_confidences
from laconic.pipeline.flow import annotated, check_threads, ordered
from laconic.pipeline.job import InputJob
from laconic.pipeline.loading import load
from laconic.pipeline.pieces import START, KeptStates, Piece, StreamPosition
from laconic.pipeline.pipeline import Pipeline
from laconic.pipeline.sources import Input, Reading, cut
from laconic.search.trials import end_with_parent
from laconic.text import Options, Segmenter

log = logging.getLogger(__name__)
LONGEST = 1000
"""Words after which a sentence of a text ends at the latest: arcs cost the square of its length."""
SHARD = 100_000
"""Words of a shard: some minutes of an encoder."""
PIECE = 1 << 15
"""Bytes of a text that a process labels at once."""
ENDINGS = (".txt", ".md", ".conllu")
"""Of files that are taken from a folder; also those packed by gzip."""
Finish = Callable[[Piece], Piece]


class Labeller(ABC):
    """What labels text: one interface, whatever the teacher."""

    @property
    def keeps_columns(self) -> bool:
        """Is what it does not label left as it was given, confidences too?"""
        return False

    @abstractmethod
    def segmenter(self) -> Segmenter:
        """ConfigError, with what to do, where there is none."""

    @abstractmethod
    def decided_by(self) -> dict[str, Any]:
        """What tells it apart from all others, as JSON has it."""

    @abstractmethod
    def labelled(
        self, pieces: Iterable[Piece], finish: Finish, processes: int, kept: KeptStates | None
    ) -> Iterator[Piece]:
        """The pieces in their order, with all that the teacher says, and finished."""


@dataclass(frozen=True)
class ModelLabeller(Labeller):
    """A model of laconic's own as teacher, at an effort such as ``beam`` or ``best``; works in threads."""

    pipeline: Pipeline

    def segmenter(self) -> Segmenter:
        return segmenter_of(self.pipeline.components)

    def decided_by(self) -> dict[str, Any]:
        return {
            "model": self.pipeline.digest,
            "effort": self.pipeline.effort,
        }

    def labelled(
        self, pieces: Iterable[Piece], finish: Finish, processes: int, kept: KeptStates | None
    ) -> Iterator[Piece]:
        components = self.pipeline.components
        try:
            annotator = Annotator(components, (), confidence=True)
        except ConfigError:
            # A vote has no confidences: those of the same model without it are told.
            annotator, judge = Annotator(components, ()), _Judge.of(self.pipeline)
            if judge is not None:
                return annotated(annotator, pieces, lambda piece: finish(judge.told(piece)), processes, kept)
        return annotated(annotator, pieces, finish, processes, kept)


@dataclass(frozen=True)
class _Judge:
    """How sure a model is at full effort, without a vote, of what was found by one."""

    components: Components

    @classmethod
    def of(cls, pipeline: Pipeline) -> Self | None:
        """None, and a warning, where the model cannot tell."""
        plain = pipeline.at("full").components
        components = {name: one for name, one in plain.items() if not one.in_order and not one.segments}
        try:
            Annotator(components, (), confidence=True)
        except ConfigError as error:
            log.warning("there are no confidences in what is labelled: %s", error)
            return None
        return cls(components)

    def told(self, piece: Piece) -> Piece:
        """The piece with confidences in MISC. An arc that the model does not find so has what is left of
        the probability of the one that they find: more it cannot have."""
        own = piece.doc.sentences[:]
        found: dict[str, Confidences] = {}
        for name, sure in confident(self.components, own).items():
            component = self.components[name]
            if "head" in component.columns or "deprel" in component.columns:
                same = (own.heads == piece.doc.heads) & _equal(own, piece.doc, "deprel")
                sure = np.where(same, sure, 1 - sure).astype(np.float32)
            found[component.confidence_key] = sure * found.get(component.confidence_key, np.float32(1))
        write_confidences(piece.doc, found)
        return piece


def _equal(a: Doc, b: Doc, column: str) -> npt.NDArray[np.bool_]:
    return np.array([x == y for x, y in zip(a.strings(column), b.strings(column), strict=True)], bool)


@dataclass(frozen=True)
class EncoderLabeller(Labeller):
    """A teacher with an encoder, from its folder; works in processes with one thread each."""

    folder: Path
    teacher: Teacher
    projective: bool = False
    own_segmenter: Pipeline | None = None
    """In place of the teacher's."""
    entities_only: bool = False
    """All other columns stay as they are given."""

    @property
    def keeps_columns(self) -> bool:
        return self.entities_only

    def segmenter(self) -> Segmenter:
        model = self.own_segmenter or self.teacher.segmenter
        if model is None:
            raise ConfigError(
                f"{self.folder}: the teacher has no segmenter, since its treebank tells nothing of spaces: name a "
                "model that has one (--segmenter), or give words in place of text"
            )
        return model.segmenter

    def decided_by(self) -> dict[str, Any]:
        model = self.own_segmenter or self.teacher.segmenter
        return {
            "teacher": self.teacher.digest,
            "segmenter": "" if model is None else model.digest,
            "projective": self.projective,
            "entities_only": self.entities_only,
        }

    def labelled(
        self, pieces: Iterable[Piece], finish: Finish, processes: int, kept: KeptStates | None
    ) -> Iterator[Piece]:
        with self._workers(processes) as label:
            yield from ordered(lambda piece: finish(replace(piece, doc=label(piece.doc))), pieces, processes)

    @contextmanager
    def _workers(self, processes: int) -> Iterator[Callable[[Doc], Doc]]:
        if processes == 1:
            with _one_thread():
                yield lambda doc: _labelled(self.teacher, doc, self.projective, self.entities_only)
            return
        # Not forked: the threads of torch would not be there.
        context = multiprocessing.get_context("spawn")
        arguments = (str(self.folder), self.projective, self.entities_only)
        with ProcessPoolExecutor(processes, context, initializer=_start, initargs=arguments) as pool:
            try:
                yield lambda doc: pool.submit(_label, doc).result()
            finally:
                pool.shutdown(wait=True, cancel_futures=True)


_worker: tuple[Teacher, bool, bool] | None = None  # of this process


def _start(folder: str, projective: bool, entities_only: bool) -> None:
    global _worker
    threading.Thread(target=end_with_parent, daemon=True).start()
    teacher = Teacher.load(folder, segmenter=False)
    import torch

    torch.set_num_threads(1)
    _worker = teacher, projective, entities_only


def _label(doc: Doc) -> Doc:
    assert _worker is not None
    teacher, projective, entities_only = _worker
    return _labelled(teacher, doc, projective, entities_only)


def _labelled(teacher: Teacher, doc: Doc, projective: bool, entities_only: bool) -> Doc:
    if entities_only:
        teacher.add_entities(doc)
        return doc
    write_confidences(doc, teacher.annotate(doc, projective=projective))
    return doc


@contextmanager
def _one_thread() -> Iterator[None]:
    import torch

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)


def open_labeller(
    teacher: str | Path,
    *,
    effort: str | float | None = None,
    segmenter: str | None = None,
    projective: bool = False,
    entities_only: bool = False,
) -> Labeller:
    """The teacher in a folder that ``train_teacher`` wrote, or a model of laconic's own by its file or name, at an
    effort. With ``entities_only`` all columns but the entities stay as they are given. ConfigError for what the kind
    of teacher has no use for."""
    place = Path(teacher)
    if not place.is_dir():
        unused = (
            (segmenter is not None, "segmenter"),
            (projective, "projective"),
            (entities_only, "entities_only"),
        )
        for asked, name in unused:
            if asked:
                raise ConfigError(f"{name} is for a teacher with an encoder, and {teacher} is a model file")
        return ModelLabeller(load(teacher).at(effort))
    if effort is not None:
        raise ConfigError(f"effort is for models of laconic's own, and {place} is a folder: a teacher with an encoder")
    needed("torch", EXTRA)
    found = Teacher.load(place)
    if entities_only and not found.labels.entity_types:
        raise ConfigError(f"{place}: the teacher knows no entities: its treebank had none")
    own = None if segmenter is None else load(segmenter, ["segmenter"])
    return EncoderLabeller(place, found, projective, own, entities_only)


@dataclass(frozen=True)
class LabelJob(InputJob):
    """Texts, or treebanks whose words are taken, that a teacher labels. The output is CoNLL-U, for ``--silver``."""

    labeller: Labeller
    inputs: tuple[Input, ...]
    options: Options = field(default_factory=lambda: Options(longest=LONGEST))
    processes: int = 1
    writer: Writer = field(default_factory=lambda: WRITERS["conllu"])

    def __post_init__(self) -> None:
        check_threads(self.processes)
        if any(given.format == "text" for given in self.inputs):
            self.labeller.segmenter()

    def decided_by(self) -> dict[str, Any]:
        return self.labeller.decided_by()

    def run(
        self, start: StreamPosition = START, kept: KeptStates | None = None, words: int | None = None
    ) -> Iterator[Piece]:
        texts = any(given.format == "text" for given in self.inputs)
        reading = Reading(self.inputs, self.labeller.segmenter() if texts else None, self.options, PIECE)
        pieces = reading.pieces(start)
        if words is not None:
            pieces = cut(pieces, start, words)

        def finish(piece: Piece) -> Piece:
            if not self.labeller.keeps_columns:
                comment_confidences(piece.doc)
            return self.writer.rendered(piece)

        return self.labeller.labelled(pieces, finish, self.processes, kept)


def inputs_of(names: Iterable[str | Path]) -> tuple[Input, ...]:
    """Files as inputs, by their endings treebanks or texts; of a folder all texts and treebanks in it and below, in
    the order of their names. InputError for a folder without any."""
    from laconic.corpus.formats import by_suffix

    files: list[Path] = []
    for name in names:
        path = Path(name)
        if path.is_dir():
            found = sorted(
                one for one in path.rglob("*") if one.is_file() and one.name.removesuffix(".gz").endswith(ENDINGS)
            )
            if not found:
                raise InputError(f"there is no text in it: expected files ending in {', '.join(ENDINGS)}", str(path))
            files += found
        else:
            with path.open("rb"):  # an error here is one before hours of work
                pass
            files.append(path)
    return tuple(Input(path=str(path), format=by_suffix(str(path)) or "text") for path in files)
