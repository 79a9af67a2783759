"""ARCHITECTURE.md says where a new part goes: every place and every register it names exists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "openseer"
TEXT = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
ASKED = (
    "extractor", "file format", "archive type", "bibliography format", "crawl-log parser", "index backend",
    "file store", "table or column", "export format", "REST route", "page", "CLI command", "setting", "metric",
    "sample paper",
)  # fmt: skip
"""What somebody new to the code wants to add."""


def rows() -> dict[str, list[str]]:
    """The table "Where a new X goes": what -> write, register in, prove in."""
    table = TEXT.split("### Where a new X goes")[1].split("\n### ")[0]
    cells = [line.strip("|").split("|") for line in table.splitlines() if line.startswith("|")][2:]
    return {name.strip(): [cell.strip() for cell in rest] for name, *rest in cells}


ROWS = rows()


@pytest.mark.parametrize("wanted", ASKED)
def test_one_line_says_where_it_goes(wanted):
    assert wanted in ROWS


@pytest.mark.parametrize("name", ROWS)
def test_what_the_line_names_exists(name):
    write, register, prove = ROWS[name]
    for cell in (write, register):
        if "[planned]" in cell:
            continue
        for path in re.findall(r"`([\w/]+/)[\w<>.]*`", cell):
            folder = SOURCE / path.split("<")[0]
            assert folder.exists() or folder.parent.exists(), path
        for path in re.findall(r"`((?:\w+/)+\w+\.py)`", cell):
            assert (SOURCE / path).exists(), path
    if "[planned]" not in register:
        for symbol, path in re.findall(r"`(\w+)` in `((?:\w+/)+\w+\.py)`", register):
            source = (SOURCE / path).read_text(encoding="utf-8")
            assert re.search(rf"^(?:def |class )?{symbol}\b", source, re.MULTILINE), f"{symbol} in {path}"
    if "[planned]" not in prove:
        for path in re.findall(r"`(tests/[\w/]+\.py)`", prove):
            assert (ROOT / path).exists(), path


def test_every_package_is_in_the_table_of_packages():
    table = TEXT.split("## Packages")[1].split("### ")[0]
    packages = {path.parent.name for path in SOURCE.glob("*/__init__.py")}
    assert packages <= set(re.findall(r"`(\w+)/`", table))
