"""`openseer import FILE...`: import bibliographic records: BibTeX, RIS, CSL-JSON, tables."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from openseer.acquire.local_files import check_readable
from openseer.catalog.indexing.process import IndexProcess
from openseer.cli.output import plural, print_json, stderr
from openseer.core.errors import BadRequest
from openseer.ingest.bibliographies import ImportReport, import_bibliographies
from openseer.storage.open import open_library

MAX_REJECTED = 20
"""Rejected records of a file that are printed; `--json` prints more."""


@click.command("import")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print a report for each file as JSON.")
@click.pass_obj
def command(data: Path, files: tuple[Path, ...], as_json: bool) -> None:
    """Import bibliographic records: BibTeX, RIS, CSL-JSON, or tables with column names."""
    if folder := next((path for path in files if path.is_dir()), None):
        raise BadRequest(f"{folder} is a folder.", "Give the files with records instead.")
    check_readable(files)
    with open_library(data, create=True) as library, IndexProcess(library) as index_process:
        reports = import_bibliographies(library, files, lambda report: None if as_json else _print_report(report))
        with stderr.status("indexing"):
            index_process.wait()
    if as_json:
        print_json([report.as_record() for report in reports])
    if any(report.failed for report in reports):
        sys.exit(1)


def _print_report(report: ImportReport) -> None:
    for one in report.troubles[:MAX_REJECTED]:
        where = f"{report.path}:{one.line}" if one.line else report.path
        stderr.print(f"  {where}: {one.name or 'a record'}: {one.why}", markup=False)
    if report.refused > MAX_REJECTED:
        stderr.print(f"  ... and {report.refused - MAX_REJECTED:,} more")
    if report.failed:
        stderr.print(f"  {report.path}: {report.outcome}: {report.detail} {report.hint}".rstrip(), markup=False)
    elif report.outcome == "ingested":
        click.echo(f"{report.path}: {plural(report.records, 'record')} imported, {report.refused:,} rejected")
    else:
        click.echo(f"{report.path}: imported before ({report.detail})")
