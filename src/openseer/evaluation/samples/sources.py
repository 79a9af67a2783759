"""Source files of the samples, and their TOML metadata."""

import hashlib
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent
FOLDERS = (ROOT / "papers", ROOT / "negatives")
"""Folders of samples; each sample is a TOML file and a Typst file."""


@cache
def samples() -> dict[str, Path]:
    """Sample name -> Typst file."""
    tables = sorted(table for folder in FOLDERS for table in folder.glob("*.toml"))
    return {table.stem: table.with_suffix(".typ") for table in tables}


@cache
def read(table: Path) -> dict[str, Any]:
    """A TOML file, cached."""
    return tomllib.loads(table.read_text(encoding="utf-8"))


def metadata_of(name: str) -> dict[str, Any]:
    """Metadata of a sample from its TOML file."""
    return read(samples()[name].with_suffix(".toml"))


def literature() -> dict[str, Any]:
    """Key -> record of the real works that samples cite."""
    return read(ROOT / "literature.toml")


def reference_formats() -> dict[str, Any]:
    """Reference format -> fields that it prints."""
    return read(ROOT / "layouts" / "formats.toml")


def cited_record(key: str) -> dict[str, Any]:
    """Record of a cited work: real literature, or another sample."""
    real: dict[str, Any] | None = literature().get(key)
    return metadata_of(key) if real is None else real


def digest(name: str, compiler: str) -> str:
    """Digest of all sources of a sample and of the compiler version."""
    shared = [*ROOT.glob("layouts/*"), *ROOT.glob("papers/*.toml"), *ROOT.glob("negatives/*.toml")]
    images = samples()[name].parent.glob(f"{name}-*.png")
    hasher = hashlib.sha1(compiler.encode(), usedforsecurity=False)
    for source in sorted([ROOT / "literature.toml", samples()[name], *images, *shared]):
        hasher.update(source.name.encode() + b"\0" + source.read_bytes())
    return hasher.hexdigest()
