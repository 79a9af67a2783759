"""`openseer re-extract`: extract documents again that an older extractor version processed."""

from __future__ import annotations

from pathlib import Path

import click

from openseer.acquire.bibliographies.registry import VERSION as BIBLIOGRAPHY_VERSION
from openseer.catalog.indexing.process import IndexProcess
from openseer.cli.output import plural, stderr
from openseer.cli.progress import report, run_with_progress
from openseer.core.model.task import IMPORTER
from openseer.extract.reader import version
from openseer.ingest.bibliographies import reimport_bibliographies
from openseer.ingest.coordinator import Coordinator
from openseer.storage.open import open_library


@click.command("re-extract")
@click.option("--all", "everything", is_flag=True, help="Include documents that this version processed.")
@click.option("--workers", type=click.IntRange(1, 256), help="Number of worker processes; default: one per core.")
@click.option("--json", "as_json", is_flag=True, help="Print the counts as JSON.")
@click.pass_obj
def command(data: Path, everything: bool, workers: int | None, as_json: bool) -> None:
    """Extract documents again that an older extractor version processed; a failure keeps the old extraction."""
    with open_library(data) as library, IndexProcess(library) as index_process:
        documents = library.records.re_extractable(None if everything else version())
        stderr.print(f"{plural(len(documents), 'document')} to extract again")
        bibliographies = library.records.re_extractable(None if everything else BIBLIOGRAPHY_VERSION, IMPORTER)
        reimport_bibliographies(library, bibliographies)
        coordinator = Coordinator(library, workers or 0)
        run = run_with_progress(index_process, coordinator.progress, lambda: coordinator.re_extract(documents))
    report(run, as_json)
