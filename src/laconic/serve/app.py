"""Requests and answers. Nothing is computed here."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import suppress
from functools import cache, partial
from importlib.resources import files
from typing import Any

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from laconic.errors import LaconicError, choices
from laconic.interop.svg import stylesheet
from laconic.serve import corenlp, service, udpipe
from laconic.serve.forms import form_fields
from laconic.serve.limits import Limits, Refused
from laconic.serve.openapi import description
from laconic.serve.service import ServedModel
from laconic.serve.work_queue import WorkQueue

log = logging.getLogger(__name__)

PAGES = {
    "/": ("index.html", "text/html"),
    "/page.js": ("page.js", "text/javascript"),
    "/page.css": ("page.css", "text/css"),
}
HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cache-control": "no-store",
}
# Of a body that is too long, so many bytes more are read, for so many seconds.
FORGOTTEN, PATIENCE = 1 << 20, 1.0
Handler = Callable[[Request, float], Awaitable[Response]]


def application(
    models: Mapping[str, ServedModel], limits: Limits | None = None, hosts: list[str] | None = None
) -> Starlette:
    """The server for some models; the first is the default. ``hosts`` are the names that clients may call it by (None:
    any)."""
    server = _Server(models, limits or Limits())
    routes = [
        Route("/api/models", server.guarded(server.models), methods=["GET"]),
        Route("/api/parse", server.guarded(server.parse), methods=["POST"]),
        Route("/api/explain", server.guarded(server.explain), methods=["POST"]),
        Route("/models", server.guarded(server.udpipe_models, plain=True), methods=["GET", "POST"]),
        Route("/process", server.guarded(server.udpipe_process, plain=True), methods=["GET", "POST"]),
        Route("/", server.root(), methods=["GET", "POST"]),
        *(Route(f"/{name}", partial(_liveness, name), methods=["GET"]) for name in ("ping", "live", "ready")),
        Route("/openapi.json", server.guarded(server.openapi), methods=["GET"]),
        *(Route(path, server.guarded(partial(_page, path)), methods=["GET"]) for path in PAGES if path != "/"),
    ]
    middleware = [Middleware(_Headers)]
    if hosts is not None:
        middleware.append(Middleware(TrustedHostMiddleware, allowed_hosts=hosts, www_redirect=False))
    return Starlette(routes=routes, middleware=middleware, exception_handlers={404: _missing, 405: _missing})


class _Server:
    def __init__(self, models: Mapping[str, ServedModel], limits: Limits) -> None:
        self.known, self.limits = dict(models), limits
        self.default = next(iter(self.known))
        self.queue = WorkQueue(limits)

    def guarded(self, handler: Handler, *, plain: bool = False) -> Callable[[Request], Awaitable[Response]]:
        """The handler with its failures told as HTTP tells them. What is our fault goes to the log, not to the
        client."""

        async def run(request: Request) -> Response:
            state = request.scope.get("state", {})  # as serve.connection leaves it
            try:
                if len(state.get("connections", ())) > self.limits.connections:
                    raise Refused(503, "the server has too many connections: try again soon")
                return await handler(request, state.get("begun", time.monotonic()) + self.limits.seconds)
            except Refused as refused:
                return _fault(refused.status, refused.message, plain)
            except LaconicError as error:
                return _fault(400, str(error), plain)
            except ClientDisconnect:
                return _fault(400, "the client went away", plain)
            except Exception:
                log.exception("a request failed")
                return _fault(500, "the server could not do this; its log says why", plain)

        return run

    def model(self, name: object) -> ServedModel:
        if name is None or name == "":
            return self.known[self.default]
        if not isinstance(name, str) or name not in self.known:
            raise Refused(400, f"no model {name!r}: there are {choices(str(name), self.known)}")
        return self.known[name]

    async def _work(self, work: Callable[[], Any], until: float) -> JSONResponse:
        return JSONResponse(await self.queue.run(work, until - time.monotonic()))

    async def models(self, request: Request, until: float) -> Response:
        return JSONResponse({"models": [model.describe() for model in self.known.values()], "default": self.default})

    async def openapi(self, request: Request, until: float) -> Response:
        return JSONResponse(description(self.limits))

    async def parse(self, request: Request, until: float) -> Response:
        fields = await self._json(request, until)
        asked, model = service.checked(fields), self.model(fields.get("model"))
        return await self._work(lambda: service.parse(model, asked, self.limits), until)

    async def explain(self, request: Request, until: float) -> Response:
        fields = await self._json(request, until)
        asked, model = service.checked(fields), self.model(fields.get("model"))
        sentence, word = fields.get("sentence", 0), fields.get("word")
        if type(sentence) is not int or not (word is None or type(word) is int):
            raise Refused(400, "sentence and word must be whole numbers")
        return await self._work(lambda: service.explain(model, asked, sentence, word, self.limits), until)

    async def udpipe_models(self, request: Request, until: float) -> Response:
        return JSONResponse(udpipe.models(self.known, self.default))

    async def udpipe_process(self, request: Request, until: float) -> Response:
        body = await self._body(request, until)
        fields = form_fields(request.url.query, request.headers.get("content-type", ""), body)
        name = fields.get("model")
        asked, model = udpipe.Process.of(fields), self.model(name and (udpipe.chosen(self.known, name) or name))
        effort = fields.get("effort") or None
        return await self._work(lambda: udpipe.process(model, asked, effort, self.limits), until)

    def root(self) -> Callable[[Request], Awaitable[Response]]:
        """The page for those who get it, CoreNLP's interface for those who post a text."""
        page, annotate = self.guarded(partial(_page, "/")), self.guarded(self.corenlp, plain=True)

        async def run(request: Request) -> Response:
            return await (annotate(request) if request.method == "POST" else page(request))

        return run

    async def corenlp(self, request: Request, until: float) -> Response:
        """The body is the text, whatever its type is said to be: clients of CoreNLP name several."""
        body = await self._body(request, until)
        fields = form_fields(request.url.query, "", b"")
        try:
            text = body.decode("utf-8")
        except UnicodeDecodeError as error:
            raise Refused(400, f"byte {error.start} of the text is not UTF-8") from None
        asked, model = corenlp.AnnotateRequest.of(text, fields), self.model(fields.get("model"))
        answer = await self.queue.run(lambda: corenlp.annotate(model, asked, self.limits), until - time.monotonic())
        return PlainTextResponse(answer) if isinstance(answer, str) else JSONResponse(answer)

    async def _json(self, request: Request, until: float) -> dict[str, Any]:
        kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind != "application/json":
            raise Refused(415, "send JSON, with the content type application/json")
        body = await self._body(request, until)
        try:
            fields = json.loads(body.decode("utf-8"))
        except (ValueError, RecursionError):
            raise Refused(400, "this is not JSON") from None
        if not isinstance(fields, dict):
            raise Refused(400, "send a JSON object")
        for name, value in fields.items():
            _check_characters(name, value)
        return fields

    async def _body(self, request: Request, until: float) -> bytes:
        """The body, as far as it is not too long and does not take too long to come."""
        most, stream = self.limits.bytes, request.stream()
        length = request.headers.get("content-length", "")
        fits = not (length.isdecimal() and int(length[:20]) > most)
        body = bytearray()
        try:
            async with asyncio.timeout(max(0.0, until - time.monotonic())):
                while fits and (chunk := await anext(stream, None)) is not None:
                    body += chunk
                    fits = len(body) <= most
        except TimeoutError:
            raise Refused(408, f"the request took longer than {self.limits.seconds:g} seconds to come") from None
        if not fits:
            if body or "expect" not in request.headers:  # who asks before sending has sent nothing
                await _forget(stream, min(time.monotonic() + PATIENCE, until))
            raise Refused(413, f"more than {most:,} bytes")
        return bytes(body)


