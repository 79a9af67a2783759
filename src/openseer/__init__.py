"""openseer: the scholarly search engine you run yourself.

    openseer.extract("paper.pdf")            -> Extraction
    openseer.parse_reference("[3] ...")      -> Reference
    openseer.open_library("openseer-data")   -> Library

Each imports its modules on the first call, so that importing the package is fast.
"""

from __future__ import annotations

import sys
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from openseer.core import errors

if TYPE_CHECKING:
    from openseer.core.model.extraction import Extraction, Reference
    from openseer.storage.open import Library

__all__ = ["__version__", "errors", "extract", "open_library", "parse_reference"]
__version__ = version("openseer")
sys.modules[f"{__name__}.errors"] = errors  # `from openseer.errors import TooShort` is a published name


def extract(path: str | Path) -> Extraction:
    """Extract one PDF in this process; raises an `openseer.errors.OpenseerError` if that fails."""
    # The package `openseer.extract` replaces this name when it is imported; it is callable with the same arguments.
    from openseer.extract.reader import read_whole

    return read_whole(path)


def parse_reference(text: str) -> Reference:
    """Parse one entry of a bibliography."""
    from openseer.extract.references.parse_reference import parse_reference as parse

    return parse(text)


def open_library(data: str | Path, create: bool = False) -> Library:
    """Open the library in a data directory; with `create`, make a new one if there is none."""
    from openseer.storage.open import open_library as open_at

    return open_at(data, create)
