"""Shared options and execution of the curation commands `merge`, `split`, `delete` and `undo`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from openseer.catalog.indexing.process import IndexProcess
from openseer.cli.output import print_json, stderr
from openseer.storage.open import Library, open_library


def curation_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options --why and --json."""
    with_reason = click.option("--why", required=True, help="Reason, stored with the curation action.")(command)
    return click.option("--json", "as_json", is_flag=True, help="Print the curation action as JSON.")(with_reason)


def run_action(data: Path, as_json: bool, action: Callable[[Library], int]) -> None:
    """Run a curation action, wait for the index, and print the number of the action."""
    with open_library(data) as library, IndexProcess(library) as index_process:
        number = action(library)
        with stderr.status("indexing"):
            index_process.wait()
    if as_json:
        print_json({"act": number})
    else:
        click.echo(f"curation action {number}; `openseer undo {number}` reverts it")
