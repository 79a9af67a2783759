"""`openseer verify [--repair]`"""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path

import click

from openseer.cli.output import errors, plural, print_json
from openseer.operate.verify import verify
from openseer.storage.open import open_library


@click.command("verify")
@click.option("--repair", is_flag=True, help="Mend what can be mended.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_obj
def command(data: Path, repair: bool, as_json: bool) -> None:
    """Check files against their SHA-1, records against files, index against records. Exit 1 if a fault is left."""
    with open_library(data) as library:
        faults = verify(library, repair)
        swept = library.files.sweep() if repair else 0
    left = [fault for fault in faults if not fault.mended]
    if as_json:
        print_json({"faults": [asdict(fault) for fault in faults], "swept": swept})
    else:
        for fault in faults:
            click.echo(f"{fault.area}: {fault.subject}: {fault.message}{' (mended)' if fault.mended else ''}")
        mended = f", {len(faults) - len(left)} mended" if len(faults) > len(left) else ""
        errors.print(f"{plural(len(left), 'fault')} left{mended}" if faults else "no fault found")
    if left:
        sys.exit(1)
