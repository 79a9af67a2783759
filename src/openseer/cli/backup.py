"""`openseer backup DIR`"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

import click

from openseer.cli.output import errors, plural, print_json
from openseer.operate.backup import Copied, Manifest, Tell, backup
from openseer.storage.open import open_library

SHOWN = 20
"""Lost files told one by one."""


@click.command("backup")
@click.argument("directory", metavar="DIR", type=click.Path(file_okay=False, path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_obj
def command(data: Path, directory: Path, as_json: bool) -> None:
    """Copy settings, records and files into a directory, while the library is in use.

    Again into the same directory, only what is new is copied. Exit 1 if the library has lost files.
    """
    started = time.monotonic()
    with open_library(data) as library, errors.status("backing up") as status:
        manifest, copied = backup(library, directory, telling(status.update))
    report(manifest, copied, time.monotonic() - started, as_json)


def telling(show: Callable[[str], None]) -> Tell:
    """Show what is being done, not more than some times a second."""
    told = 0.0

    def tell(what: str, done: int) -> None:
        nonlocal told
        if time.monotonic() - told > 0.1:
            told = time.monotonic()
            show(f"{what}: {plural(done, 'document')}" if done else what)

    return tell


def report(manifest: Manifest, copied: Copied, seconds: float, as_json: bool) -> None:
    """What was copied, and what could not be; ends with 1 then."""
    if as_json:
        print_json({**asdict(manifest), **asdict(copied), "seconds": round(seconds, 2)})
    for name in copied.lost[:SHOWN]:
        errors.print(f"  lost: {name}", markup=False)
    held = f"{plural(copied.documents, 'document')}, {plural(copied.files, 'file')} ({copied.bytes / 1e6:,.1f} MB)"
    errors.print(f"{held}; {copied.new_files:,} copied ({copied.new_bytes / 1e6:,.1f} MB) in {seconds:.1f} s")
    if copied.lost:
        told = f"{plural(len(copied.lost), 'file')} missing or damaged"
        errors.print(f"{told}; everything else is there. `openseer verify --repair` may fetch or read them again.")
        sys.exit(1)
