"""A trained teacher: reads words, writes tags, lemmas, trees and entities, and tells how sure it is."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import numpy.typing as npt

from laconic._core import tag as core
from laconic.corpus import Doc
from laconic.distill.decoding import Decoder, Logs, log_softmax
from laconic.distill.encoder import EXTRA, Tokenizer, empty_encoder, load_config, load_tokenizer, most_pieces
from laconic.distill.labels import TeacherLabels
from laconic.errors import ConfigError, ModelError
from laconic.interop.optional import needed
from laconic.learn.component import Confidences
from laconic.pipeline.modelfile import ModelFile
from laconic.pipeline.pipeline import Pipeline
from laconic.tag.entity_spans import KEY, bio_names

if TYPE_CHECKING:
    from laconic.distill.network import Network

FILE = "teacher.laconic"
SEGMENTER = "segmenter.laconic"
ENCODER = "encoder"
BATCH_PIECES = 4096
"""About so many pieces are read at once, padding included."""


@dataclass
class Teacher:
    """A network with what its numbers mean. Not for several threads at once: processes have one each."""

    network: Network
    labels: TeacherLabels
    tokenizer: Tokenizer
    longest: int
    """Pieces that the encoder reads at once."""
    segmenter: Pipeline | None = None
    """Trained on the treebank of the teacher, where that tells of spaces."""
    provenance: Mapping[str, Any] | None = None
    digest: str = ""

    @classmethod
    def load(cls, folder: str | Path, *, segmenter: bool = True) -> Self:
        """The teacher that ``train_teacher`` wrote into a folder, with its segmenter unless that is not needed;
        ModelError for anything else."""
        needed("torch", EXTRA)
        from laconic.distill.network import Network

        place = Path(folder)
        if not (place / FILE).is_file():
            raise ModelError(f"{place}: no teacher: there is no {FILE} in it; laconic distill train makes one")
        file = ModelFile.load(place / FILE)
        config = load_config(place / ENCODER)
        try:
            labels = TeacherLabels.from_facts(file.facts["labels"])
            settings = file.facts["settings"]
            tokenizer = load_tokenizer(place / ENCODER, config, int(settings["word_pieces"]))
            network = Network(empty_encoder(config), sizes(labels), settings)
            _set_weights(network, file.arrays)
        except (KeyError, TypeError, ValueError, RuntimeError) as error:
            raise ModelError(f"{place / FILE}: the teacher is damaged: {str(error)[:200]}") from None
        network.eval()
        own = place / SEGMENTER
        return cls(
            network,
            labels,
            tokenizer,
            most_pieces(place / ENCODER, config, tokenizer),
            Pipeline.load(own) if segmenter and own.is_file() else None,
            file.facts["provenance"],
            digest_of(place),
        )

    def annotate(self, doc: Doc, *, projective: bool = False) -> dict[str, Confidences]:
        """Fill the columns that the teacher knows and empty the others; for each kind of column how probable it is for
        each word that it is right, by the keys that ``laconic parse --confidence`` has. Same bytes in, same bytes out
        on one machine, with one thread. Cost: the encoder's, and quadratic in a sentence for its arcs."""
        logs = _Annotation.of(self, doc, Decoder(self.labels, projective)).write()
        return {key: np.exp(found) for key, found in logs.items()}

    def add_entities(self, doc: Doc) -> None:
        """Write the entities alone, and leave all other columns as they are. Cost: the encoder's. ConfigError for a
        teacher that learned no entities."""
        if not self.labels.entity_types:
            raise ConfigError("the teacher knows no entities: its treebank had none")
        found = _Annotation.of(self, doc, Decoder(self.labels, projective=False), entities_only=True)
        doc.columns.set_entries(KEY, found.entities, bio_names(self.labels.entity_types))


def sizes(labels: TeacherLabels) -> dict[str, int]:
    """How many labels each output of the network has."""
    entities = 1 + 4 * len(labels.entity_types) if labels.entity_types else 0
    return {
        **{name: len(values) for name, values in labels.tags.items()},
        "scripts": len(labels.scripts),
        "entities": entities,
        "relations": len(labels.relations),
    }


def weights(network: Network) -> dict[str, npt.NDArray[Any]]:
    """As arrays, for a model file."""
    return {name: tensor.detach().cpu().numpy() for name, tensor in network.state_dict().items()}


def _set_weights(network: Network, arrays: Mapping[str, npt.NDArray[Any]]) -> None:
    import torch

    network.load_state_dict({name: torch.from_numpy(array.copy()) for name, array in arrays.items()})


def digest_of(folder: Path) -> str:
    """Of all that decides what a teacher says."""
    found = hashlib.sha256()
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        found.update(f"{path.relative_to(folder).as_posix()}\n".encode())
        with path.open("rb") as file:
            found.update(hashlib.file_digest(file, "sha256").digest())
    return found.hexdigest()


