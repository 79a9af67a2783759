"""`openseer bench`: one subcommand for each of the published tests."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from openseer.cli.screen import errors, print_json
from openseer.measure.bench_index import PUBLISHED, IndexRun, bench_index


@click.group("bench")
def command() -> None:
    """Measure how fast openseer is here, beside the published figures of others."""


@command.command("index")
@click.option("--records", type=click.IntRange(1), default=1_000_000, show_default=True, help="Records to index.")
@click.option(
    "--base",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="JSON Lines (also .gz) of records to vary; default: the sample papers.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def index(records: int, base: Path | None, as_json: bool) -> None:
    """Index many metadata records in a temporary directory, as `reindex` would."""
    with errors.status("indexing") as status:
        run = bench_index(records, base, lambda done: status.update(f"indexing: {done:,} of {records:,}"))
    if as_json:
        print_json({**asdict(run), "seconds_for_a_million": round(run.seconds_for(10**6), 1), "published": PUBLISHED})
    else:
        _print(run)


def _print(run: IndexRun) -> None:
    click.echo(f"{run.records_per_second:>10,}  records/s")
    click.echo(
        f"{run.seconds:>10,.1f}  seconds ({run.cpu_seconds:,.1f} of a core; making records: {run.making_seconds:,.1f})"
    )
    click.echo(f"{run.bytes_per_record:>10,}  bytes a record")
    click.echo(f"{run.peak_mb:>10,}  MB of memory at the peak")
    click.echo("seconds for a million records:")
    for name, seconds in {f"openseer, {run.cores} cores": run.seconds_for(10**6), **PUBLISHED}.items():
        click.echo(f"{seconds:>10,.0f}  {name}")
    errors.print("The published figures were measured on a machine with more cores.")
