"""`openseer delete`"""

from __future__ import annotations

from pathlib import Path

import click

from openseer.cli.curation_options import curating, decide
from openseer.core.model.document import Visibility
from openseer.operate import curation


@click.command("delete")
@click.argument("sha1")
@click.option(
    "--as",
    "visibility",
    type=click.Choice(["deleted", "dmca", "restricted"]),
    default="deleted",
    show_default=True,
    help="Removed, removed by law, or closed to the public.",
)
@curating
@click.pass_obj
def command(data: Path, sha1: str, visibility: str, why: str, as_json: bool) -> None:
    """Take the document with this SHA-1 out of the library; what others cite stays as a work without file."""
    decide(data, as_json, lambda library: curation.delete(library, sha1, why, Visibility(visibility)))
