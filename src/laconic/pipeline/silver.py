"""Text that another model has labelled: what of it is taken, and which components learn from it.

Files are read in batches, and only what is taken stays in memory, without what nobody learns from.
"""

from __future__ import annotations

import hashlib
import logging
import math
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from laconic._core.learn import shuffled
from laconic.corpus import Doc, stream
from laconic.corpus.files import read_chunks
from laconic.errors import ConfigError, InputError
from laconic.learn import Component, TrainingData
from laconic.learn.component import has_values
from laconic.learn.folding import select
from laconic.pipeline.components import COMPONENTS
from laconic.pipeline.config import TrainConfig
from laconic.tag.entity_spans import KEY

log = logging.getLogger(__name__)
CHUNK = 1 << 20
CONFIDENCES = ("conf_tags", "conf_tree", "conf_lemmas")
"""Comments with the mean logarithm of a teacher's probabilities of the words of a sentence."""
COLUMNS = ("upos", "xpos", "feats", "lemma", "deprel")
ColumnPresence = Mapping[str, tuple[bool, bool]]
"""For each column whether some words, and whether all words, have a value."""


@dataclass(frozen=True)
class LabelledText:
    """What is learned from beside the treebank."""

    data: TrainingData
    """The treebank, and behind it what is taken."""
    learners: frozenset[str]
    """Components that learn from it."""
    facts: dict[str, Any]
    """What tells it apart."""


def with_silver(treebank: Doc, dev: Doc | None, config: TrainConfig, names: Collection[str]) -> LabelledText:
    """The treebank and what of the labelled text is taken. Sentences are left out that are sentences of the treebank or
    of the development data, that came before, or of which the teacher was less sure than ``silver_confidence``; of the
    others about ``silver_words`` words are drawn. ConfigError where nothing that is trained can learn from it."""
    paths = [file for path in config.silver for file in _files(path)]
    scans = [_Scan.of(path, confidences=bool(config.silver_confidence)) for path in paths]
    learners = _learners(treebank, dict(zip(paths, scans, strict=True)), names)
    keep, left_out = _kept(paths, scans, (treebank, *(() if dev is None else (dev,))), config.silver_confidence)
    lengths = np.concatenate([scan.lengths for scan in scans])
    order = shuffled(len(lengths), config.silver_seed)
    order = order[keep[order]]
    if config.silver_words:
        order = order[: int(np.searchsorted(np.cumsum(lengths[order]), config.silver_words)) + 1]
    chosen = np.zeros(len(lengths), bool)
    chosen[order] = True
    if not chosen.any():
        raise ConfigError(f"no sentence of the labelled text is left to learn from: {_told(left_out)}")
    entities = any("entities" in COMPONENTS[name].writes for name in learners)
    doc = Doc.concatenate((treebank, *_taken(paths, scans, chosen, misc=entities)))
    count = int(chosen.sum())
    facts = {
        "files": [scan.facts for scan in scans],
        "taken": {"sentences": count, "words": len(doc) - len(treebank)},
        "left_out": left_out,
        "confidence": config.silver_confidence,
        "seed": config.silver_seed,
    }
    if any(left_out.values()):
        log.info("labelled text: %s", _told(left_out))
    return LabelledText(TrainingData(doc, silver=count, labelled=LabelledFiles(tuple(paths))), learners, facts)


@dataclass(frozen=True)
class LabelledFiles:
    """All of the text, read anew whenever it is gone through."""

    paths: tuple[Path, ...]

    def __iter__(self) -> Iterator[Doc]:
        for path in self.paths:
            yield from stream(path)


def _files(path: Path) -> list[Path]:
    """The file itself; of a folder the files that ``laconic distill label`` left there, in their order."""
    if not path.is_dir():
        return [path]
    found = sorted(one for one in path.iterdir() if one.name.removesuffix(".gz").endswith(".conllu"))
    if not found:
        raise InputError("there is no labelled text in it: expected files ending in .conllu", str(path))
    return found


@dataclass(frozen=True)
class _Scan:
    """What must be known of a file before anything of it is taken: a few numbers for each sentence."""

    lengths: npt.NDArray[np.int64]
    hashes: npt.NDArray[np.uint64]
    """Of the words."""
    sure: npt.NDArray[np.float64]
    """The least of the teacher's confidences, as a probability; no number where nothing is said or nobody asks."""
    presence: ColumnPresence
    facts: dict[str, Any]

    @classmethod
    def of(cls, path: Path, *, confidences: bool) -> Self:
        digest = hashlib.sha256()
        for chunk in read_chunks(path, CHUNK):
            digest.update(chunk)
        counted = _Counted()
        for doc in stream(path):
            counted.add(doc, confidences)
        if not counted.lengths:
            raise InputError("there is no sentence in it", str(path))
        lengths = np.array(counted.lengths, np.int64)
        facts = {
            "file": path.name,
            "sha256": digest.hexdigest(),
            "sentences": len(lengths),
            "words": int(lengths.sum()),
        }
        return cls(lengths, np.array(counted.hashes, np.uint64), np.array(counted.sure), counted.presence, facts)


