"""Where the sources of the samples lie, and what their TOML files say."""

import hashlib
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent
SHELVES = (ROOT / "papers", ROOT / "negatives")
"""The folders that hold samples, each sample one TOML file and one Typst file."""


@cache
def samples() -> dict[str, Path]:
    """The Typst file of every sample, by name."""
    tables = sorted(table for shelf in SHELVES for table in shelf.glob("*.toml"))
    return {table.stem: table.with_suffix(".typ") for table in tables}


@cache
def read(table: Path) -> dict[str, Any]:
    """One TOML file."""
    return tomllib.loads(table.read_text(encoding="utf-8"))


def described(name: str) -> dict[str, Any]:
    """What the TOML file of a sample says."""
    return read(samples()[name].with_suffix(".toml"))


def literature() -> dict[str, Any]:
    """The real works that samples cite, by key."""
    return read(ROOT / "literature.toml")


def formats() -> dict[str, Any]:
    """What each reference format prints of a work."""
    return read(ROOT / "layouts" / "formats.toml")


def cited(key: str) -> dict[str, Any]:
    """The record of a cited work: one of the literature, or another sample."""
    real: dict[str, Any] | None = literature().get(key)
    return described(key) if real is None else real


def digest(name: str, compiler: str) -> str:
    """A fingerprint of everything a sample is made from, the version of the compiler included."""
    shared = [*ROOT.glob("layouts/*"), *ROOT.glob("papers/*.toml"), *ROOT.glob("negatives/*.toml")]
    pictures = samples()[name].parent.glob(f"{name}-*.png")
    seen = hashlib.sha1(compiler.encode(), usedforsecurity=False)
    for source in sorted([ROOT / "literature.toml", samples()[name], *pictures, *shared]):
        seen.update(source.name.encode() + b"\0" + source.read_bytes())
    return seen.hexdigest()
