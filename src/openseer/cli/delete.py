"""`openseer delete`: remove a document from the library."""

from __future__ import annotations

from pathlib import Path

import click

from openseer.cli.curation_options import curation_options, run_action
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
    help="Removed, removed for legal reasons, or hidden from the public.",
)
@curation_options
@click.pass_obj
def command(data: Path, sha1: str, visibility: str, why: str, as_json: bool) -> None:
    """Remove the document with this SHA-1 from the library; a work that others cite stays without a file."""
    run_action(data, as_json, lambda library: curation.delete(library, sha1, why, Visibility(visibility)))
