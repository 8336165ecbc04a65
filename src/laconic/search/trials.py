"""One trial: train with some templates in some order, judge on development decisions. Many trials: many processes."""

from __future__ import annotations

import base64
import multiprocessing
import os
import sys
import threading
import warnings
from collections.abc import Generator, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from multiprocessing.connection import wait
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from laconic._core.learn import Examples
from laconic._core.search import right, scores
from laconic.learn import Settings, train
from laconic.progress import finished
from laconic.search.journal import Journal, key
from laconic.search.trainable import Pool, Trainable, numbers

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Trial:
    """Templates in order, the share of the training decisions to learn from, and how."""

    order: tuple[int, ...]
    share: float
    settings: Settings

    @property
    def work(self) -> float:
        return self.share * len(self.order) * self.settings.epochs


@dataclass(frozen=True)
class Verdict:
    """Which development decisions came out right."""

    right: npt.NDArray[np.bool_]

    @property
    def score(self) -> float:
        return float(self.right.mean()) if len(self.right) else 0.0

    def gain(self, before: Self) -> tuple[float, float]:
        """How much better this is, and the standard error of that, both as shares of the decisions (paired)."""
        change = self.right.astype(np.float64) - before.right
        return float(change.mean()), float(change.std() / np.sqrt(max(1, len(change))))

    def packed(self) -> dict[str, Any]:
        return {"decisions": len(self.right), "right": base64.b85encode(np.packbits(self.right).tobytes()).decode()}

    @classmethod
    def unpacked(cls, value: dict[str, Any]) -> Self:
        bits = np.frombuffer(base64.b85decode(value["right"]), np.uint8)
        return cls(np.unpackbits(bits, count=value["decisions"]).astype(bool))


def weights(examples: Examples, settings: Settings) -> Floats:
    """Train on examples of the templates in question; one row of label weights per feature."""
    if not examples.templates:
        return np.zeros((0, examples.labels))
    return finished(train(examples, examples.templates, settings)).weights(examples)


def judge(pool: Pool, trial: Trial) -> Verdict:
    """Cost: that of the training."""
    order = numbers(trial.order)
    learned = weights(pool.train.select(order, pool.sample(trial.share, trial.settings.seed)), trial.settings)
    judged = pool.develop.select(order, np.arange(len(pool.develop), dtype=np.uint32))
    return Verdict(right(judged, scores(judged, learned)).astype(bool))


_pool: Pool | None = None  # of this process; set before forking, or by the initializer of a spawned one


def _start(trainable: Trainable | None) -> None:
    global _pool
    if trainable is not None:
        _pool = trainable.pool()
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """A process whose parent was killed would wait for work for ever."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


def _judged(trial: Trial) -> Verdict:
    assert _pool is not None
    return judge(_pool, trial)


class Bench:
    """Where trials are run: a pool of examples, processes to train in, and a journal of what is known."""

    def __init__(
        self, trainable: Trainable, pool: Pool, journal: Journal, executor: ProcessPoolExecutor | None
    ) -> None:
        self.trainable, self.pool, self.journal = trainable, pool, journal
        self._executor = executor

    @classmethod
    @contextmanager
    def open(
        cls, trainable: Trainable, journal: Journal, processes: int, start_method: str | None = None
    ) -> Generator[Self, None, None]:
        """Starts the processes, and ends them. They are forked where that is safe, so that examples are shared;
        elsewhere each of them looks its features up itself."""
        global _pool
        pool = trainable.pool()
        if processes <= 1:
            yield cls(trainable, pool, journal, None)
            return
        forked = sys.platform == "linux" and threading.active_count() == 1
        method = start_method or ("fork" if forked else "spawn")
        _pool = pool
        try:
            executor = ProcessPoolExecutor(
                processes,
                multiprocessing.get_context(method),
                initializer=_start,
                initargs=(None if method == "fork" else trainable,),
            )
            with executor:
                try:
                    if method == "fork":
                        # From Python 3.12 on forking warns of any thread, also of those that linear algebra keeps idle
                        # and no trial uses. The first task starts all processes.
                        with warnings.catch_warnings():
                            warnings.simplefilter("ignore", DeprecationWarning)
                            executor.submit(os.getpid).result()
                    yield cls(trainable, pool, journal, executor)
                finally:
                    executor.shutdown(wait=True, cancel_futures=True)
        finally:
            _pool = None

    @property
    def head(self) -> tuple[int, ...]:
        """The templates that stand first whatever they are worth."""
        return tuple(range(self.trainable.head))

    def settings(self, epochs: int) -> Settings:
        """The component's own, with so many epochs."""
        return replace(self.trainable.settings, epochs=epochs)

    def key(self, *parts: Any) -> str:
        return key(self.trainable.digest, *parts)

    def verdicts(self, trials: Sequence[Trial]) -> Generator[tuple[Trial, bool], None, list[Verdict]]:
        """Yields each trial when it is done, and whether it had to be run; returns what came out, in the order of the
        trials."""
        found: dict[Trial, Verdict] = {}
        missing = []
        for trial in dict.fromkeys(trials):
            name = self._name(trial)
            if name in self.journal:
                found[trial] = Verdict.unpacked(self.journal[name])
                yield trial, False
            else:
                missing.append(trial)
        for trial, verdict in self._run(missing):
            self.journal.put(self._name(trial), verdict.packed())
            found[trial] = verdict
            yield trial, True
        return [found[trial] for trial in trials]

    def _name(self, trial: Trial) -> str:
        return self.key("trial", trial.order, trial.share, asdict(trial.settings))

    def _run(self, trials: Sequence[Trial]) -> Iterable[tuple[Trial, Verdict]]:
        if self._executor is None:
            for trial in trials:
                yield trial, judge(self.pool, trial)
            return
        futures = {self._executor.submit(_judged, trial): trial for trial in trials}
        for future in as_completed(futures):
            yield futures[future], future.result()
