"""`openseer undo`: undo a curation action."""

from __future__ import annotations

from pathlib import Path

import click

from openseer.cli.curation_options import curation_options, run_action
from openseer.operate import curation


@click.command("undo")
@click.argument("number", metavar="ACTION", type=click.IntRange(1))
@curation_options
@click.pass_obj
def command(data: Path, number: int, why: str, as_json: bool) -> None:
    """Undo a curation action; `openseer history` lists their numbers."""
    run_action(data, as_json, lambda library: curation.undo(library, number, why))
