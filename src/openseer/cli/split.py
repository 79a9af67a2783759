"""`openseer split`: split a file off a work."""

from __future__ import annotations

from pathlib import Path

import click

from openseer.cli.curation_options import curation_options, run_action
from openseer.operate import curation


@click.command("split")
@click.argument("work")
@click.argument("part")
@curation_options
@click.pass_obj
def command(data: Path, work: str, part: str, why: str, as_json: bool) -> None:
    """Split PART, the SHA-1 of a file or an id merged into WORK, off the work."""
    run_action(data, as_json, lambda library: curation.split(library, work, part, why))
