"""`openseer split`"""

from __future__ import annotations

from pathlib import Path

import click

from openseer.cli.curation_options import curating, decide
from openseer.operate import curation


@click.command("split")
@click.argument("work")
@click.argument("part")
@curating
@click.pass_obj
def command(data: Path, work: str, part: str, why: str, as_json: bool) -> None:
    """Say that PART, the SHA-1 of a file or an id that leads to WORK, is none of that work."""
    decide(data, as_json, lambda library: curation.split(library, work, part, why))
