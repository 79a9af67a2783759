"""`openseer undo`"""

from __future__ import annotations

from pathlib import Path

import click

from openseer.cli.curation_options import curating, decide
from openseer.operate import curation


@click.command("undo")
@click.argument("act", type=click.IntRange(1))
@curating
@click.pass_obj
def command(data: Path, act: int, why: str, as_json: bool) -> None:
    """Take back what a person decided; `openseer history` lists the numbers."""
    decide(data, as_json, lambda library: curation.undo(library, act, why))
