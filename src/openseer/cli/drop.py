"""`openseer drop`: remove a doubtful document that is not a paper."""

from __future__ import annotations

from pathlib import Path

import click

from openseer.cli.curation_options import run_action
from openseer.operate import curation


@click.command("drop")
@click.argument("name", metavar="ID")
@click.option("--why", default="It is not a paper.", show_default=True, help="Reason, stored with the curation action.")
@click.option("--json", "as_json", is_flag=True, help="Print the curation action as JSON.")
@click.pass_obj
def command(data: Path, name: str, why: str, as_json: bool) -> None:
    """Remove a doubtful document (SHA-1, or id of its work) that is not a paper; `openseer undo` brings it back."""
    run_action(data, as_json, lambda library: curation.drop(library, name, why))
