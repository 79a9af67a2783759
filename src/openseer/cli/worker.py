"""`openseer worker`"""

from __future__ import annotations

from pathlib import Path

import click

from openseer.catalog.indexing.process import IndexProcess
from openseer.cli.ingest import report, shown, stopping
from openseer.cli.output import errors
from openseer.ingest.coordinator import Coordinator
from openseer.storage.open import open_library


@click.command("worker")
@click.option("--once", is_flag=True, help="End when nothing is due.")
@click.option("--workers", type=click.IntRange(1, 256), help="Reading processes; default: one for each core.")
@click.option("--json", "as_json", is_flag=True, help="Print the counts as JSON.")
@click.pass_obj
def command(data: Path, once: bool, workers: int | None, as_json: bool) -> None:
    """Read what is due in the queue: what failed and is tried again, was put off, or was left by a killed process."""
    stop = stopping()
    with open_library(data) as library, IndexProcess(library) as catchup:
        if not once:
            errors.print("waiting for documents (Ctrl-C ends it)")
        run = shown(catchup, lambda tell: Coordinator(library, workers or 0).work(stop.is_set, once, tell))
    report(run, as_json)
