"""Many trials: many processes, and a journal of what came out."""

from __future__ import annotations

import multiprocessing
import os
import sys
import threading
import warnings
from collections.abc import Generator, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import asdict, replace
from multiprocessing.connection import wait
from typing import Any, Generic, Self, TypeVar

from laconic.learn import Settings
from laconic.search.journal import Journal, key
from laconic.search.trainable import Trainable, Trial, TrialResult

T = TypeVar("T", bound=Trainable)

_trainable: Trainable | None = None  # of this process; set before forking, or by the initializer of a spawned one


def _start(trainable: Trainable | None) -> None:
    global _trainable
    if trainable is not None:
        _trainable = trainable
        trainable.prepare()
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """A process whose parent was killed would wait for work for ever."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


def _run(trial: Trial) -> TrialResult:
    assert _trainable is not None
    return _trainable.run(trial)


class TrialRunner(Generic[T]):
    """Runs trials of a trainable: in processes, and only those whose results the journal does not have."""

    def __init__(self, trainable: T, journal: Journal, executor: ProcessPoolExecutor | None) -> None:
        self.trainable, self.journal = trainable, journal
        self._executor = executor

    @classmethod
    @contextmanager
    def open(
        cls, trainable: T, journal: Journal, processes: int = 1, start_method: str | None = None
    ) -> Generator[Self, None, None]:
        """Starts the processes, and ends them. They are forked where that is safe, so that they share what the
        trainable has prepared; elsewhere each of them prepares it itself."""
        global _trainable
        trainable.prepare()
        if processes <= 1:
            yield cls(trainable, journal, None)
            return
        forked = sys.platform == "linux" and threading.active_count() == 1
        method = start_method or ("fork" if forked else "spawn")
        _trainable = trainable
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
                    yield cls(trainable, journal, executor)
                finally:
                    executor.shutdown(wait=True, cancel_futures=True)
        finally:
            _trainable = None

    def settings(self, epochs: int) -> Settings:
        """The component's own, with so many epochs."""
        return replace(self.trainable.settings, epochs=epochs)

    def key(self, *parts: Any) -> str:
        """The name in the journal of a result for this trainable."""
        return key(self.trainable.digest, *parts)

    def results(self, trials: Sequence[Trial]) -> Generator[tuple[Trial, bool], None, list[TrialResult]]:
        """Yields each trial when it is done, and whether it had to be run; returns what came out, in the order of the
        trials. Equal trials are run once."""
        found: dict[str, TrialResult] = {}
        missing: dict[str, Trial] = {}
        for trial in trials:
            name = self._name(trial)
            if name in found or name in missing:
                continue
            if name in self.journal:
                found[name] = self.journal.decoded(name, TrialResult.unpacked)
                yield trial, False
            else:
                missing[name] = trial
        for name, result in self._run(missing):
            self.journal.put(name, result.packed())
            found[name] = result
            yield missing[name], True
        return [found[self._name(trial)] for trial in trials]

    def _name(self, trial: Trial) -> str:
        """By the text of the templates, so that a result serves every search that comes by the same set."""
        return self.key("trial", str(trial.templates), trial.share, asdict(trial.settings))

    def _run(self, trials: dict[str, Trial]) -> Iterable[tuple[str, TrialResult]]:
        if self._executor is None:
            for name, trial in trials.items():
                yield name, self.trainable.run(trial)
            return
        futures = {self._executor.submit(_run, trial): name for name, trial in trials.items()}
        for future in as_completed(futures):
            yield futures[future], future.result()
