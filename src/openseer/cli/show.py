"""`openseer show ID`: show one work."""

from __future__ import annotations

from pathlib import Path

import click

from openseer.catalog.identifiers import find
from openseer.catalog.serializers import paper_body
from openseer.catalog.work_view import Version, citing_ids, view
from openseer.cli.output import print_json
from openseer.core.model.document import Viewer
from openseer.core.text.name_strings import names_of
from openseer.core.text.printable_path import printable
from openseer.storage.open import open_library


@click.command("show")
@click.argument("name", metavar="ID")
@click.option("--json", "as_json", is_flag=True, help="Print the body of /api/paper.")
@click.pass_obj
def command(data: Path, name: str, as_json: bool) -> None:
    """Show one work; ID is a work id, the SHA-1 of a file, or a DOI."""
    with open_library(data) as library:
        work = view(library, find(library, printable(name), Viewer.OPERATOR), Viewer.OPERATOR)
        if as_json:
            print_json(paper_body(work, citing_ids(library, work.id)))
            return
    fields = work.fields
    click.echo(click.style(fields.title or "(no title)", bold=True))
    rows = {
        "authors": ", ".join(names_of(fields.authors)),
        "venue": " ".join(filter(None, (fields.venue, fields.volume, fields.pages))),
        "year": str(fields.year or ""),
        "doi": fields.doi,
        "publisher": work.listed.publisher,
        "address": work.listed.url,
        "work": work.id,
        "cited by": f"{work.cited.total} works ({work.cited.self_citations} self-citations)",
        "coverage": f"{work.covered} of {len(work.entries)} references with full text" if work.entries else "",
        "files": "; ".join(map(_version_text, work.versions)) or "none (citations or imported records only)",
        "abstract": work.reading.abstract,
    }
    for label, value in rows.items():
        if value:
            click.echo(f"{label:>9}  {value}")
    for entry in work.entries:
        click.echo(
            f"{entry.position + 1:>9}. {entry.work or '-':<14}{'*' if entry.in_library else ' '} {entry.printed['raw']}"
        )


def _version_text(version: Version) -> str:
    details = ", ".join(
        filter(None, (version.stage, version.similarity, "of another work" if version.elsewhere else ""))
    )
    return version.document.sha1 + (f" ({details})" if details else "")
