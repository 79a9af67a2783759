"""The manual cannot fall behind: every command, option, setting, route, outcome and code stands in it."""

from __future__ import annotations

import inspect
import re
from importlib import import_module
from pathlib import Path

import click
import pytest
from fastapi.routing import APIRoute

from openseer.cli import COMMANDS
from openseer.core import errors
from openseer.core.errors import OUTCOMES, OpenseerError
from openseer.core.model.query import FIELDS, SORTS
from openseer.core.settings import Settings
from openseer.extract.output.registry import FORMATS
from openseer.web import api, health, pages

ROOT = Path(__file__).parents[1]
MANUAL = (ROOT / "docs" / "manual.md").read_text(encoding="utf-8")
SETTINGS = list(Settings().rows())
CODES = sorted(
    {kind.code for _, kind in inspect.getmembers(errors, inspect.isclass) if issubclass(kind, OpenseerError)}
)
ROUTES = [
    f"{prefix}{route.path}"
    for prefix, part in (("/api", api), ("", health), ("", pages))
    for route in part.router.routes
    if isinstance(route, APIRoute)
]


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_is_in_the_manual(name):
    assert f"| `{name}` | `.{FORMATS[name].suffix}` |" in MANUAL


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_and_option_is_in_the_manual(name):
    section = re.search(rf"### `openseer {name}\b.*?(?=\n##)", MANUAL, re.DOTALL)
    assert section is not None
    command: click.Command = import_module(f"openseer.cli.{name.replace('-', '_')}").command
    for option in (one for one in command.params if isinstance(one, click.Option)):
        assert max(option.opts, key=len) in section[0]


@pytest.mark.parametrize(("name", "value"), SETTINGS)
def test_every_setting_is_in_the_manual_with_its_default(name, value):
    assert f"| `{name}` | {value} |" in MANUAL


def test_the_manual_names_no_setting_that_is_not_there():
    assert set(re.findall(r"^\| `(\w+\.\w+)` \|", MANUAL, re.MULTILINE)) == {name for name, _ in SETTINGS}


@pytest.mark.parametrize("code", [*OUTCOMES, *CODES])
def test_every_outcome_and_code_is_in_the_manual(code):
    assert f"`{code}`" in MANUAL


@pytest.mark.parametrize("route", ROUTES)
def test_every_route_is_in_the_manual(route):
    assert f"| `{route}` |" in MANUAL


@pytest.mark.parametrize("name", [*FIELDS, "year", "cited"])
def test_every_field_of_the_query_language_is_in_the_manual(name):
    assert f"`{name}:" in MANUAL


def test_every_order_is_in_the_manual():
    assert f"({', '.join(SORTS)})" in MANUAL


def test_the_readme_shows_the_two_commands_and_links_to_files_that_exist():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert "make run" in readme
    assert "make test" in readme
    for target in re.findall(r"\]\(([\w./-]+)\)", readme):
        assert (ROOT / target).exists(), target
