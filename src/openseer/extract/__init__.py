"""Information extraction from PDF papers: text, header, bibliography and sections.

The package can be called: `openseer.extract("paper.pdf")` is the public way to read one file."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

from openseer.core.model.extraction import Extraction


class _CallableModule(ModuleType):
    """A module that reads a file when called; the reader is imported on the first call."""

    def __call__(self, path: str | Path) -> Extraction:
        found: Extraction = import_module("openseer.extract.reader").read_whole(path)
        return found


sys.modules[__name__].__class__ = _CallableModule
