"""`openseer history`: list curation actions."""

from __future__ import annotations

from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

import click

from openseer.cli.output import print_json
from openseer.storage.open import open_library


@click.command("history")
@click.option(
    "--limit",
    type=click.IntRange(1, 100_000),
    default=50,
    show_default=True,
    help="Maximum number.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_obj
def command(data: Path, limit: int, as_json: bool) -> None:
    """List curation actions, the newest first."""
    with open_library(data) as library:
        actions = library.records.curation_actions(limit)
    if as_json:
        print_json([asdict(action) for action in actions])
        return
    for action in actions:
        when = datetime.fromtimestamp(action.at, UTC).strftime("%Y-%m-%d %H:%M")
        click.echo(f"{action.id:>6}  {when}  {action.what:<10}  {action.why}")
