"""`openseer recluster`: recluster descriptions that an older matcher version clustered."""

from __future__ import annotations

from pathlib import Path

import click

from openseer.catalog.indexing.process import IndexProcess
from openseer.cli.output import plural, stderr
from openseer.match.resolver import resolve_again
from openseer.storage.open import open_library


@click.command("recluster")
@click.option("--all", "everything", is_flag=True, help="Include descriptions that this version clustered.")
@click.pass_obj
def command(data: Path, everything: bool) -> None:
    """Recluster descriptions that an older version of blocking keys or matcher clustered."""
    count = 0
    with open_library(data) as library, IndexProcess(library) as index_process, stderr.status("clustering") as status:
        for resolved in resolve_again(library.records, everything):
            count += resolved
            status.update(f"clustering: {count:,} descriptions")
        status.update("indexing")
        index_process.wait()
    stderr.print(f"{plural(count, 'description')} reclustered")
