"""``laconic serve``: the page and the interfaces for other programs."""

from __future__ import annotations

import ipaddress
import logging
from pathlib import Path
from typing import Annotated

import typer

from laconic.cli.console import Job
from laconic.errors import ConfigError

EXAMPLE = "laconic serve tagger.laconic --port 8000"
log = logging.getLogger(__name__)
LOCAL = ["127.0.0.1", "localhost", "[::1]"]


def run(
    models: Annotated[
        list[str] | None,
        typer.Argument(metavar="[MODEL]...", help="Model files, or names of bundled models; the first is the default."),
    ] = None,
    host: Annotated[str, typer.Option("--host", help="Address to listen on; 0.0.0.0 is every one.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", "-p", min=0, max=65535, help="Port; 0 takes a free one.")] = 8000,
    threads: Annotated[int, typer.Option("--threads", "-j", help="Requests worked on at a time.")] = 2,
    queue: Annotated[int, typer.Option("--queue", help="Requests that may wait; more get 503.")] = 32,
    max_bytes: Annotated[int, typer.Option("--max-bytes", help="Of a request; more gets 413.")] = 1_000_000,
    max_words: Annotated[int, typer.Option("--max-words", help="Of a text; more gets 413.")] = 50_000,
    seconds: Annotated[
        float, typer.Option("--seconds", help="For a request, from its first byte to the answer; more gets 408.")
    ] = 20.0,
    connections: Annotated[int, typer.Option("--connections", help="Open at a time; more get 503.")] = 256,
) -> None:
    """Serve a page that draws trees as you type, a JSON API, and UDPipe's REST interface."""
    from laconic.interop.optional import needed

    needed("starlette", "serve")
    needed("uvicorn", "serve")
    from laconic.pipeline import load
    from laconic.serve.app import application
    from laconic.serve.limits import Limits
    from laconic.serve.running import listening, serve
    from laconic.serve.service import ServedModel

    try:
        limits = Limits(
            bytes=max_bytes, words=max_words, seconds=seconds, queue=queue, threads=threads, connections=connections
        )
    except ConfigError as error:
        raise typer.BadParameter(str(error)) from None
    known = {}
    with Job("loading") as job:
        for model in models or ["en"]:
            job.show(f"loading {model}")
            name = Path(model).stem
            if name in known:
                raise typer.BadParameter(f"two models are called {name!r}: rename one", param_hint="MODEL...")
            known[name] = ServedModel.of(name, load(model))
    local = _is_local(host)
    if not local:
        log.warning("everyone who can reach %s can use this server: there is no password", host)
    with listening(host, port) as socket:
        address = f"[{host}]" if ":" in host else host
        log.info("serving %s at http://%s:%d", ", ".join(known), address, socket.getsockname()[1])
        serve(application(known, limits, LOCAL if local else None), socket, limits)


def _is_local(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
