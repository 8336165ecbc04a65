"""A server of a small model in a thread of the tests, and what talks to it."""

from __future__ import annotations

import http.client
import json
import socket
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import uvicorn
from starlette.types import ASGIApp

from laconic.serve.app import application
from laconic.serve.limits import Limits
from laconic.serve.running import listening, server
from laconic.serve.service import ServedModel


@dataclass
class Reply:
    status: int
    headers: Mapping[str, str]
    body: bytes

    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class Client:
    port: int

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=20)

    def send(
        self, method: str, path: str, body: bytes | None = None, headers: Mapping[str, str] | None = None
    ) -> Reply:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            connection.request(method, path, body, dict(headers or {}))
            reply = connection.getresponse()
            return Reply(reply.status, {k.lower(): v for k, v in reply.getheaders()}, reply.read())
        finally:
            connection.close()

    def get(self, path: str) -> Reply:
        return self.send("GET", path)

    def post(self, path: str, value: Any) -> Reply:
        return self.send("POST", path, json.dumps(value).encode(), {"content-type": "application/json"})

    def form(self, path: str, fields: Mapping[str, str]) -> Reply:
        """As curl -F sends it."""
        mark = "----laconic"
        parts = [
            f'--{mark}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
            for name, value in fields.items()
        ]
        body = ("".join(parts) + f"--{mark}--\r\n").encode()
        return self.send("POST", path, body, {"content-type": f"multipart/form-data; boundary={mark}"})


@contextmanager
def running(app: ASGIApp, limits: Limits) -> Iterator[tuple[Client, uvicorn.Server]]:
    with listening("127.0.0.1", 0) as opened:
        serves = server(app, limits)
        thread = threading.Thread(target=serves.run, kwargs={"sockets": [opened]}, daemon=True)
        thread.start()
        while not serves.started:
            time.sleep(0.01)
        try:
            yield Client(opened.getsockname()[1]), serves
        finally:
            serves.should_exit = True
            thread.join(10)


@contextmanager
def serving(models: Mapping[str, ServedModel], limits: Limits | None = None) -> Iterator[Client]:
    limits = limits or Limits()
    with running(application(models, limits, ["127.0.0.1", "localhost"]), limits) as (client, _):
        yield client
