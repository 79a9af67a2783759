"""`openseer reindex`"""

from __future__ import annotations

import time
from pathlib import Path

import click

from openseer.catalog.indexing.synchronizer import reindex
from openseer.cli.output import errors, plural
from openseer.core.errors import Locked
from openseer.storage.open import open_library


@click.command("reindex")
@click.pass_obj
def command(data: Path) -> None:
    """Build the search index anew from the records; searches see the old one until it is done."""
    started = time.monotonic()
    with open_library(data) as library:
        try:
            count = reindex(library)
        except Locked as error:
            raise Locked(str(error), "Stop `serve` and `ingest` of this library first.") from None
    errors.print(f"{plural(count, 'work')} indexed in {time.monotonic() - started:.1f} s")
