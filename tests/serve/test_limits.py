"""What is too much is told so, and the server goes on."""

from __future__ import annotations

import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from explained_model import TEXT
from serve.serving import Client, serving

from laconic.errors import ConfigError
from laconic.pipeline import Pipeline
from laconic.serve.limits import Limits
from laconic.serve.service import ServedModel


class Slow(Pipeline):
    """A pipeline whose components wait for a sign."""

    gate = threading.Event()

    @property
    def components(self):  # type: ignore[no-untyped-def]
        assert self.gate.wait(20)
        return self._own

    @components.setter
    def components(self, value):  # type: ignore[no-untyped-def]
        self._own = value


def slow(models: dict[str, ServedModel]) -> dict[str, ServedModel]:
    fast = models["small"].efforts["full"]
    pipeline = Slow(fast.components, fast.profiles, fast.provenance)
    return {"small": ServedModel("small", {"full": pipeline})}


CHUNKED = (
    b"POST /api/parse HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    b"Transfer-Encoding: chunked\r\n\r\n"
)
CHUNK = b"400\r\n" + b" " * 1024 + b"\r\n"


def test_a_long_body_is_refused(models: dict[str, ServedModel]) -> None:
    with serving(models, Limits(bytes=1000)) as client:
        assert client.post("/api/parse", {"text": "a" * 2000}).status == 413
        assert client.form("/process", {"data": "a" * 2000}).status == 413
        assert client.post("/api/parse", {"text": TEXT}).status == 200


def test_a_client_that_goes_on_sending_hears_why_it_is_refused(models: dict[str, ServedModel]) -> None:
    with serving(models, Limits(bytes=1000)) as client:
        assert client.post("/api/parse", {"text": "a" * 500_000}).status == 413
        with socket.create_connection(("127.0.0.1", client.port), timeout=20) as line:  # it never says the length
            line.sendall(CHUNKED)
            for _ in range(100):
                line.sendall(CHUNK)
            assert line.recv(100).startswith(b"HTTP/1.1 413")


def test_a_client_that_asks_first_is_not_told_to_send(models: dict[str, ServedModel]) -> None:
    with (
        serving(models, Limits(bytes=1000)) as client,
        socket.create_connection(("127.0.0.1", client.port), timeout=20) as line,
    ):
        line.sendall(
            b"POST /api/parse HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            b"Content-Length: 2000\r\nExpect: 100-continue\r\n\r\n"
        )
        assert line.recv(100).startswith(b"HTTP/1.1 413")


def test_a_body_without_an_end_is_cut_off(models: dict[str, ServedModel]) -> None:
    with serving(models, Limits(bytes=1000)) as client:
        with socket.create_connection(("127.0.0.1", client.port), timeout=20) as line:
            line.sendall(CHUNKED)
            with pytest.raises(ConnectionError):
                line.sendall(CHUNK * 100_000)
        assert client.post("/api/parse", {"text": TEXT}).status == 200


def test_too_many_words_are_refused(models: dict[str, ServedModel]) -> None:
    with serving(models, Limits(words=50, drawn=20)) as client:
        for reply in (
            client.post("/api/parse", {"text": "petum " * 51}),
            client.post("/api/parse", {"words": [["a"]] * 51}),
            client.post("/api/explain", {"words": [["a"]] * 51}),
            client.form("/process", {"data": "petum " * 51, "tokenizer": ""}),
            client.post("/api/parse", {"words": [["a"]] * 21, "svg": True}),
            client.post("/api/explain", {"words": [["a"] * 21]}),
        ):
            assert reply.status == 413
            assert b"too many" in reply.body
        assert client.post("/api/parse", {"words": [["a"]] * 50}).status == 200


def test_what_takes_too_long_is_given_up(models: dict[str, ServedModel]) -> None:
    Slow.gate.clear()
    try:
        with serving(slow(models), Limits(seconds=0.3)) as client:
            begin = time.monotonic()
            reply = client.post("/api/parse", {"text": TEXT, "effort": "full"})
            assert reply.status == 408
            assert time.monotonic() - begin < 5
            Slow.gate.set()
            assert client.post("/api/parse", {"text": TEXT, "effort": "full"}).status == 200
    finally:
        Slow.gate.set()


def test_a_body_that_does_not_come_is_given_up(models: dict[str, ServedModel]) -> None:
    with serving(models, Limits(seconds=0.3)) as client:
        with socket.create_connection(("127.0.0.1", client.port)) as line:
            line.sendall(
                b"POST /api/parse HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                b"Content-Length: 100\r\n\r\n{"
            )
            assert line.recv(100).startswith(b"HTTP/1.1 408")
        assert client.post("/api/parse", {"text": TEXT}).status == 200


def test_too_many_at_once_are_told_to_come_again(models: dict[str, ServedModel]) -> None:
    Slow.gate.clear()
    limits = Limits(threads=1, queue=2)
    try:
        with serving(slow(models), limits) as client, ThreadPoolExecutor(8) as pool:

            def ask(_: int) -> int:
                reply = client.post("/api/parse", {"text": TEXT, "effort": "full"})
                if reply.status == 503:
                    assert reply.headers["retry-after"]
                return reply.status

            asked = [pool.submit(ask, number) for number in range(8)]
            while sum(one.done() for one in asked) < 5:
                time.sleep(0.01)
            Slow.gate.set()
            assert sorted(one.result() for one in asked) == [200, 200, 200, 503, 503, 503, 503, 503]
    finally:
        Slow.gate.set()


def test_many_clients_get_the_answers_that_one_gets(client: Client) -> None:
    texts = [f"{TEXT} " * (number % 5 + 1) for number in range(10)]
    asked = [{"text": text, "effort": effort} for text in texts for effort in ("full", "fast")]
    alone = [client.post("/api/parse", one).json()["document"] for one in asked]
    with ThreadPoolExecutor(8) as pool:
        together = [reply.json()["document"] for reply in pool.map(lambda one: client.post("/api/parse", one), asked)]
    assert together == alone


def test_a_failure_of_ours_is_told_without_its_cause(
    models: dict[str, ServedModel], caplog: pytest.LogCaptureFixture
) -> None:
    class Broken(ServedModel):
        def at(self, effort: str | None) -> tuple[str, Pipeline]:
            raise RuntimeError("the secret")

    with serving({"small": Broken("small", models["small"].efforts)}) as client:
        for reply in (client.post("/api/parse", {"text": "a"}), client.form("/process", {"data": "a"})):
            assert reply.status == 500
            assert b"secret" not in reply.body
            assert b"Traceback" not in reply.body
    assert "the secret" in caplog.text


def test_limits_that_cannot_work_are_refused() -> None:
    for wrong in ({"threads": 0}, {"bytes": 0}, {"seconds": 0}, {"queue": -1}, {"seconds": float("nan")}):
        with pytest.raises(ConfigError, match="at least"):
            Limits(**wrong)  # type: ignore[arg-type]
