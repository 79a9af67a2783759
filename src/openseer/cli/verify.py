"""`openseer verify [--repair]`: check files, records and index for consistency."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path

import click

from openseer.cli.output import plural, print_json, stderr
from openseer.operate.verify import verify
from openseer.storage.open import open_library


@click.command("verify")
@click.option("--repair", is_flag=True, help="Repair what can be repaired.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_obj
def command(data: Path, repair: bool, as_json: bool) -> None:
    """Check files by SHA-1, records against files, and the index against records. Exit 1 if a fault remains."""
    with open_library(data) as library:
        faults = verify(library, repair)
        swept = library.files.sweep() if repair else 0
    remaining = [fault for fault in faults if not fault.mended]
    if as_json:
        print_json({"faults": [asdict(fault) for fault in faults], "swept": swept})
    else:
        for fault in faults:
            click.echo(f"{fault.area}: {fault.subject}: {fault.message}{' (repaired)' if fault.mended else ''}")
        repaired = f", {len(faults) - len(remaining)} repaired" if len(faults) > len(remaining) else ""
        stderr.print(f"{plural(len(remaining), 'fault')} remaining{repaired}" if faults else "no faults found")
    if remaining:
        sys.exit(1)
