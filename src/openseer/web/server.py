"""HTTP server: opens the port first, then runs one or more processes that answer on it."""

from __future__ import annotations

import contextlib
import errno
import gc
import multiprocessing
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from multiprocessing.process import BaseProcess
from multiprocessing.sharedctypes import Synchronized
from pathlib import Path
from typing import Any, cast

import uvicorn
from fastapi import FastAPI

from openseer.core.errors import BadSetting, PortInUse
from openseer.core.processes.gc_tuning import ALLOCATIONS
from openseer.core.telemetry.logs import log_to_file
from openseer.storage.open import Library, open_library
from openseer.web.app import create_app
from openseer.web.http.protocol import ConnectionTable, GuardedProtocol, connection_limit, raise_descriptor_limit

BACKLOG = 2048
"""Connections that may wait to be accepted."""
POLL_SECONDS = 0.5
"""Interval of checks on the processes."""
SWITCH_SECONDS = 0.0005
"""Thread switch interval: a short request does not wait for a long computation."""
MAX_DEFAULT_PROCESSES = 8
"""Limit of one process per core, unless a number is configured."""
STOP_SECONDS = 30
"""Time that processes have to stop before they are killed."""


@dataclass(frozen=True, slots=True)
class ListeningSocket:
    """An open port."""

    socket: socket.socket
    address: str
    host: str


@contextmanager
def listen(host: str, port: int) -> Iterator[ListeningSocket]:
    """Open a port."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # the protocol by name: only then does asyncio send at once what it has (TCP_NODELAY), instead of waiting 40 ms
    with socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, port))
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                raise PortInUse(host, port) from None
            raise BadSetting(f"Cannot listen on {host}:{port}: {error.strerror}.") from None
        url_host = f"[{host}]" if family == socket.AF_INET6 else host
        yield ListeningSocket(listener, f"http://{url_host}:{listener.getsockname()[1]}/", host)


def serve(library: Library, listening: ListeningSocket, index_alive: Callable[[], bool], workers: int = 1) -> None:
    """Serve until interrupted; `index_alive` is true while a process keeps the index in step with the records."""
    if workers == 1:
        _run_server(library, listening.socket, index_alive, listening.host)
    else:
        count = workers or min(MAX_DEFAULT_PROCESSES, os.cpu_count() or 1)
        _ServerProcesses(library.data, listening, index_alive, count).run()


def _run_server(library: Library, listener: socket.socket, index_alive: Callable[[], bool], host: str) -> None:
    app = create_app(library, index_alive, host)
    gc.collect()
    gc.freeze()  # the collector need not walk the objects made so far again
    gc.set_threshold(*ALLOCATIONS)
    sys.setswitchinterval(SWITCH_SECONDS)
    http_server(app).run(sockets=[listener])


def http_server(app: FastAPI) -> uvicorn.Server:
    """The HTTP server of an application, with limits of connections, heads and bodies."""
    connections = connection_limit(raise_descriptor_limit())
    config = uvicorn.Config(
        app,
        http=cast(Any, partial(GuardedProtocol, table=ConnectionTable(connections))),
        ws="none",
        log_level="warning",
        access_log=False,
        server_header=False,
        backlog=min(BACKLOG, connections),
    )
    return uvicorn.Server(config)


class _ServerProcesses:
    """Processes that answer on one port; one that dies is replaced."""

    def __init__(self, data: Path, listening: ListeningSocket, index_alive: Callable[[], bool], count: int) -> None:
        self._context = multiprocessing.get_context("spawn")
        self._data, self._listening, self._index_alive = data, listening, index_alive
        self._shared_alive: Synchronized[int] = self._context.Value("i", 1)
        self._stop = threading.Event()
        listening.socket.listen(BACKLOG)
        self._processes = [self._start() for _ in range(count)]

    def _start(self) -> BaseProcess:
        process = self._context.Process(target=_child_main, args=(self._data, self._listening, self._shared_alive))
        process.start()  # not a daemon: a daemon may not start worker processes
        return process

    def run(self) -> None:
        """Supervise the processes until SIGTERM or SIGINT, then stop them."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: self._stop.set())
        try:
            while not self._stop.wait(POLL_SECONDS):
                self._shared_alive.value = int(self._index_alive())
                self._processes = [one if one.is_alive() else self._start() for one in self._processes]
        finally:
            for one in self._processes:
                one.terminate()
            deadline = time.monotonic() + STOP_SECONDS
            for one in self._processes:
                one.join(max(0.1, deadline - time.monotonic()))
                if one.is_alive():
                    one.kill()


def _child_main(data: Path, listening: ListeningSocket, shared_alive: Synchronized[int]) -> None:
    """Main function of one of several processes; it ends with its parent."""
    log_to_file(data / "logs", "serve")
    parent = os.getppid()

    def index_alive() -> bool:
        return bool(shared_alive.value)

    def watch_parent() -> None:
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(0)

    threading.Thread(target=watch_parent, daemon=True).start()
    with contextlib.suppress(KeyboardInterrupt), open_library(data) as library:
        _run_server(library, listening.socket, index_alive, listening.host)
