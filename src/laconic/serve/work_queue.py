"""Work in threads, a bounded number at a time: the core releases the GIL, so they run beside each other."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

from laconic.serve.limits import Limits, Refused

Result = TypeVar("Result")


class WorkQueue:
    """Takes work until ``queue`` requests wait. A request that is late is answered, but counts until its work is done:
    a thread cannot be stopped."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._pool = ThreadPoolExecutor(limits.threads, "laconic")
        self._lock = threading.Lock()
        self._taken = 0

    async def run(self, work: Callable[[], Result], seconds: float) -> Result:
        """The result of the work; Refused if the queue is full or the time is over."""
        with self._lock:
            if self._taken >= self.limits.threads + self.limits.queue:
                raise Refused(503, "the server is busy: try again soon")
            self._taken += 1
        future = self._pool.submit(work)
        future.add_done_callback(self._leave)
        try:
            return await asyncio.wait_for(asyncio.shield(asyncio.wrap_future(future)), max(0.0, seconds))
        except TimeoutError:
            future.cancel()
            raise Refused(408, f"this took longer than {self.limits.seconds:g} seconds") from None

    def _leave(self, future: Future[Any]) -> None:
        with self._lock:
            self._taken -= 1
        if not future.cancelled():
            future.exception()  # seen: nobody may be left to whom it could be told

    def close(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)
