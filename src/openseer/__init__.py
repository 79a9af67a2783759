"""openseer: the scholarly search engine you run yourself.

    openseer.extract("paper.pdf")            -> Extraction
    openseer.parse_reference("[3] ...")      -> Reference
    openseer.open_library("openseer-data")   -> Library

Each loads what it needs on the first call, so that importing the package costs nothing.
"""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from openseer.core.model.extraction import Extraction, Reference
    from openseer.storage.open import Library

__all__ = ["__version__", "extract", "open_library", "parse_reference"]
__version__ = version("openseer")


def extract(path: str | Path) -> Extraction:
    """Read one PDF in this process; raises an `openseer.core.errors.OpenseerError` that says why it cannot."""
    # The package `openseer.extract` takes this name once it is loaded; it is callable, with the same promise.
    from openseer.extract.reader import read_whole

    return read_whole(path)


def parse_reference(text: str) -> Reference:
    """Understand one entry of a bibliography."""
    from openseer.extract.references.parse_reference import parse_reference as parse

    return parse(text)


def open_library(data: str | Path, create: bool = False) -> Library:
    """Open the library in a data directory."""
    from openseer.storage.open import open_library as open_at

    return open_at(data, create)
