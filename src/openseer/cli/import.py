"""`openseer import FILE...`"""

from __future__ import annotations

import sys
from pathlib import Path

import click

from openseer.acquire.local_files import check_readable
from openseer.catalog.indexing.process import IndexProcess
from openseer.cli.output import errors, plural, print_json
from openseer.core.errors import BadRequest
from openseer.ingest.bibliographies import ImportReport, import_bibliographies
from openseer.storage.open import open_library

SHOWN = 20
"""Refused records of a file told one by one; `--json` tells more."""


@click.command("import")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print a report for each file as JSON.")
@click.pass_obj
def command(data: Path, files: tuple[Path, ...], as_json: bool) -> None:
    """Take records without files into the library: BibTeX, RIS, CSL-JSON, or tables with named columns."""
    if folder := next((path for path in files if path.is_dir()), None):
        raise BadRequest(f"{folder} is a folder.", "Name the files of records one by one.")
    check_readable(files)
    with open_library(data, create=True) as library, IndexProcess(library) as catchup:
        reports = import_bibliographies(library, files, lambda report: None if as_json else _show(report))
        with errors.status("indexing"):
            catchup.wait()
    if as_json:
        print_json([report.as_record() for report in reports])
    if any(report.failed for report in reports):
        sys.exit(1)


def _show(report: ImportReport) -> None:
    for one in report.troubles[:SHOWN]:
        where = f"{report.path}:{one.line}" if one.line else report.path
        errors.print(f"  {where}: {one.name or 'a record'}: {one.why}", markup=False)
    if report.refused > SHOWN:
        errors.print(f"  ... and {report.refused - SHOWN:,} more")
    if report.failed:
        errors.print(f"  {report.path}: {report.outcome}: {report.detail} {report.hint}".rstrip(), markup=False)
    elif report.outcome == "ingested":
        click.echo(f"{report.path}: {plural(report.records, 'record')} taken, {report.refused:,} refused")
    else:
        click.echo(f"{report.path}: known ({report.detail})")
