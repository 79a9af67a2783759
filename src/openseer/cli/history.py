"""`openseer history`"""

from __future__ import annotations

from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

import click

from openseer.cli.output import print_json
from openseer.storage.open import open_library


@click.command("history")
@click.option("--limit", type=click.IntRange(1, 100_000), default=50, show_default=True, help="How many.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_obj
def command(data: Path, limit: int, as_json: bool) -> None:
    """List what people decided, the newest first."""
    with open_library(data) as library:
        acts = library.records.curation_actions(limit)
    if as_json:
        print_json([asdict(act) for act in acts])
        return
    for act in acts:
        when = datetime.fromtimestamp(act.at, UTC).strftime("%Y-%m-%d %H:%M")
        click.echo(f"{act.id:>6}  {when}  {act.what:<10}  {act.why}")
