"""The server at work: a socket, and uvicorn on it."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import uvicorn
    from starlette.applications import Starlette


def listening(host: str, port: int) -> socket.socket:
    """A socket that listens there; OSError, before anything is served, where that cannot be. Port 0 is a free one."""
    family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    opened = socket.socket(family, kind, protocol)
    try:
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        opened.bind(address)
        opened.listen(128)
    except OSError:
        opened.close()
        raise
    return opened


def serve(app: Starlette, opened: socket.socket) -> None:
    """Answer requests until the process is told to end."""
    server(app).run(sockets=[opened])


def server(app: Starlette) -> uvicorn.Server:
    import uvicorn

    # Connections beyond this are told 503 by uvicorn itself, before anything is read.
    return uvicorn.Server(
        uvicorn.Config(
            app,
            log_config=None,
            access_log=False,
            server_header=False,
            limit_concurrency=256,
            timeout_keep_alive=5,
            timeout_graceful_shutdown=3,
            h11_max_incomplete_event_size=16_384,
            http="h11",
            ws="none",
            lifespan="off",
        )
    )
