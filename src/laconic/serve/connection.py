"""A connection that waits for its client only so long. Uvicorn by itself limits how long a connection may be idle
between two requests, but not how long the headers of a request may take to arrive, nor the answer to be taken."""

from __future__ import annotations

import asyncio
import time
from http import HTTPStatus
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from laconic.serve.limits import Limits

SLOWEST = 1 << 16
"""Bytes of an answer that a client must take in the time of a request."""


class Connection(H11Protocol):
    """Counts the time of a request from its first byte. Headers that are not there in time are answered with 408; a
    connection that sends nothing, or does not take its answer, is closed.

    The application finds in the state of a request when it ``begun`` (on the clock of ``time.monotonic``), and all
    ``connections`` that are open.
    """

    limits = Limits()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.app_state = {"connections": self.connections}
        self._arrival: asyncio.TimerHandle | None = None
        self._departure: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._begin()
        if len(self.connections) > 2 * self.limits.connections:  # each has a file descriptor, of which there are few
            transport.abort()

    def data_received(self, data: bytes) -> None:
        if self.conn.their_state is h11.IDLE and not self.conn.trailing_data[0]:
            self._begin()
        super().data_received(data)

    def handle_events(self) -> None:
        if self.conn.their_state is h11.IDLE and self._arrival is None:  # another request, perhaps there already
            self._begin()
        super().handle_events()
        if self.conn.their_state not in (h11.IDLE, h11.SEND_BODY):
            self._arrived()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._watch_departure()

    def connection_lost(self, exc: Exception | None) -> None:
        self._arrived()
        if self._departure is not None:
            self._departure.cancel()
        super().connection_lost(exc)

    def _begin(self) -> None:
        """A request begins, or is waited for."""
        self._arrived()
        self.app_state["begun"] = time.monotonic()
        self._arrival = self.loop.call_later(self.limits.seconds, self._late)

    def _arrived(self) -> None:
        if self._arrival is not None:
            self._arrival.cancel()
            self._arrival = None

    def _late(self) -> None:
        """Time is over, and the request is not there."""
        self._arrival = None
        if self.transport.is_closing():
            return
        if self.conn.their_state is h11.SEND_BODY and not self.cycle.response_complete:
            return  # the application waits for the body, by the same clock, and answers
        if self.conn.their_state is h11.IDLE and self.conn.trailing_data[0]:
            self._answer(
                HTTPStatus.REQUEST_TIMEOUT, f"the request took longer than {self.limits.seconds:g} seconds to come\n"
            )
        self.transport.close()

    def _answer(self, status: HTTPStatus, message: str) -> None:
        body = message.encode()
        headers = [
            ("content-type", "text/plain; charset=utf-8"),
            ("content-length", str(len(body))),
            ("connection", "close"),
        ]
        start = h11.Response(status_code=status, headers=headers, reason=status.phrase)
        for event in (start, h11.Data(data=body), h11.EndOfMessage()):
            self.transport.write(self.conn.send(event) or b"")

    def _watch_departure(self) -> None:
        """Look again later whether the client takes its answer."""
        if self._departure is not None:
            self._departure.cancel()
            self._departure = None
        if left := self.transport.get_write_buffer_size():
            self._departure = self.loop.call_later(self.limits.seconds, self._departed, left)

    def _departed(self, before: int) -> None:
        if self.transport.get_write_buffer_size() > before - SLOWEST:
            self.transport.abort()
        else:
            self._watch_departure()
