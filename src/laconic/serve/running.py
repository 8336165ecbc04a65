"""The server at work: a socket, and uvicorn on it."""

from __future__ import annotations

import socket
from contextlib import ExitStack
from typing import TYPE_CHECKING

from laconic.errors import ConfigError
from laconic.serve.limits import Limits

if TYPE_CHECKING:
    import uvicorn
    from starlette.applications import Starlette


def listening(host: str, port: int) -> socket.socket:
    """A socket that listens there; ConfigError, before anything is served, where that cannot be. Port 0 is a free
    one."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with ExitStack() as failing:
            opened = failing.enter_context(socket.socket(family, kind, protocol))
            opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            opened.bind(address)
            opened.listen(128)
            failing.pop_all()
    except OSError as error:
        raise ConfigError(f"cannot listen on port {port} of {host}: {error.strerror or error}") from error
    return opened


def serve(app: Starlette, opened: socket.socket, limits: Limits) -> None:
    """Answer requests until the process is told to end."""
    server(app, limits).run(sockets=[opened])


def server(app: Starlette, limits: Limits) -> uvicorn.Server:
    import uvicorn

    from laconic.serve.connection import Connection

    return uvicorn.Server(
        uvicorn.Config(
            app,
            log_config=None,
            access_log=False,
            server_header=False,
            timeout_keep_alive=5,
            timeout_graceful_shutdown=3,
            h11_max_incomplete_event_size=16_384,
            http=type("LimitedConnection", (Connection,), {"limits": limits}),
            ws="none",
            lifespan="off",
        )
    )
