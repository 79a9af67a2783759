"""`openseer serve`: serve the web site and the REST API."""

from __future__ import annotations

import stat
import threading
from pathlib import Path

import click

from openseer.catalog.indexing.embedder import without_embedding
from openseer.catalog.indexing.process import IndexProcess
from openseer.cli.output import plural, stderr
from openseer.storage.open import SETTINGS_FILE, Library, open_library
from openseer.web.server import listen, serve


@click.command("serve")
@click.option("--host", help="Address to listen on; default: `web.host`.")
@click.option(
    "--port", type=click.IntRange(0, 65535), help="Port to listen on, 0 for any free port; default: `web.port`."
)
@click.option("--workers", type=click.IntRange(0, 64), help="Number of server processes; default: `web.workers`.")
@click.pass_obj
def command(data: Path, host: str | None, port: int | None, workers: int | None) -> None:
    """Serve the web site and the REST API of the library."""
    with open_library(data) as library:
        run(library, host, port, library.settings.web.workers if workers is None else workers)


def run(library: Library, host: str | None, port: int | None, workers: int = 1) -> None:
    """Serve until interrupted, beside a process that keeps the index in step."""
    web = library.settings.web
    stop = threading.Event()
    with (
        listen(host or web.host, web.port if port is None else port) as listening,
        IndexProcess(library) as index_process,
    ):
        watcher = threading.Thread(target=index_process.watch, args=(stop,), daemon=True)
        watcher.start()
        _warn_of_readable_key(library)
        stderr.print(
            f"{library.settings.site.name} is served at {listening.address} (press Ctrl-C to stop)", markup=False
        )
        if missing := without_embedding(library):
            stderr.print(f"{plural(missing, 'work')} without an embedding; they are embedded in the background")
        try:
            serve(library, listening, lambda: index_process.alive, workers)
        finally:
            stop.set()
            watcher.join()


def _warn_of_readable_key(library: Library) -> None:
    """Warn if other users of the machine may read the upload key in the settings file."""
    file = library.data / SETTINGS_FILE
    if library.settings.web.upload_key and file.exists() and file.stat().st_mode & stat.S_IROTH:
        stderr.print(f"Other users may read {file}, which has the upload key: run `chmod 640 {file}`.", markup=False)
