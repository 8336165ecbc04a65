"""Work in threads whose results come back in order, with a bounded number of pieces on their way."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, TypeVar

from laconic.errors import ConfigError
from laconic.pipeline.annotate import MOST_WORDS, Annotator, JoinedDocs, States
from laconic.pipeline.pieces import KeptStates, Piece

if TYPE_CHECKING:
    from concurrent.futures import Future

Item = TypeVar("Item")
Result = TypeVar("Result")
AHEAD = 2
"""Pieces waiting for each thread: enough that none is idle, few enough that memory stays small."""
MOST_PIECES = 256
"""That are joined, however short."""


def check_threads(threads: int) -> None:
    if isinstance(threads, bool) or not isinstance(threads, int) or not 1 <= threads <= 1024:
        raise ConfigError(f"threads must be a whole number from 1 to 1024, not {threads!r}")


def ordered(work: Callable[[Item], Result], items: Iterable[Item], threads: int) -> Iterator[Result]:
    """``map``, by so many threads. Items are drawn as results are taken: never more than a few are on their way."""
    if threads == 1:
        yield from map(work, items)
        return
    from concurrent.futures import ThreadPoolExecutor  # not needed to load a model

    waiting: deque[Future[Result]] = deque()
    pool = ThreadPoolExecutor(threads, "laconic")
    failure: Exception | None = None

    def drawn() -> Iterator[Item]:
        nonlocal failure
        try:
            yield from items
        except Exception as error:  # its turn is after all that was drawn before it
            failure = error

    try:
        for item in drawn():
            waiting.append(pool.submit(work, item))
            if len(waiting) >= threads * AHEAD:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
        if failure is not None:
            raise failure
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def at_once(tasks: Mapping[str, Callable[[], Result]]) -> dict[str, Result]:
    """What each task gives, all of them started together. The first error, in their order, is raised when all have
    ended."""
    results: dict[str, Result] = {}
    errors: dict[str, BaseException] = {}

    def run(name: str) -> None:
        try:
            results[name] = tasks[name]()
        except BaseException as error:
            errors[name] = error

    threads = [threading.Thread(target=run, args=(name,)) for name in tasks]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for name in tasks:
        if name in errors:
            raise errors[name]
    return {name: results[name] for name in tasks}


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
    before it, which was started earlier and so never waits for it. Short documents run together.
    """
    states = annotator.states(kept)
    nothing = _kept(annotator.states())

    def work(task: tuple[list[Piece], threading.Event, threading.Event]) -> list[Piece]:
        nonlocal states
        group, before, after = task
        try:
            whole = JoinedDocs([piece.doc for piece in group], [piece.opens for piece in group])
            annotator.local(whole.doc)
            if annotator.has_order:
                before.wait()
                if group[0].opens:
                    states = annotator.states()
                annotator.apply_in_order(whole.doc, states)
                behind = nothing if group[-1].end.between_documents else _kept(states)
                group = [replace(piece, states=nothing) for piece in group[:-1]] + [replace(group[-1], states=behind)]
        finally:
            after.set()
        whole.hand_back()
        return [finish(piece) for piece in group]

    yield from chain.from_iterable(ordered(work, _in_turn(_groups(pieces, annotator.joins)), threads))


def _kept(states: States) -> KeptStates:
    return [None if one is None else one.kept() for one in states]


def _groups(pieces: Iterable[Piece], joins: bool) -> Iterator[list[Piece]]:
    """Pieces that go together: whole documents, if they are short. Pieces drawn before an error come before it."""
    group: list[Piece] = []
    words = 0
    try:
        for piece in pieces:
            if group and (words + len(piece.doc) > MOST_WORDS or not piece.opens):
                yield group
                group, words = [], 0
            group.append(piece)
            words += len(piece.doc)
            if not joins or not piece.end.between_documents or len(group) == MOST_PIECES:
                yield group
                group, words = [], 0
    except Exception:
        if group:
            yield group
        raise
    if group:
        yield group


def _in_turn(groups: Iterable[list[Piece]]) -> Iterator[tuple[list[Piece], threading.Event, threading.Event]]:
    """Each group with two events: that of the group before it, and its own."""
    before = threading.Event()
    before.set()
    for group in groups:
        after = threading.Event()
        yield group, before, after
        before = after
