"""Work in threads whose results come back in order, with a bounded number of pieces on their way."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from typing import TypeVar

from laconic.errors import ConfigError
from laconic.pipeline.annotate import Annotator
from laconic.pipeline.pieces import KeptStates, Piece

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


def annotated(
    annotator: Annotator,
    pieces: Iterable[Piece],
    finish: Callable[[Piece], Piece] = lambda piece: piece,
    threads: int = 1,
    kept: KeptStates | None = None,
) -> Iterator[Piece]:
    """Annotate the pieces and finish each, in threads; give them back in order. ``kept`` is what components must know
    for the first one, if it does not open a document.

    Pieces of one document run at the same time but for what depends on the words before: there each waits for the one
    before it, which was started earlier and so never waits for it.
    """
    states = annotator.states(kept)

    def work(task: tuple[Piece, threading.Event, threading.Event]) -> Piece:
        nonlocal states
        piece, before, after = task
        try:
            annotator.local(piece.doc)
            if annotator.has_order:
                before.wait()
                if piece.opens:
                    states = annotator.states()
                annotator.apply_in_order(piece.doc, states)
                piece = replace(piece, states=[None if one is None else one.kept() for one in states])
        finally:
            after.set()
        return finish(piece)

    yield from ordered(work, _in_turn(pieces), threads)


def _in_turn(pieces: Iterable[Piece]) -> Iterator[tuple[Piece, threading.Event, threading.Event]]:
    """Each piece with two events: that of the piece before it, and its own."""
    before = threading.Event()
    before.set()
    for piece in pieces:
        after = threading.Event()
        yield piece, before, after
        before = after
