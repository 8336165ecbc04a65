"""Clients that take their time: each is waited for so long, and others are told when there are too many."""

from __future__ import annotations

import asyncio
import select
import socket
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress

import pytest
from explained_model import TEXT
from serve.serving import running, serving
from starlette.types import Message, Receive, Scope, Send

from laconic.serve.app import application
from laconic.serve.limits import Limits
from laconic.serve.service import ServedModel

MODELS = b"GET /api/models HTTP/1.1\r\nHost: localhost\r\n\r\n"
CHUNKED = b"POST /api/parse HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n"
LARGE = 64 << 20


def received(line: socket.socket) -> bytes:
    """All that the server sends until it closes the connection."""
    parts = []
    with suppress(ConnectionError):
        while part := line.recv(1 << 16):
            parts.append(part)
    return b"".join(parts)


def drip(line: socket.socket, piece: bytes) -> None:
    """Send it again and again, at most for 20 seconds."""
    for _ in range(1000):
        line.sendall(piece)
        time.sleep(0.02)


def wait(until: Callable[[], object]) -> None:
    end = time.monotonic() + 20
    while not until():
        assert time.monotonic() < end
        time.sleep(0.01)


@pytest.mark.parametrize(
    "begin",
    [b"G", b"GET / HTTP/1.1\r\n", b"GET / HTTP/1.1\r\nHost: localhost\r\nX: ", MODELS + b"GET /"],
    ids=["a letter", "a line", "a header", "a second request"],
)
def test_headers_that_do_not_come_are_given_up(models: dict[str, ServedModel], begin: bytes) -> None:
    with serving(models, Limits(seconds=0.3)) as client:
        with client.connect() as line:
            line.sendall(begin)
            answer = received(line)
        assert answer.count(b"HTTP/1.1 408 Request Timeout\r\n") == 1
        assert b"connection: close" in answer
        assert answer.endswith(b"longer than 0.3 seconds to come\n")
        assert client.get("/api/models").status == 200


def test_headers_that_come_byte_by_byte_are_given_up(models: dict[str, ServedModel]) -> None:
    with serving(models, Limits(seconds=0.3)) as client, client.connect() as line:
        line.sendall(b"GET /api/models HTTP/1.1\r\nX: ")
        with suppress(ConnectionError):
            for _ in range(1000):
                if select.select([line], [], [], 0.02)[0]:
                    break
                line.sendall(b"x")
        assert received(line).startswith(b"HTTP/1.1 408")


def test_a_connection_without_a_request_is_closed_without_an_answer(models: dict[str, ServedModel]) -> None:
    with serving(models, Limits(seconds=0.3)) as client:
        with client.connect() as line:
            assert received(line) == b""
        with client.connect() as line:
            line.sendall(MODELS)
            assert received(line).count(b"HTTP/1.1") == 1


def test_a_body_that_goes_on_after_the_answer_is_cut_off(models: dict[str, ServedModel]) -> None:
    with serving(models, Limits(seconds=0.3)) as client, client.connect() as line:
        line.sendall(CHUNKED + b"\r\n")  # no content type: the answer is 415, and the body does not matter
        with pytest.raises(ConnectionError):
            drip(line, b"1\r\n \r\n")


def test_the_time_of_a_request_counts_from_its_first_byte() -> None:
    begun = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        begun.append(scope["state"]["begun"])
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"4")]})
        await send({"type": "http.response.body", "body": b"done"})

    with running(app, Limits()) as (client, server), client.connect() as line:
        wait(lambda: server.server_state.connections)
        (connection,) = server.server_state.connections
        for _ in range(2):
            start = time.monotonic()
            line.sendall(MODELS[:10])
            wait(lambda: connection.conn.trailing_data[0])
            middle = time.monotonic()
            line.sendall(MODELS[10:])
            answer = b""
            while not answer.endswith(b"done"):
                answer += line.recv(1000)
            assert start <= begun[-1] <= middle


def test_a_request_that_has_no_time_left_is_given_up(models: dict[str, ServedModel]) -> None:
    sent: list[Message] = []

    async def receive() -> Message:
        await asyncio.sleep(20)
        raise AssertionError("nobody waits so long")

    async def send(message: Message) -> None:
        sent.append(message)

    scope = {
        "type": "http",
        "method": "POST",
        "path": "/api/parse",
        "query_string": b"",
        "headers": [(b"content-type", b"application/json")],
        "state": {"begun": time.monotonic() - Limits().seconds},
    }
    asyncio.run(application(models)(scope, receive, send))
    assert sent[0]["status"] == 408


def test_an_answer_that_is_not_taken_is_given_up() -> None:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": bytes(LARGE)})

    with running(app, Limits(seconds=0.3)) as (client, server), client.connect() as line:
        line.sendall(MODELS)
        line.recv(1)
        wait(lambda: not server.server_state.connections)
        with client.connect() as other:
            other.sendall(MODELS.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"))
            assert len(received(other)) > LARGE


def test_stalled_connections_make_room_for_others(models: dict[str, ServedModel]) -> None:
    with serving(models, Limits(seconds=0.5, connections=4)) as client, ExitStack() as open_lines:
        lines = [open_lines.enter_context(client.connect()) for _ in range(8)]
        for line in lines:
            line.sendall(b"POST /api/parse HTTP/1.1\r\nHost: loc")
        for line in lines:
            assert received(line).startswith(b"HTTP/1.1 408")
        assert client.post("/api/parse", {"text": TEXT}).status == 200


def test_requests_beyond_the_connections_are_told_to_come_again(models: dict[str, ServedModel]) -> None:
    with serving(models, Limits(connections=4)) as client:
        with ExitStack() as open_lines:
            for _ in range(4):
                open_lines.enter_context(client.connect())
            for reply in (client.post("/api/parse", {"text": TEXT}), client.get("/"), client.form("/process", {})):
                assert reply.status == 503
                assert reply.headers["retry-after"]
                assert reply.headers["connection"] == "close"
                assert b"too many connections" in reply.body
            for _ in range(4):
                open_lines.enter_context(client.connect())
            with client.connect() as line:  # twice as many
                assert received(line) == b""
        while client.get("/api/models").status == 503:
            time.sleep(0.01)
        assert client.post("/api/parse", {"text": TEXT}).status == 200
