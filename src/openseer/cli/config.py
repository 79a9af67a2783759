"""`openseer config`: print all settings with their values and origins."""

from __future__ import annotations

import os
from pathlib import Path

import click

from openseer.cli.output import print_json
from openseer.core.settings import Settings
from openseer.storage.open import SETTINGS_FILE


@click.command("config")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_obj
def command(data: Path, as_json: bool) -> None:
    """Print all settings with their values and origins: default, openseer.toml or the environment."""
    settings, origins = Settings.with_origins(data / SETTINGS_FILE, os.environ)
    if as_json:
        print_json({name: {"value": value, "from": origins.get(name, "default")} for name, value in settings.rows()})
        return
    for name, value in settings.rows():
        click.echo(f"{name:<22} {value!s:<24} {origins.get(name, 'default')}")
