"""Printable form of file paths."""

from __future__ import annotations

import os
from pathlib import Path


def printable(path: str | Path) -> str:
    """A path as printable text, since file names may contain any bytes."""
    return os.fsencode(path).decode("utf-8", "replace")
