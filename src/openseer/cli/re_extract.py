"""`openseer re-extract`"""

from __future__ import annotations

from pathlib import Path

import click

from openseer.acquire.bibliographies.registry import VERSION as LISTS_VERSION
from openseer.catalog.indexing.process import IndexProcess
from openseer.cli.ingest import report, shown
from openseer.cli.output import errors, plural
from openseer.core.model.task import IMPORTER
from openseer.extract.reader import version
from openseer.ingest.bibliographies import reimport_bibliographies
from openseer.ingest.coordinator import Coordinator
from openseer.storage.open import open_library


@click.command("re-extract")
@click.option("--all", "everything", is_flag=True, help="Also what this version has read already.")
@click.option("--workers", type=click.IntRange(1, 256), help="Reading processes; default: one for each core.")
@click.option("--json", "as_json", is_flag=True, help="Print the counts as JSON.")
@click.pass_obj
def command(data: Path, everything: bool, workers: int | None, as_json: bool) -> None:
    """Read documents again that an older reader read; a reading that fails leaves the older one as it was."""
    with open_library(data) as library, IndexProcess(library) as catchup:
        wanted = library.records.re_extractable(None if everything else version())
        errors.print(f"{plural(len(wanted), 'document')} to read again")
        lists = library.records.re_extractable(None if everything else LISTS_VERSION, IMPORTER)
        reimport_bibliographies(library, lists)
        run = shown(catchup, lambda tell: Coordinator(library, workers or 0).re_extract(wanted, tell))
    report(run, as_json)
