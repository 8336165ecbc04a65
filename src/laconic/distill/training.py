"""Training a teacher: an encoder and a treebank to a folder. What was killed goes on where it was."""

from __future__ import annotations

import hashlib
import json
import logging
import os
import shutil
import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

import laconic
from laconic.corpus import Doc
from laconic.corpus.files import name_of
from laconic.distill.config import TeacherConfig
from laconic.distill.encoder import EXTRA, copy_tokenizer, load_config, load_tokenizer, load_weights, most_pieces
from laconic.distill.labels import Targets, TeacherLabels
from laconic.distill.teacher import ENCODER, FILE, SEGMENTER, Teacher, batches, digest_of, sizes, weights
from laconic.errors import ConfigError, InputError
from laconic.evaluate import evaluate, evaluate_entities
from laconic.interop.optional import needed
from laconic.pipeline.config import TrainConfig
from laconic.pipeline.lock import locked
from laconic.pipeline.modelfile import ModelFile
from laconic.pipeline.training import read_data, train
from laconic.progress import Progress
from laconic.text import Segmenter, SegmenterConfig

log = logging.getLogger(__name__)
CHECKPOINT = "checkpoint.pt"
LOCK = "lock"
SECONDS = 60.0
"""Between two checkpoints within an epoch."""
WARM_UP = 0.05
"""The share of all steps over which rates rise."""
LONGEST_GRADIENT = 1.0
POOL = 50
"""Steps whose sentences are sorted by length together, so that little padding is read."""
METRICS = ("UPOS", "XPOS", "UFeats", "Lemmas", "UAS", "LAS")


@dataclass(frozen=True)
class TeacherProgress(Progress):
    """Where the training of a teacher stands."""

    epoch: int = 0
    seconds_left: float = 0.0
    scores: dict[str, float] = field(default_factory=dict)
    """On the development data, behind each epoch: F1 on given words, in percent."""


def train_teacher(config: TeacherConfig, output: str | Path) -> Generator[TeacherProgress, None, Teacher]:
    """Train a teacher and write it into a new folder. The generator tells how far it is and returns the teacher.

    While it runs, a folder beside the output holds what is needed to go on: the same call goes on from there, killed at
    whatever moment, and gives the bytes that it would have given. Same data, settings, threads, machine and packages:
    same bytes. Cost: epochs times words times the encoder's, about three times what reading them costs.

    ConfigError where the output exists, or the treebank has no heads; ModelError for a folder that is no encoder.
    """
    needed("torch", EXTRA)
    target = Path(output)
    if target.exists():
        raise ConfigError(f"{target}: exists already: choose another folder for the teacher")
    if not target.absolute().parent.is_dir():
        raise FileNotFoundError(2, "no such directory", str(target.absolute().parent))
    work = target.absolute().with_name(f".{target.name}.work")
    session = _TeacherSession.start(config, work)
    work.mkdir(exist_ok=True)
    with locked(work / LOCK), session.torch_settings():
        yield from session.run()
        made = session.write(target)
    shutil.rmtree(work, ignore_errors=True)
    return made


