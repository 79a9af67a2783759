"""A real browser for tests: Debian's Chromium driven by Playwright, over a library served on a free port."""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from openseer.core.settings import Settings
from openseer.storage.open import open_library
from openseer.web.app import create_app
from openseer.web.server import http_server, listen

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or ""
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip
"""Without the last ones the browser asks hosts of its maker at every start."""


@contextmanager
def served(data: Path, environ: Mapping[str, str] | None = None) -> Iterator[str]:
    """A library on a free port of this machine; its address."""
    settings = Settings.load(data / "openseer.toml", environ or {})
    with open_library(data, create=True, settings=settings) as library, listen("127.0.0.1", 0) as door:
        server = http_server(create_app(library))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [door.socket]}, daemon=True)
        thread.start()
        while not server.started:
            time.sleep(0.01)
        try:
            yield f"http://127.0.0.1:{door.socket.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join(10)
