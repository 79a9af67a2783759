"""`openseer stats`: count documents, works and references."""

from __future__ import annotations

from pathlib import Path

import click

from openseer.cli.output import print_counts, print_json
from openseer.storage.open import open_library


@click.command("stats")
@click.option("--clusters", is_flag=True, help="Add cluster statistics; slow on a large library.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_obj
def command(data: Path, clusters: bool, as_json: bool) -> None:
    """Count documents, works and references, and documents by outcome."""
    with open_library(data) as library:
        counts, outcomes = library.records.counts(), library.records.outcomes()
        if clusters:
            counts |= library.records.cluster_statistics()
        if as_json:
            print_json({"library": library.records.uuid, **counts, "outcomes": outcomes})
            return
    print_counts(counts)
    click.echo("documents by outcome:")
    print_counts(outcomes)