@dataclass
class _TeacherSession:
    """One training: data as read, the network, and where it is kept."""

    config: TeacherConfig
    work: Path
    doc: Doc
    dev: Doc | None
    targets: Targets
    teacher: Teacher
    provenance: dict[str, Any]
    history: list[dict[str, float]] = field(default_factory=list)
    """Scores of finished epochs."""

    @classmethod
    def start(cls, config: TeacherConfig, work: Path) -> _TeacherSession:
        """Reads and checks all data and the encoder, before hours are spent."""
        encoder = load_config(config.encoder)
        tokenizer = load_tokenizer(config.encoder, encoder, config.word_pieces)
        longest = most_pieces(config.encoder, encoder, tokenizer)
        doc, facts = read_data(config.train, config.entity_data[:1])
        _check_trees(doc, config.train)
        provenance: dict[str, Any] = {
            "version": laconic.__version__,
            "encoder": digest_of(config.encoder),
            "train": facts,
            "settings": config.settings(),
        }
        dev = None
        if config.dev is not None:
            dev, provenance["dev"] = read_data(config.dev, config.entity_data[1:])
            _check_trees(dev, config.dev)
        labels = TeacherLabels.of(doc, config.script_minimum)
        import torch

        from laconic.distill.network import Network

        torch.manual_seed(config.seed)
        network = Network(load_weights(config.encoder, encoder), sizes(labels), config.settings())
        return cls(
            config,
            work,
            doc,
            dev,
            Targets.of(doc, labels, config.script_minimum),
            Teacher(network, labels, tokenizer, longest, provenance=provenance),
            provenance,
        )

    @contextmanager
    def torch_settings(self) -> Iterator[None]:
        """Threads as asked for, and only algorithms that give the same sums each time; as before, in the end."""
        import torch

        threads, deterministic = torch.get_num_threads(), torch.are_deterministic_algorithms_enabled()
        torch.set_num_threads(self.config.threads)
        torch.use_deterministic_algorithms(True)
        try:
            yield
        finally:
            torch.set_num_threads(threads)
            torch.use_deterministic_algorithms(deterministic)

    def run(self) -> Generator[TeacherProgress, None, None]:
        import torch

        from laconic.distill.network import PieceBatch

        network, config = self.teacher.network, self.config
        encoder = {id(one) for one in network.encoder.parameters()}
        optimizer = torch.optim.AdamW(
            [
                {"params": list(network.encoder.parameters()), "lr": config.rate},
                {"params": [one for one in network.parameters() if id(one) not in encoder], "lr": config.output_rate},
            ],
            weight_decay=0.01,
        )
        rates = [group["lr"] for group in optimizer.param_groups]
        torch.manual_seed(config.seed)
        first, step, total = self._resumed(optimizer)
        begun, start = time.monotonic(), first + step / max(1, len(self._steps(first))) if first < config.epochs else 0
        kept = begun
        for epoch in range(first, config.epochs):
            steps = self._steps(epoch)
            network.train()
            for number in range(step, len(steps)):
                done = (epoch + number / len(steps)) / config.epochs
                share = min(done / WARM_UP, (1 - done) / (1 - WARM_UP))
                for group, rate in zip(optimizer.param_groups, rates, strict=True):
                    group["lr"] = rate * max(share, 1e-3)
                words, forms = self._words(steps[number])
                batch = PieceBatch.of(forms, self.teacher.tokenizer, self.teacher.longest)
                loss = network.loss(batch, self.targets, words)
                if not bool(torch.isfinite(loss)):
                    raise ConfigError("the loss is no number any more: choose a lower rate and output_rate")
                optimizer.zero_grad()
                loss.backward()
                torch.nn.utils.clip_grad_norm_(network.parameters(), LONGEST_GRADIENT)
                optimizer.step()
                total += float(loss.detach())
                if time.monotonic() - kept > SECONDS:
                    self._keep(optimizer, epoch, number + 1, total)
                    kept = time.monotonic()
                ahead = epoch + (number + 1) / len(steps) - start
                left = (time.monotonic() - begun) / ahead * (config.epochs - start - ahead)
                yield TeacherProgress("training", number + 1, len(steps), total / (number + 1), epoch + 1, left)
            network.eval()
            scores = {} if self.dev is None else self._scores(self.dev)
            self.history.append({"loss": round(total / max(1, len(steps)), 4), **scores})
            yield TeacherProgress("epoch", epoch + 1, config.epochs, total / max(1, len(steps)), epoch + 1, 0.0, scores)
            step, total = 0, 0.0
            self._keep(optimizer, epoch + 1, 0, total)
        network.eval()

    def _steps(self, epoch: int) -> list[list[int]]:
        """Sentences of each step, shuffled, those of a step of like length."""
        draw = np.random.default_rng((self.config.seed, epoch))
        starts = self.doc.sentence_starts.astype(np.int64)
        lengths = np.diff(starts)
        order = draw.permutation(len(lengths))
        pools = np.cumsum(lengths[order]) // (POOL * self.config.step_words)
        sorted_order = order[np.lexsort((lengths[order], pools))]
        steps = list(batches(sorted_order, lengths, self.config.step_words))
        return [steps[i] for i in draw.permutation(len(steps)).tolist()]

    def _words(self, sentences: list[int]) -> tuple[np.ndarray[Any, Any], list[list[str]]]:
        starts = self.doc.sentence_starts.astype(np.int64)
        words = np.concatenate([np.arange(starts[i], starts[i + 1]) for i in sentences])
        return words, [self.doc.columns.strings("form", int(starts[i]), int(starts[i + 1])) for i in sentences]

    def _scores(self, dev: Doc) -> dict[str, float]:
        guess = dev.sentences[:]
        self.teacher.annotate(guess)
        found = evaluate(dev, guess, single_root=False)
        scores = {name: round(found[name].f1, 2) for name in METRICS}
        if self.teacher.labels.entity_types:
            scores["NER"] = round(evaluate_entities(dev, guess)["NER"].f1, 2)
        return scores

    @property
    def _key(self) -> str:
        """What makes this training this training."""
        said = json.dumps(self.provenance, sort_keys=True, default=str)
        return hashlib.sha256(said.encode()).hexdigest()

    def _keep(self, optimizer: Any, epoch: int, step: int, total: float) -> None:
        """All that is needed to go on, on the disk whole or not at all."""
        import torch

        draft = self.work / f"{CHECKPOINT}.part"
        with draft.open("wb") as file:
            torch.save(
                {
                    "key": self._key,
                    "network": self.teacher.network.state_dict(),
                    "optimizer": optimizer.state_dict(),
                    "random": torch.get_rng_state(),
                    "place": [epoch, step],
                    "total": total,
                    "history": self.history,
                },
                file,
            )
            file.flush()
            os.fsync(file.fileno())
        draft.replace(self.work / CHECKPOINT)

    def _resumed(self, optimizer: Any) -> tuple[int, int, float]:
        """Epoch, step and loss to go on from: those that this very training left, or the beginning."""
        import torch

        path = self.work / CHECKPOINT
        if not path.exists():
            return 0, 0, 0.0
        try:
            found = torch.load(path, weights_only=True)
            if found["key"] != self._key:
                log.warning("%s: what is there belongs to another training: starting from the beginning", self.work)
                return 0, 0, 0.0
            self.teacher.network.load_state_dict(found["network"])
            optimizer.load_state_dict(found["optimizer"])
            torch.set_rng_state(found["random"])
            self.history = list(found["history"])
            epoch, step = found["place"]
            return int(epoch), int(step), float(found["total"])
        except Exception as error:  # a foreign file; torch raises many kinds
            raise InputError(f"the checkpoint is damaged ({str(error)[:100]}): remove it", str(path)) from None

    def write(self, target: Path) -> Teacher:
        """The folder of the teacher, whole or not at all."""
        draft = self.work / "teacher"
        shutil.rmtree(draft, ignore_errors=True)
        copy_tokenizer(self.config.encoder, draft / ENCODER)
        self.provenance["scores"] = self.history
        facts = {
            "labels": self.teacher.labels.facts(),
            "settings": self.config.settings(),
            "provenance": self.provenance,
        }
        ModelFile(weights(self.teacher.network), facts).save(draft / FILE)
        if Segmenter.is_shown(self.doc, SegmenterConfig()):
            learner = TrainConfig(self.config.train, components=("segmenter",))
            for _ in train(learner, output=draft / SEGMENTER):
                pass
        else:
            log.warning("%s: no segmenter is trained: %s", self.config.train, Segmenter.not_shown)
        draft.rename(target)
        return Teacher.load(target)


def _check_trees(doc: Doc, path: Path) -> None:
    missing = np.flatnonzero(doc.heads < 0)
    if len(missing):
        number = int(np.searchsorted(doc.sentence_starts, missing[0], side="right"))
        raise InputError(f"sentence {number} has no heads: a teacher learns trees", name_of(path))
