"""What is installed on this machine, what it switches on, and how to install what is missing."""

from __future__ import annotations

import ctypes.util
import importlib.metadata
import importlib.util
import platform
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from openseer.core.processes.confinement import is_supported
from openseer.core.processes.external_program import PROGRAMS
from openseer.search.embeddings import encoder

VERSION_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class Check:
    """One part of the installation."""

    name: str
    found: str
    """Its version, or "installed"; "" if it is missing."""
    purpose: str
    """What it switches on."""
    hint: str
    """How to install it; "" for what the system itself must have."""


def checks() -> Iterator[Check]:
    """All parts that may be missing."""
    yield Check("Python", platform.python_version(), "openseer", "")
    for library, package, purpose in LIBRARIES:
        yield Check(library, _library(library), purpose, _apt(package))
    for program in PROGRAMS:
        yield Check(program.name, _version(program.path), program.purpose, program.install_hint)
    yield Check("psycopg", _package("psycopg"), "records in PostgreSQL", "pip install 'openseer[postgres]'")
    yield Check(
        "embedding model", "installed" if encoder.is_installed() else "", "ranking by embeddings", "make meaning"
    )
    supported = "supported" if is_supported() else ""
    yield Check("Landlock", supported, "confinement of the processes that read foreign files", "Linux 5.13 or later")


LIBRARIES = (
    ("magic", "libmagic1", "names of the types of files that no reader takes"),
    ("archive", "libarchive13", "archives: 7z, rar, zst and others beside ZIP and tar"),
    ("gomp", "libgomp1", "training of models"),
)
"""Shared library, Debian package, what it switches on."""


def _apt(package: str) -> str:
    return f"apt-get install --no-install-recommends {package}"


def _library(name: str) -> str:
    found = ctypes.util.find_library(name)
    return found or ""


def _package(name: str) -> str:
    return _quietly(lambda: importlib.metadata.version(name)) if importlib.util.find_spec(name) else ""


def _version(path: str) -> str:
    """What a program says of its version; "" if it is not installed."""
    if not path:
        return ""
    run = _quietly(
        lambda: (
            subprocess.run(
                [path, "--version"], capture_output=True, text=True, timeout=VERSION_SECONDS, check=False
            ).stdout
        )
    )
    lines = run.strip().splitlines()
    return lines[0][:60] if lines else "installed"


def _quietly(ask: Callable[[], str]) -> str:
    try:
        return ask()
    except (OSError, subprocess.SubprocessError, importlib.metadata.PackageNotFoundError):
        return "installed"
