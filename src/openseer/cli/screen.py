"""Writing to the terminal: tables and records to stdout, progress to stderr."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click
import orjson
from rich.console import Console

errors = Console(stderr=True, highlight=False, soft_wrap=True)


def print_json(value: Any) -> None:
    """One JSON document, indented."""
    click.echo(orjson.dumps(value, option=orjson.OPT_INDENT_2).decode())


def print_counts(counts: Mapping[str, int]) -> None:
    """A table of numbers, as stored order has them."""
    for name, count in counts.items():
        click.echo(f"{count:>10,}  {name.replace('_', ' ') if ' ' not in name else name}")


def plural(count: int, noun: str) -> str:
    """ "1 work", "2 works"."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
