"""`openseer show ID`"""

from __future__ import annotations

from pathlib import Path

import click

from openseer.catalog.identifiers import find
from openseer.catalog.serializers import paper_body
from openseer.catalog.work_view import Version, view
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
        shown = view(library, find(library, printable(name), Viewer.OPERATOR), Viewer.OPERATOR)
        if as_json:
            print_json(paper_body(shown))
            return
    fields = shown.fields
    click.echo(click.style(fields.title or "(no title)", bold=True))
    rows = {
        "authors": ", ".join(names_of(fields.authors)),
        "venue": " ".join(filter(None, (fields.venue, fields.volume, fields.pages))),
        "year": str(fields.year or ""),
        "doi": fields.doi,
        "publisher": shown.listed.publisher,
        "address": shown.listed.url,
        "work": shown.id,
        "cited by": f"{shown.cited.total} works here ({shown.cited.self_citations} by its own authors)",
        "coverage": f"{shown.covered} of {len(shown.entries)} references are in the library" if shown.entries else "",
        "files": "; ".join(map(_told, shown.versions)) or "none: known from citations or records only",
        "abstract": shown.reading.abstract,
    }
    for label, value in rows.items():
        if value:
            click.echo(f"{label:>9}  {value}")
    for entry in shown.entries:
        click.echo(
            f"{entry.position + 1:>9}. {entry.work or '-':<14}{'*' if entry.in_library else ' '} {entry.printed['raw']}"
        )


def _told(version: Version) -> str:
    about = ", ".join(filter(None, (version.stage, version.similarity, "of another work" if version.elsewhere else "")))
    return version.document.sha1 + (f" ({about})" if about else "")
