"""Listening: the port is taken before anything else is started, and one process for each core answers on it."""

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
from multiprocessing.process import BaseProcess
from multiprocessing.sharedctypes import Synchronized
from pathlib import Path

import uvicorn

from openseer.core.errors import BadSetting, PortInUse
from openseer.core.processes.gc_tuning import ALLOCATIONS
from openseer.storage.open import Library, open_library
from openseer.web.app import create_app

BACKLOG = 2048
"""Connections that may wait to be taken."""
LOOK = 0.5
"""Seconds between two looks at the processes."""
TURN = 0.0005
"""Seconds until a thread that reckons lets another have its turn: a short request does not wait for a long one."""
MOST = 8
"""Processes that are started without being asked for."""


@dataclass(frozen=True, slots=True)
class ListeningSocket:
    """An open port."""

    socket: socket.socket
    address: str


@contextmanager
def listen(host: str, port: int) -> Iterator[ListeningSocket]:
    """Take a port."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # the protocol by name: only then does asyncio send at once what it has (TCP_NODELAY), instead of waiting 40 ms
    with socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP) as door:
        door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            door.bind((host, port))
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                raise PortInUse(host, port) from None
            raise BadSetting(f"Cannot listen on {host}:{port}: {error.strerror}.") from None
        shown = f"[{host}]" if family == socket.AF_INET6 else host
        yield ListeningSocket(door, f"http://{shown}:{door.getsockname()[1]}/")


def serve(library: Library, door: ListeningSocket, followed: Callable[[], bool], workers: int = 1) -> None:
    """Answer until interrupted; `followed` tells whether the index still follows the records."""
    if workers == 1:
        _answer(library, door.socket, followed)
    else:
        _ServerProcesses(library.data, door.socket, followed, workers or min(MOST, os.cpu_count() or 1)).run()


def _answer(library: Library, door: socket.socket, followed: Callable[[], bool]) -> None:
    app = create_app(library, followed)
    gc.collect()
    gc.freeze()  # what stands now stays: the collector need not walk it while pages are made
    gc.set_threshold(*ALLOCATIONS)
    sys.setswitchinterval(TURN)
    config = uvicorn.Config(app, log_level="warning", access_log=False, server_header=False, backlog=BACKLOG)
    uvicorn.Server(config).run(sockets=[door])


class _ServerProcesses:
    """Processes that answer on one port, started again when one dies."""

    def __init__(self, data: Path, door: socket.socket, followed: Callable[[], bool], count: int) -> None:
        self._context = multiprocessing.get_context("spawn")
        self._data, self._door, self._followed = data, door, followed
        self._alive: Synchronized[int] = self._context.Value("i", 1)
        self._stop = threading.Event()
        door.listen(BACKLOG)
        self._processes = [self._start() for _ in range(count)]

    def _start(self) -> BaseProcess:
        process = self._context.Process(target=_child, args=(self._data, self._door, self._alive))
        process.start()  # no daemon: those may send out no workers
        return process

    def run(self) -> None:
        """Look after them until the terminal, or whoever runs us as a service, says stop."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: self._stop.set())
        try:
            while not self._stop.wait(LOOK):
                self._alive.value = int(self._followed())
                self._processes = [one if one.is_alive() else self._start() for one in self._processes]
        finally:
            for one in self._processes:
                one.terminate()
            until = time.monotonic() + 30
            for one in self._processes:
                one.join(max(0.1, until - time.monotonic()))
                if one.is_alive():
                    one.kill()


def _child(data: Path, door: socket.socket, alive: Synchronized[int]) -> None:
    """One of several processes; it ends with its parent."""
    parent = os.getppid()

    def followed() -> bool:
        return bool(alive.value)

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(0)

    threading.Thread(target=watch, daemon=True).start()
    with contextlib.suppress(KeyboardInterrupt), open_library(data) as library:
        _answer(library, door, followed)
