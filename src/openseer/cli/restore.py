"""`openseer restore DIR`: restore a library from a back-up."""

from __future__ import annotations

import time
from pathlib import Path

import click

from openseer.cli.backup import report, throttled
from openseer.cli.output import stderr
from openseer.operate.backup import restore


@click.command("restore")
@click.argument("directory", metavar="DIR", type=click.Path(file_okay=False, path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_obj
def command(data: Path, directory: Path, as_json: bool) -> None:
    """Restore a new library from a back-up and build its search index. Exit 1 if the back-up has lost files."""
    started = time.monotonic()
    with stderr.status("restoring") as status:
        manifest, copied = restore(data, directory, throttled(status.update))
    report(manifest, copied, time.monotonic() - started, as_json)
