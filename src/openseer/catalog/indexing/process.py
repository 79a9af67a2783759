"""The index process: `serve` and every writing command start one; the one with the index lock works, others wait.

python -m openseer.catalog.indexing.process DIR
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

from openseer.catalog.indexing.synchronizer import synchronize
from openseer.core.errors import IndexBehind, OpenseerError, Unreadable
from openseer.core.telemetry.logs import log_to_stderr
from openseer.storage.open import Library, open_library
from openseer.storage.protocols.index import Index

RESTART_SECONDS, MAX_RESTART_SECONDS = 1.0, 60.0
"""Pause before a dead process is started again, twice as long each time, up to the second number."""
POLL_SECONDS = 0.05
STOP_SECONDS = 30
PROCESS_NICE = 5
"""Niceness of the index process: serving processes go first."""


class IndexProcess:
    """The index process as its parent sees it; it ends with its parent, however that ends."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._log = library.data / "logs" / "index.log"
        self._process = self._start()

    def _start(self) -> subprocess.Popen[bytes]:
        try:
            with self._log.open("ab") as output:
                return subprocess.Popen(
                    [sys.executable, "-P", "-m", "openseer.catalog.indexing.process", str(self._library.data)],
                    stdin=subprocess.PIPE,
                    stdout=output,
                    stderr=output,
                )
        except OSError as error:
            raise Unreadable(f"The index process cannot be started: {error}.") from error

    @property
    def alive(self) -> bool:
        """True while the process runs."""
        return self._process.poll() is None

    @property
    def pid(self) -> int:
        """Process id."""
        return self._process.pid

    def watch(self, stop: threading.Event) -> None:
        """Restart the process whenever it died, until stopped; for a thread of a server."""
        pause = RESTART_SECONDS
        while not stop.wait(pause):
            if self.alive:
                pause = RESTART_SECONDS
            else:
                self._end()
                self._process = self._start()
                pause = min(MAX_RESTART_SECONDS, 2 * pause)

    def wait(self, report: Callable[[int], None] = lambda behind: None) -> None:
        """Wait until everything written so far is searchable; `report` gets the number of changes to go."""
        target = self._library.records.last_change()
        index: Index | None = None
        while True:
            with contextlib.suppress(IndexBehind):
                index = index or self._library.open_index()
                at = index.checkpoint()
                if at.library == self._library.records.uuid and at.counted >= target:
                    return
                report(max(0, target - at.position))
            if self._process.poll() is not None:
                raise IndexBehind(f"The search index could not be brought up to date: {self._last_line()}")
            time.sleep(POLL_SECONDS)

    def close(self) -> None:
        """Stop the process and wait for its end."""
        self._end()

    def _end(self) -> None:
        if self._process.stdin:
            self._process.stdin.close()
        try:
            self._process.wait(timeout=STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def __enter__(self) -> IndexProcess:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _last_line(self) -> str:
        lines = self._log.read_text(errors="replace").strip().splitlines()
        return lines[-1] if lines else f"the index process ended with {self._process.returncode}."


def _parent_ended(seconds: float) -> bool:
    """Wait; True once standard input, a pipe that the parent never writes to, is closed."""
    ready, _, _ = select.select([sys.stdin], [], [], seconds)
    return bool(ready)


def main(data: str) -> int:
    """Synchronise the index of a library until the parent ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C ends the parent, and that ends this process
    os.nice(PROCESS_NICE)
    log_to_stderr()
    try:
        with open_library(Path(data)) as library:
            synchronize(library, _parent_ended)
    except OpenseerError as error:
        print(f"{error.code}: {error} {error.hint}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
