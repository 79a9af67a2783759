"""`openseer author NAME`"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from openseer.catalog.author_names import CAVEAT, author_name_view
from openseer.catalog.indexing.projection import project
from openseer.cli.output import errors, plural, print_json
from openseer.storage.open import open_library


@click.command("author")
@click.argument("name")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_obj
def command(data: Path, name: str, as_json: bool) -> None:
    """List the works of a printed name and of the forms compatible with it."""
    with open_library(data) as library:
        found = author_name_view(library, name)
        works = [work for root in found.works if (work := project(library, root))]
    works.sort(key=lambda work: (-(work.year or 0), work.title))
    if as_json:
        listed = [{"cluster_id": one.id, "title": one.title, "year": one.year} for one in works]
        print_json({**asdict(found), "works": listed, "note": CAVEAT})
        return
    for form, count in found.forms:
        click.echo(f"{form} ({plural(count, 'work')})")
    for label, values in (("affiliation", found.affiliations), ("e-mail", found.emails)):
        for value in values[:5]:
            click.echo(f"  {label}: {value}")
    for work in works:
        click.echo(f"{work.id}  {work.year or '':>4}  {work.title}")
    errors.print(
        CAVEAT if works else f"No header or imported record names {name}; `openseer search author:` asks citations too."
    )