@dataclass(frozen=True)
class _Annotation:
    """All words of a document as a teacher labels them, batch after batch."""

    teacher: Teacher
    doc: Doc
    tags: dict[str, npt.NDArray[np.int32]]
    scripts: npt.NDArray[np.uint16]
    heads: npt.NDArray[np.int32]
    relations: npt.NDArray[np.int32]
    entities: npt.NDArray[np.uint16]
    logs: dict[str, Logs]

    @classmethod
    def of(cls, teacher: Teacher, doc: Doc, decoder: Decoder, *, entities_only: bool = False) -> Self:
        labels, count = teacher.labels, len(doc)
        kinds = (("TagConf", labels.tags), ("LemmaConf", labels.scripts), ("ArcConf", True))
        made = cls(
            teacher,
            doc,
            {name: np.zeros(count, np.int32) for name in labels.tags},
            np.zeros(count, np.uint16),
            np.zeros(count, np.int32),
            np.zeros(count, np.int32),
            np.zeros(count, np.uint16),
            {key: np.zeros(count, np.float32) for key, wanted in kinds if wanted},
        )
        if count:
            for sentences in made._batches():
                made._fill(sentences, decoder, entities_only)
        return made

    def _batches(self) -> Iterator[list[int]]:
        """Sentences of like length together: what is in a batch depends on the document alone."""
        pieces = self.teacher.tokenizer.pieces
        starts = self.doc.sentence_starts.astype(np.int64)
        counts = [len(pieces(form)) for form in self.doc.strings("form")]
        lengths = np.add.reduceat(np.array(counts, np.int64), starts[:-1])
        yield from batches(np.argsort(lengths, kind="stable"), lengths, BATCH_PIECES)

    def _fill(self, sentences: Sequence[int], decoder: Decoder, entities_only: bool) -> None:
        import torch

        from laconic.distill.network import PieceBatch

        starts = self.doc.sentence_starts.astype(np.int64)
        forms = [self.doc.columns.strings("form", int(starts[i]), int(starts[i + 1])) for i in sentences]
        words = np.concatenate([np.arange(starts[i], starts[i + 1]) for i in sentences])
        network = self.teacher.network
        with torch.no_grad():
            batch = PieceBatch.of(forms, self.teacher.tokenizer, self.teacher.longest)
            vectors = network.words(batch)
            scores = {name: found.numpy() for name, found in network.columns(vectors).items()}
            if not entities_only:
                self._fill_trees(words, batch.lengths, vectors, decoder)
        if "entities" in scores:
            begin = 0
            for length in batch.lengths:
                own = scores["entities"][begin : begin + length]
                self.entities[words[begin : begin + length]] = decoder.entities(own)
                begin += length
        if entities_only:
            return
        if self.tags:
            tags, self.logs["TagConf"][words] = decoder.tags(scores)
            for name, numbers in tags.items():
                self.tags[name][words] = numbers
        if "scripts" in scores:
            letters = np.array([len(form) for some in forms for form in some], np.int64)
            self.scripts[words], self.logs["LemmaConf"][words] = decoder.scripts(scores["scripts"], letters)

    def _fill_trees(self, words: npt.NDArray[np.int64], lengths: Sequence[int], vectors: Any, decoder: Decoder) -> None:
        """Heads and labels of the words of some sentences, from their vectors."""
        import torch

        network = self.teacher.network
        dependents, candidates = network.arcs(vectors)
        begin, places = 0, np.empty(len(words), np.int64)
        for length in lengths:
            own, heads = dependents[begin : begin + length], candidates[begin : begin + length]
            found, logs = decoder.tree(
                length,
                lambda a, b, own=own, heads=heads: log_softmax(network.arc_scores(own[a:b], heads).numpy()),  # type: ignore[misc]
            )
            span = words[begin : begin + length]
            self.heads[span], self.logs["ArcConf"][span] = found, logs
            places[begin : begin + length] = np.where(found > 0, found - 1 + begin, -1)
            begin += length
        relations = log_softmax(network.relations(vectors, torch.from_numpy(places)).numpy())
        best = relations.argmax(1)
        self.relations[words] = best
        self.logs["ArcConf"][words] += relations[np.arange(len(best)), best]

    def write(self) -> dict[str, Logs]:
        """Into the document; the probabilities of what was written."""
        doc, labels = self.doc, self.teacher.labels
        nothing = np.zeros(len(doc), np.int32)
        for column in ("lemma", "upos", "xpos", "feats", "deps"):
            doc.set_codes(column, nothing, ["_"])
        doc.columns.drop_empty_nodes()
        for name, numbers in self.tags.items():
            doc.set_codes(name, numbers, labels.tags[name])
        if labels.scripts:
            core.write_lemmas(doc.columns, core.Scripts(labels.scripts), core.Entries([]), self.scripts)
        doc.heads[:] = self.heads
        doc.set_codes("deprel", self.relations, labels.relations)
        if labels.entity_types:
            doc.columns.set_entries(KEY, self.entities, bio_names(labels.entity_types))
        return self.logs


def batches(order: npt.NDArray[np.int64], lengths: npt.NDArray[np.int64], most: int) -> Iterator[list[int]]:
    """Items in this order, as many together as have at most so much when all are as long as the longest; at least
    one."""
    found: list[int] = []
    widest = 0
    for number in order.tolist():
        wider = max(widest, int(lengths[number]))
        if found and wider * (len(found) + 1) > most:
            yield found
            found, wider = [], int(lengths[number])
        found.append(number)
        widest = wider
    if found:
        yield found
