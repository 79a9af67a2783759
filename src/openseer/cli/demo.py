"""`openseer demo`"""

from __future__ import annotations

import os
from pathlib import Path

import click

from openseer.catalog.indexing.process import IndexProcess
from openseer.cli.output import errors, plural
from openseer.cli.serve import run
from openseer.evaluation import samples
from openseer.ingest.coordinator import Coordinator
from openseer.storage.open import Library, open_library


@click.command("demo")
@click.option("--host", help="Address to listen on; default: `web.host`.")
@click.option("--port", type=click.IntRange(1, 65535), help="Port to listen on; default: `web.port`.")
@click.pass_obj
def command(data: Path, host: str | None, port: int | None) -> None:
    """Make a small library of sample papers if there is none, then serve it."""
    os.environ.setdefault("OPENSEER_WEB__ALLOW_UPLOAD", "true")
    with open_library(data, create=True) as library:
        _fill(library)
        run(library, host, port)


def _fill(library: Library) -> None:
    """Print and take in the papers among the samples; what is there already is left alone."""
    scholarly = [name for name in samples.names() if samples.gold(name)["academic"]]
    papers = samples.make(library.data / "samples", scholarly)
    with IndexProcess(library) as catchup:
        progress = Coordinator(library).run(papers)
        catchup.wait()
    if progress.read:
        errors.print(f"{plural(progress.counts['ingested'], 'paper')} of {len(papers)} samples taken in")
