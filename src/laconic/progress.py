"""Long work is a generator: it yields how far it is and returns its result. Whoever runs it decides what is shown."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from queue import SimpleQueue
from threading import Event
from typing import Any, TypeVar

Yielded = TypeVar("Yielded")
Result = TypeVar("Result")


@dataclass(frozen=True)
class Progress:
    """Where the training of a component stands."""

    what: str
    done: int
    of: int
    loss: float


AnyProgress = TypeVar("AnyProgress", bound=Progress)


def finished(run: Generator[Yielded, None, Result], show: Callable[[Yielded], Any] = lambda step: None) -> Result:
    """Run to the end, showing each step; the result."""
    while True:
        try:
            show(next(run))
        except StopIteration as stop:
            result: Result = stop.value
            return result


def within_whole(
    run: Generator[AnyProgress, None, Result], what: str, number: int, of: int
) -> Generator[AnyProgress, None, Result]:
    """The run with this number, from 0 on, among so many equal ones; its progress is that within all of them."""
    while True:
        try:
            step = next(run)
        except StopIteration as stop:
            result: Result = stop.value
            return result
        yield replace(step, what=what, done=number * step.of + step.done, of=of * step.of)


def side_by_side(
    runs: Sequence[Generator[Yielded, None, Result]], threads: int | None = None
) -> Generator[tuple[int, Yielded], None, list[Result]]:
    """Run all to the end, so many at a time (None: as there are processors); the results in their order. Steps come
    with the number of their run, those of several runs in any order.

    Where a run fails, or nobody waits for more, the others end behind the step that they are at. Runs share nothing
    that one of them changes, so that their results are those of one after another.
    """
    steps: SimpleQueue[tuple[int, Yielded] | int] = SimpleQueue()
    results: dict[int, Result] = {}
    stopped = Event()

    def run_one(number: int) -> None:
        try:
            while not stopped.is_set():
                try:
                    steps.put((number, next(runs[number])))
                except StopIteration as stop:
                    results[number] = stop.value
                    return
        finally:
            steps.put(number)  # the last that is heard of it

    with ThreadPoolExecutor(threads or processors(), "laconic-run") as pool:
        futures = [pool.submit(run_one, number) for number in range(len(runs))]
        try:
            left = len(runs)
            while left:
                step = steps.get()
                if isinstance(step, int):
                    futures[step].result()  # what went wrong in it goes wrong here
                    left -= 1
                else:
                    yield step
        finally:
            stopped.set()
    return [results[number] for number in range(len(runs))]


def processors() -> int:
    """How many this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
