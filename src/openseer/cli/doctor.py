"""`openseer doctor`: list what is installed and what is missing."""

from __future__ import annotations

from dataclasses import asdict

import click

from openseer.cli.output import print_json
from openseer.operate.doctor import checks


@click.command("doctor")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(as_json: bool) -> None:
    """List the optional parts of the installation, what each switches on, and how to install those that are missing."""
    found = list(checks())
    if as_json:
        print_json([asdict(one) for one in found])
        return
    for one in found:
        click.echo(f"{'ok     ' if one.found else 'missing'}  {one.name:<16}  {one.purpose}")
        if one.found:
            click.echo(f"{'':27}{one.found}")
        elif one.hint:
            click.echo(f"{'':27}{one.hint}")
