"""Terminal output: tables and records to stdout, progress and messages to stderr."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click
import orjson
from rich.console import Console

from openseer.core.model.work import IndexedWork

stderr = Console(stderr=True, highlight=False, soft_wrap=True)


def printable_text(text: str) -> str:
    """Text of users without control characters, which a terminal would obey.

    >>> printable_text("a\\x1b[2Jb")
    'a [2Jb'
    """
    return "".join(char if char.isprintable() else " " for char in text)


def print_json(value: Any) -> None:
    """Print one JSON document, indented."""
    click.echo(orjson.dumps(value, option=orjson.OPT_INDENT_2).decode())


def print_counts(counts: Mapping[str, int]) -> None:
    """Print a table of numbers in the given order."""
    for name, count in counts.items():
        click.echo(f"{count:>10,}  {name.replace('_', ' ') if ' ' not in name else name}")


def plural(count: int, noun: str) -> str:
    """ "1 work", "2 works"."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def print_work(number: int, work: IndexedWork) -> None:
    """Print one work of a list on two lines."""
    click.echo(f"{number:>3}. {click.style(work.title or '(no title)', bold=True)}")
    facts = [
        ", ".join(work.authors[:4]) + (" et al." if len(work.authors) > 4 else ""),
        str(work.year or ""),
        f"cited by {work.cited}",
        work.id,
        "" if work.documents else "citation only",
    ]
    click.echo("     " + " - ".join(filter(None, facts)))
