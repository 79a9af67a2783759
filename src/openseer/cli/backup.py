"""`openseer backup DIR`: back up the library into a directory, even while it is in use."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

import click

from openseer.cli.output import plural, print_json, stderr
from openseer.operate.backup import Copied, Manifest, Tell, backup
from openseer.storage.open import open_library

MAX_LOST_FILES = 20
"""Lost files listed by name."""


@click.command("backup")
@click.argument("directory", metavar="DIR", type=click.Path(file_okay=False, path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_obj
def command(data: Path, directory: Path, as_json: bool) -> None:
    """Back up settings, records and files into a directory, even while the library is in use.

    A second backup into the same directory copies only new files. Exit 1 if the library has lost files.
    """
    started = time.monotonic()
    with open_library(data) as library, stderr.status("backing up") as status:
        manifest, copied = backup(library, directory, throttled(status.update))
    report(manifest, copied, time.monotonic() - started, as_json)


def throttled(show: Callable[[str], None]) -> Tell:
    """Progress callback that shows at most ten messages a second."""
    last_shown = 0.0

    def show_progress(what: str, done: int) -> None:
        nonlocal last_shown
        if time.monotonic() - last_shown > 0.1:
            last_shown = time.monotonic()
            show(f"{what}: {plural(done, 'document')}" if done else what)

    return show_progress


def report(manifest: Manifest, copied: Copied, seconds: float, as_json: bool) -> None:
    """Print the numbers of copied and lost files; exit 1 if some are lost."""
    if as_json:
        print_json({**asdict(manifest), **asdict(copied), "seconds": round(seconds, 2)})
    for name in copied.lost[:MAX_LOST_FILES]:
        stderr.print(f"  lost: {name}", markup=False)
    total = f"{plural(copied.documents, 'document')}, {plural(copied.files, 'file')} ({copied.bytes / 1e6:,.1f} MB)"
    stderr.print(f"{total}; {copied.new_files:,} copied ({copied.new_bytes / 1e6:,.1f} MB) in {seconds:.1f} s")
    if copied.lost:
        lost = f"{plural(len(copied.lost), 'file')} missing or damaged"
        stderr.print(f"{lost}; everything else is complete. `openseer verify --repair` may restore them.")
        sys.exit(1)
