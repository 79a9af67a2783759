"""`openseer merge`: merge two works."""

from __future__ import annotations

from pathlib import Path

import click

from openseer.cli.curation_options import curation_options, run_action
from openseer.operate import curation


@click.command("merge")
@click.argument("one")
@click.argument("other")
@curation_options
@click.pass_obj
def command(data: Path, one: str, other: str, why: str, as_json: bool) -> None:
    """Merge two works; ONE and OTHER are work ids, SHA-1s of files, or DOIs."""
    run_action(data, as_json, lambda library: curation.merge(library, one, other, why))
