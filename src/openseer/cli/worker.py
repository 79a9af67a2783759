"""`openseer worker`: process queued documents."""

from __future__ import annotations

from pathlib import Path

import click

from openseer.catalog.indexing.process import IndexProcess
from openseer.cli.ingest import stop_on_signals
from openseer.cli.output import stderr
from openseer.cli.progress import report, run_with_progress
from openseer.ingest.coordinator import Coordinator
from openseer.storage.open import open_library


@click.command("worker")
@click.option("--once", is_flag=True, help="Exit when the queue is empty.")
@click.option("--workers", type=click.IntRange(1, 256), help="Number of worker processes; default: one per core.")
@click.option("--json", "as_json", is_flag=True, help="Print the counts as JSON.")
@click.pass_obj
def command(data: Path, once: bool, workers: int | None, as_json: bool) -> None:
    """Process queued documents: due retries, low-priority documents, and those of a killed process."""
    stop = stop_on_signals()
    with open_library(data) as library, IndexProcess(library) as index_process:
        if not once:
            stderr.print("waiting for documents (press Ctrl-C to stop)")
        coordinator = Coordinator(library, workers or 0)
        run = run_with_progress(index_process, coordinator.progress, lambda: coordinator.work(stop.is_set, once))
    report(run, as_json)
