"""`openseer demo`: create a library of sample papers if there is none, then serve it."""

from __future__ import annotations

import os
from pathlib import Path

import click

from openseer.catalog.indexing.process import IndexProcess
from openseer.cli.output import plural, stderr
from openseer.cli.serve import run
from openseer.evaluation import samples
from openseer.ingest.coordinator import Coordinator
from openseer.storage.open import Library, open_library


@click.command("demo")
@click.option("--host", help="Address to listen on; default: `web.host`.")
@click.option("--port", type=click.IntRange(1, 65535), help="Port to listen on; default: `web.port`.")
@click.pass_obj
def command(data: Path, host: str | None, port: int | None) -> None:
    """Create a library of sample papers if there is none, then serve it."""
    os.environ.setdefault("OPENSEER_WEB__ALLOW_UPLOAD", "true")
    os.environ.setdefault("OPENSEER_WEB__LIST_FILES", "true")
    with open_library(data, create=True) as library:
        _add_samples(library)
        run(library, host, port)


def _add_samples(library: Library) -> None:
    """Generate and ingest the sample papers; those in the library are skipped."""
    scholarly = [name for name in samples.names() if samples.gold(name)["academic"]]
    papers = samples.make(library.data / "samples", scholarly)
    with IndexProcess(library) as index_process:
        progress = Coordinator(library).run(papers)
        index_process.wait()
    if progress.read:
        stderr.print(f"{plural(progress.counts['ingested'], 'paper')} ingested from {len(papers)} samples")
