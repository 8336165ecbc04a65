"""Work in threads whose results come back in order, with a bounded number of pieces on their way."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from laconic._core.tag import History
from laconic.corpus import Doc
from laconic.errors import ConfigError
from laconic.pipeline.filling import Filling, Memory

Item = TypeVar("Item")
Result = TypeVar("Result")
AHEAD = 2
"""Pieces waiting for each thread: enough that none is idle, few enough that memory stays small."""


def check_threads(threads: int) -> None:
    if isinstance(threads, bool) or not isinstance(threads, int) or not 1 <= threads <= 1024:
        raise ConfigError(f"threads must be a whole number from 1 to 1024, not {threads!r}")


def ordered(work: Callable[[Item], Result], items: Iterable[Item], threads: int) -> Iterator[Result]:
    """``map``, by so many threads. Items are drawn as results are taken: never more than a few are on their way."""
    if threads == 1:
        yield from map(work, items)
        return
    waiting: deque[Future[Result]] = deque()
    pool = ThreadPoolExecutor(threads, "laconic")
    try:
        for item in items:
            waiting.append(pool.submit(work, item))
            if len(waiting) >= threads * AHEAD:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


@dataclass(frozen=True)
class Piece:
    """Sentences on their way: a document, or the next part of one."""

    doc: Doc
    opens: bool = True
    """A document begins with it."""
    mark: Any = None
    """Whatever its source wants to be told when it is done."""


@dataclass(frozen=True)
class Done(Generic[Result]):
    """A piece that is filled, what was made of it, and what the next piece of its document must know."""

    piece: Piece
    result: Result
    memory: Memory | None


def fill(
    filling: Filling,
    pieces: Iterable[Piece],
    finish: Callable[[Piece], Result],
    threads: int = 1,
    memory: Memory | None = None,
) -> Iterator[Done[Result]]:
    """Fill the pieces and finish each, in threads; give them back in order. ``memory`` is what the first one must know,
    if it does not open a document.

    Pieces of one document run at the same time but for what depends on the words before: there each waits for the one
    before it, which was started earlier and so never waits for it.
    """
    history: History | None = filling.history(memory)

    def work(task: tuple[Piece, threading.Event, threading.Event]) -> Done[Result]:
        nonlocal history
        piece, before, after = task
        try:
            filling.local(piece.doc)
            if filling.entities is None:
                kept = None
            else:
                before.wait()
                if piece.opens or history is None:
                    history = filling.history()
                filling.in_order(piece.doc, history)
                kept = None if history is None else history.kept()
        finally:
            after.set()
        return Done(piece, finish(piece), kept)

    yield from ordered(work, _in_turn(pieces), threads)


def _in_turn(pieces: Iterable[Piece]) -> Iterator[tuple[Piece, threading.Event, threading.Event]]:
    """Each piece with two events: that of the piece before it, and its own."""
    before = threading.Event()
    before.set()
    for piece in pieces:
        after = threading.Event()
        yield piece, before, after
        before = after
