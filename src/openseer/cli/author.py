"""`openseer author NAME`: list the works of an author name."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from openseer.catalog.author_names import CAVEAT, author_name_view
from openseer.catalog.indexing.projection import project
from openseer.cli.output import plural, print_json, stderr
from openseer.core.model.document import Viewer
from openseer.storage.open import open_library


@click.command("author")
@click.argument("name")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_obj
def command(data: Path, name: str, as_json: bool) -> None:
    """List the works of an author name and of compatible forms of it."""
    with open_library(data) as library:
        found = author_name_view(library, name, Viewer.OPERATOR)
        works = [work for root in found.works if (work := project(library, root))]
    works.sort(key=lambda work: (-(work.year or 0), work.title))
    if as_json:
        bodies = [{"cluster_id": one.id, "title": one.title, "year": one.year} for one in works]
        print_json({**asdict(found), "works": bodies, "note": CAVEAT})
        return
    for form, count in found.forms:
        click.echo(f"{form} ({plural(count, 'work')})")
    for label, values in (("affiliation", found.affiliations), ("e-mail", found.emails)):
        for value in values[:5]:
            click.echo(f"  {label}: {value}")
    for work in works:
        click.echo(f"{work.id}  {work.year or '':>4}  {work.title}")
    stderr.print(
        CAVEAT
        if works
        else f"No papers or imported records by {name}; `openseer search author:` covers references too."
    )