async def _forget(stream: AsyncIterator[bytes], until: float) -> None:
    """Read on for a little while: a client that is still sending when the line is closed does not hear why."""
    left = FORGOTTEN
    with suppress(TimeoutError):
        async with asyncio.timeout(max(0.0, until - time.monotonic())):
            async for chunk in stream:
                left -= len(chunk)
                if left < 0:
                    return


def _check_characters(name: str, value: Any) -> None:
    """JSON can hold lone surrogates, which are no characters and which UTF-8 cannot hold: Refused."""
    pending = [value]
    while pending:
        one = pending.pop()
        if isinstance(one, list):
            pending += one
        elif isinstance(one, str):
            try:
                one.encode()
            except UnicodeEncodeError as error:
                what = f"a lone surrogate, U+{ord(one[error.start]):04X}, which is no character"
                raise Refused(400, f"{name} has {what}, behind {error.start} characters") from None


@cache
def _asset(name: str) -> str:
    text = files("laconic.serve").joinpath("page", name).read_text("utf-8")
    return text + stylesheet() if name == "page.css" else text


async def _page(path: str, request: Request, until: float) -> Response:
    name, kind = PAGES[path]
    return Response(_asset(name), media_type=kind)


async def _liveness(name: str, request: Request) -> Response:
    """What CoreNLP answers to those who ask whether it runs."""
    return PlainTextResponse("pong\n" if name == "ping" else f"{name}\n")


async def _missing(request: Request, error: Exception) -> Response:
    status = getattr(error, "status_code", 404)
    allowed = getattr(error, "headers", None) or {}
    reply = _fault(status, "there is nothing here" if status == 404 else "not in this way", False)
    reply.headers.update(allowed)
    return reply


def _fault(status: int, message: str, plain: bool) -> Response:
    headers = {"retry-after": "1"} if status == 503 else {}
    if status in (408, 413, 503):
        headers["connection"] = "close"  # the rest of the request may still be on its way, and others wait
    if plain:
        return PlainTextResponse(message if message.endswith("\n") else f"{message}\n", status, headers)
    return JSONResponse({"error": {"status": status, "message": message.rstrip("\n")}}, status, headers)


class _Headers:
    """The same headers on every answer."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                own = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
                message["headers"] = [*message.get("headers", []), *own]
            await send(message)

        await self.app(scope, receive, with_headers)
