"""`openseer parse-reference [TEXT...]`: parse reference strings."""

from __future__ import annotations

import sys
from dataclasses import asdict

import click
import orjson

from openseer.extract.references.parse_reference import parse_reference


@click.command("parse-reference")
@click.argument("texts", nargs=-1)
@click.option("--pretty", is_flag=True, help="Indent the JSON.")
def command(texts: tuple[str, ...], pretty: bool) -> None:
    """Parse reference strings, one JSON line each; without arguments the lines of stdin."""
    for text in texts or (line for line in sys.stdin if line.strip()):
        found = asdict(parse_reference(text))
        del found["contexts"]  # a single string has none
        click.echo(orjson.dumps(found, option=orjson.OPT_INDENT_2 if pretty else None).decode())
