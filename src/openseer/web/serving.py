"""Listening: the port is taken before anything else is started, and said plainly when it is not free."""

from __future__ import annotations

import errno
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import uvicorn

from openseer.errors import BadSetting, PortInUse
from openseer.library.opening import Library
from openseer.web.app import create_app


@dataclass(frozen=True, slots=True)
class Door:
    """An open port."""

    socket: socket.socket
    address: str


@contextmanager
def listen(host: str, port: int) -> Iterator[Door]:
    """Take a port."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as door:
        door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            door.bind((host, port))
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                raise PortInUse(host, port) from None
            raise BadSetting(f"Cannot listen on {host}:{port}: {error.strerror}.") from None
        shown = f"[{host}]" if family == socket.AF_INET6 else host
        yield Door(door, f"http://{shown}:{port}/")


def serve(library: Library, door: Door, followed: Callable[[], bool]) -> None:
    """Answer until interrupted; `followed` tells whether the index still follows the records."""
    config = uvicorn.Config(create_app(library, followed), log_level="warning", access_log=False, server_header=False)
    uvicorn.Server(config).run(sockets=[door.socket])
