"""`openseer merge`"""

from __future__ import annotations

from pathlib import Path

import click

from openseer.cli.curation_options import curating, decide
from openseer.operate import curation


@click.command("merge")
@click.argument("one")
@click.argument("other")
@curating
@click.pass_obj
def command(data: Path, one: str, other: str, why: str, as_json: bool) -> None:
    """Say that two works are one; ONE and OTHER are work ids, SHA-1s of files, or DOIs."""
    decide(data, as_json, lambda library: curation.merge(library, one, other, why))
