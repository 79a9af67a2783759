"""What is in this document? Reading a PDF: its text, its header, its bibliography and its sections.

The package can be called: `openseer.extract("paper.pdf")` is the public way to read one file.
"""

from __future__ import annotations

import hashlib
import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType

from openseer.extract.entries import parse_reference
from openseer.extract.reading import VERSION, read
from openseer.records.extraction import Extraction

__all__ = ["VERSION", "parse_reference", "read", "read_whole"]


def read_whole(path: str | Path) -> Extraction:
    """Everything read in one PDF, with the name, the SHA-1 and the type of the file."""
    file = Path(path)
    found = read(file)
    return replace(found, file=str(path), sha1=hashlib.sha1(file.read_bytes()).hexdigest(), mime="application/pdf")


class _Callable(ModuleType):
    """A module that reads a file when it is called."""

    def __call__(self, path: str | Path) -> Extraction:
        return read_whole(path)


sys.modules[__name__].__class__ = _Callable