@dataclass
class _Counted:
    lengths: list[int] = field(default_factory=list)
    hashes: list[int] = field(default_factory=list)
    sure: list[float] = field(default_factory=list)
    presence: dict[str, tuple[bool, bool]] = field(default_factory=dict)

    def add(self, doc: Doc, confidences: bool) -> None:
        self.hashes += hashes_of(doc)
        self.lengths += np.diff(doc.sentence_starts.astype(np.int64)).tolist()
        for sentence in doc.sentences:
            told = [sentence.comment(name) for name in CONFIDENCES] if confidences else []
            self.sure.append(min((_probability(one) for one in told if one is not None), default=math.nan))
        for name, (some, every) in presence_of(doc).items():
            before = self.presence.get(name, (False, True))
            self.presence[name] = before[0] or some, before[1] and every


def _probability(text: str) -> float:
    try:
        return math.exp(min(0.0, float(text)))
    except ValueError:
        return math.nan


def hashes_of(doc: Doc) -> Iterator[int]:
    """A number for the words of each sentence."""
    for sentence in doc.sentences:
        said = "\0".join(sentence.words).encode("utf-8", "surrogatepass")
        yield int.from_bytes(hashlib.blake2b(said, digest_size=8).digest(), "little")


def presence_of(doc: Doc) -> ColumnPresence:
    """Which columns some and all words have; heads and entities count as columns."""
    found = {}
    for column in COLUMNS:
        found[column] = has_values(doc, column), "_" not in doc.codes(column)[1]
    found["head"] = bool((doc.heads >= 0).any()), bool((doc.heads >= 0).all())
    tagged = [f"{KEY}=" in value for value in doc.codes("misc")[1]]
    found["entities"] = any(tagged), all(tagged)
    return found


def _learners(treebank: Doc, scans: Mapping[Path, _Scan], names: Collection[str]) -> frozenset[str]:
    """Components that learn from the text. Without tags, which others read, there is no training."""
    asked = [name for name in names if COMPONENTS[name].uses_silver]
    shown = presence_of(treebank)
    learners = set(asked)
    for path, scan in scans.items():
        for name in asked:
            if missing := _missing(COMPONENTS[name], shown, scan.presence):
                said = f"{path}: not every word has {missing}, from which the {name} learns"
                if missing in ("upos", "xpos", "feats"):
                    raise ConfigError(said)
                level = logging.WARNING if missing in ("heads", "deprel") else logging.DEBUG
                log.log(level, "%s: it learns from the treebank alone", said)
                learners.discard(name)
    if not learners and not any(COMPONENTS[name].reads_labelled for name in names):
        raise ConfigError(f"nothing that is trained learns from labelled text: {', '.join(names)} do not")
    return frozenset(learners)


def _missing(kind: type[Component], treebank: ColumnPresence, labelled: ColumnPresence) -> str:
    """What the component learns from or reads in the treebank, and some words of the other text do not have. Features
    may be missing from single words, and other columns where they are in the treebank."""
    for column in ("upos", "xpos", *kind.writes):
        some, every = labelled[column]
        if column == "head":
            if not every:
                return "heads"
        elif treebank[column][0]:
            partly = column == "feats" or not treebank[column][1]
            if not some or not (partly or every):
                return column
    return ""


def _kept(
    paths: Collection[Path], scans: Collection[_Scan], seen: Iterable[Doc], least: float
) -> tuple[npt.NDArray[np.bool_], dict[str, int]]:
    """Which sentences may be taken, and how many may not, by reason."""
    hashes = np.concatenate([scan.hashes for scan in scans])
    sure = np.concatenate([scan.sure for scan in scans])
    known = np.array([one for doc in seen for one in hashes_of(doc)], np.uint64)
    annotated = np.isin(hashes, known)
    first = np.zeros(len(hashes), bool)
    first[np.unique(hashes, return_index=True)[1]] = True
    keep = ~annotated & first
    unsure = np.zeros(len(hashes), bool)
    if least:
        for path, scan in zip(paths, scans, strict=True):
            if np.isnan(scan.sure).all():
                raise ConfigError(
                    f"{path}: silver_confidence cannot be used: no sentence tells how sure the teacher was "
                    f"(# {CONFIDENCES[0]} = …)"
                )
        unsure = keep & ~(sure >= least)
    left_out = {
        "annotated": int(annotated.sum()),
        "repeated": int((~annotated & ~first).sum()),
        "unsure": int(unsure.sum()),
    }
    return keep & ~unsure, left_out


def _told(left_out: Mapping[str, int]) -> str:
    reasons = {
        "annotated": "are in the treebank or the development data",
        "repeated": "came before",
        "unsure": "are below silver_confidence",
    }
    counts = Counter(left_out)
    return ", ".join(f"{counts[name]:,} sentences {reason}" for name, reason in reasons.items() if counts[name])


def _taken(
    paths: Collection[Path], scans: Collection[_Scan], chosen: npt.NDArray[np.bool_], *, misc: bool
) -> Iterator[Doc]:
    """The chosen sentences of all files; comments are dropped but for those that begin documents, MISC on request."""
    at = 0
    for path, scan in zip(paths, scans, strict=True):
        if not chosen[at : at + len(scan.lengths)].any():
            at += len(scan.lengths)
            continue
        for doc in stream(path):
            some = chosen[at : at + len(doc.sentences)]
            at += len(doc.sentences)
            if not some.any():
                continue
            part = select(doc, some)
            if not misc:
                part.set_codes("misc", np.zeros(len(part), np.int32), ["_"])
            part.columns.set_comments(
                [[line for line in lines if line.startswith("# newdoc")] for lines in part.comments]
            )
            yield part
