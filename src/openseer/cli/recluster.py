"""`openseer recluster`"""

from __future__ import annotations

from pathlib import Path

import click

from openseer.catalog.indexing.process import IndexProcess
from openseer.cli.output import errors, plural
from openseer.match.resolver import resolve_again
from openseer.storage.open import open_library


@click.command("recluster")
@click.option("--all", "everything", is_flag=True, help="Also what this version has grouped already.")
@click.pass_obj
def command(data: Path, everything: bool) -> None:
    """Work out again which descriptions are one work, where an older version of keys or matcher did it."""
    count = 0
    with open_library(data) as library, IndexProcess(library) as catchup, errors.status("grouping") as status:
        for settled in resolve_again(library.records, everything):
            count += settled
            status.update(f"grouping: {count:,} descriptions")
        status.update("indexing")
        catchup.wait()
    errors.print(f"{plural(count, 'description')} grouped anew")
