"""Long work is a generator: it yields how far it is and returns its result. Whoever runs it decides what is shown."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass, replace
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
