"""The worker process that extracts uploads: started when documents wait, ends by itself when none are left."""

from __future__ import annotations

import subprocess
import sys
import threading
import time

from openseer.storage.open import Library

STOP_SECONDS = 60
RESTART_SECONDS = 10.0
"""Time between two starts that nobody but a reader of job statuses asks for."""


class BackgroundWorker:
    """Runs `openseer worker --once` for one library, at most one process at a time."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._lock = threading.Lock()
        self._started_at: float | None = None
        self._process: subprocess.Popen[bytes] | None = None

    def ensure(self) -> None:
        """Start the process unless it runs; its output goes to `logs/worker.out`."""
        with self._lock:
            if self._process is not None and self._process.poll() is None:
                return
            self._started_at = time.monotonic()
            with (self._library.data / "logs" / "worker.out").open("ab") as output:
                self._process = subprocess.Popen(
                    [sys.executable, "-P", "-m", "openseer", "--data", str(self._library.data), "worker", "--once"],
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=output,
                )

    def ensure_again(self) -> None:
        """Start the process for documents of earlier uploads, at most once in a while."""
        if self._started_at is None or time.monotonic() - self._started_at > RESTART_SECONDS:
            self.ensure()

    def close(self) -> None:
        """Stop the process and wait for its end."""
        if self._process is not None:
            self._process.terminate()
            self._process.wait(timeout=STOP_SECONDS)
