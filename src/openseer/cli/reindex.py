"""`openseer reindex`: rebuild the search index."""

from __future__ import annotations

import time
from pathlib import Path

import click

from openseer.catalog.indexing.synchronizer import reindex
from openseer.cli.output import plural, stderr
from openseer.core.errors import Locked
from openseer.storage.open import open_library


@click.command("reindex")
@click.pass_obj
def command(data: Path) -> None:
    """Rebuild the search index from the records; searches use the old one until it is complete."""
    started = time.monotonic()
    with open_library(data) as library:
        try:
            count = reindex(library)
        except Locked as error:
            raise Locked(str(error), "Stop `serve` and `ingest` of this library first.") from None
    stderr.print(f"{plural(count, 'work')} indexed in {time.monotonic() - started:.1f} s")
