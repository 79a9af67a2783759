"""`openseer reindex`"""

from __future__ import annotations

import time
from pathlib import Path

import click

from openseer.catchup import reindex
from openseer.cli.screen import errors, plural
from openseer.library.opening import open_library


@click.command("reindex")
@click.pass_obj
def command(data: Path) -> None:
    """Build the search index anew from the records; searches see the old one until it is done."""
    started = time.monotonic()
    with open_library(data) as library:
        count = reindex(library)
    errors.print(f"{plural(count, 'work')} indexed in {time.monotonic() - started:.1f} s")
