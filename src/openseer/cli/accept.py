"""`openseer accept`: confirm that a doubtful document is a paper."""

from __future__ import annotations

from pathlib import Path

import click

from openseer.cli.curation_options import run_action
from openseer.operate import curation


@click.command("accept")
@click.argument("name", metavar="ID")
@click.option("--why", default="It is a paper.", show_default=True, help="Reason, stored with the curation action.")
@click.option("--json", "as_json", is_flag=True, help="Print the curation action as JSON.")
@click.pass_obj
def command(data: Path, name: str, why: str, as_json: bool) -> None:
    """Confirm that a doubtful document (SHA-1, or id of its work) is a paper; `openseer documents --doubtful` lists
    them."""
    run_action(data, as_json, lambda library: curation.accept(library, name, why))
