"""What `merge`, `split`, `delete` and `undo` have in common: the library, the index that follows, and the act."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from openseer.catalog.indexing.process import IndexProcess
from openseer.cli.output import errors, print_json
from openseer.storage.open import Library, open_library


def curating(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options that they all have."""
    reasoned = click.option("--why", required=True, help="The reason, kept with the act.")(command)
    return click.option("--json", "as_json", is_flag=True, help="Print the act as JSON.")(reasoned)


def decide(data: Path, as_json: bool, decision: Callable[[Library], int]) -> None:
    """Do it, let the index follow, and tell the number by which it is undone."""
    with open_library(data) as library, IndexProcess(library) as catchup:
        act = decision(library)
        with errors.status("indexing"):
            catchup.wait()
    if as_json:
        print_json({"act": act})
    else:
        click.echo(f"act {act}: `openseer undo {act}` takes it back")
