"""What routes are given: the library, its index, and in whose name they read."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request

from openseer.library import opening, stores
from openseer.records.document import Viewer


def _library(request: Request) -> opening.Library:
    library: opening.Library = request.app.state.library
    return library


def _index(request: Request) -> stores.Index:
    index: stores.Index = request.app.state.index
    return index


def _viewer() -> Viewer:
    """Everybody is the public until there are accounts."""
    return Viewer.PUBLIC


Library = Annotated[opening.Library, Depends(_library)]
Index = Annotated[stores.Index, Depends(_index)]
As = Annotated[Viewer, Depends(_viewer)]
