"""Many tasks: many processes, and a journal of what came out."""

from __future__ import annotations

import multiprocessing
import os
import sys
import threading
import warnings
from collections.abc import Generator, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from multiprocessing.connection import wait
from typing import Any, Generic, Protocol, Self, TypeVar

from laconic.search.journal import Journal, key


class Workload(Protocol):
    """What tasks work on. It must survive pickling where processes cannot be forked."""

    @property
    def digest(self) -> str:
        """Tells apart whatever can change the result of a task, but for the task itself: data and configuration."""

    def prepare(self) -> None:
        """Compute what all tasks share, so that processes that are forked after it share it too."""


T = TypeVar("T", bound=Workload)
Worked = TypeVar("Worked", contravariant=True)
Result = TypeVar("Result")


class Task(Protocol[Worked, Result]):
    """A piece of work with a result that the journal keeps."""

    @property
    def facts(self) -> list[Any]:
        """What the result depends on beside the trainable, as JSON has it: its name in the journal."""

    def run(self, trainable: Worked, /) -> Result:
        """Depends on the trainable and the task alone."""

    def pack(self, result: Result, /) -> Any:
        """The result as JSON has it."""

    def unpack(self, value: Any, /) -> Result:
        """From what ``pack`` gave. ValueError, KeyError or TypeError for anything else."""


AnyTask = TypeVar("AnyTask", bound=Task[Any, Any])

_trainable: Workload | None = None  # of this process; set before forking, or by the initializer of a spawned one


def _start(trainable: Workload | None) -> None:
    global _trainable
    if trainable is not None:
        _trainable = trainable
        trainable.prepare()
    threading.Thread(target=end_with_parent, daemon=True).start()


def end_with_parent() -> None:
    """A process whose parent was killed would wait for work for ever."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


def _run(task: Task[Any, Any]) -> Any:
    assert _trainable is not None
    return task.run(_trainable)


class TrialRunner(Generic[T]):
    """Runs tasks on a trainable: in processes, and only those whose results the journal does not have."""

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

    def key(self, *parts: Any) -> str:
        """The name in the journal of a result for this trainable."""
        return key(self.trainable.digest, *parts)

    def results(self, tasks: Sequence[AnyTask]) -> Generator[tuple[AnyTask, bool], None, list[Any]]:
        """Yields each task when it is done, and whether it had to be run; returns what came out, in the order of the
        tasks. Equal tasks are run once."""
        found: dict[str, Any] = {}
        missing: dict[str, AnyTask] = {}
        for task in tasks:
            name = self.key(*task.facts)
            if name in found or name in missing:
                continue
            if name in self.journal:
                found[name] = self.journal.decoded(name, task.unpack)
                yield task, False
            else:
                missing[name] = task
        for name, result in self._run(missing):
            self.journal.put(name, missing[name].pack(result))
            found[name] = result
            yield missing[name], True
        return [found[self.key(*task.facts)] for task in tasks]

    def _run(self, tasks: dict[str, AnyTask]) -> Iterable[tuple[str, Any]]:
        if self._executor is None:
            for name, task in tasks.items():
                yield name, task.run(self.trainable)
            return
        futures = {self._executor.submit(_run, task): name for name, task in tasks.items()}
        for future in as_completed(futures):
            yield futures[future], future.result()
