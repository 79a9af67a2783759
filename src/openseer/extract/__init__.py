"""What is in this document? Reading a PDF: its text, its header, its bibliography and its sections.

The package can be called: `openseer.extract("paper.pdf")` is the public way to read one file.
"""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

from openseer.core.model.extraction import Extraction


class _Callable(ModuleType):
    """A module that reads a file when it is called; the reading code is loaded by then, not with the package."""

    def __call__(self, path: str | Path) -> Extraction:
        found: Extraction = import_module("openseer.extract.reader").read_whole(path)
        return found


sys.modules[__name__].__class__ = _Callable
