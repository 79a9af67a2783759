"""What routes are given: the library, its index, how questions are answered, and in whose name they read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from fastapi import Depends, Request

from openseer.catalog.page_images import Pictures
from openseer.core.model.document import Viewer
from openseer.ingest.one_off import Glances
from openseer.ingest.uploads.intake import Receiver
from openseer.search.service import Answered, Asked
from openseer.search.similar import Holdings
from openseer.storage.open import Library
from openseer.storage.protocols.index import Index


def _library(request: Request) -> Library:
    library: Library = request.app.state.library
    return library


def _index(request: Request) -> Index:
    index: Index = request.app.state.index
    return index


def _holdings(request: Request) -> Holdings:
    holdings: Holdings = request.app.state.holdings
    return holdings


def _answering(request: Request) -> Callable[[Asked], Answered]:
    answering: Callable[[Asked], Answered] = request.app.state.desk.answer
    return answering


def _viewer() -> Viewer:
    """Everybody is the public until there are accounts."""
    return Viewer.PUBLIC


def _receiver(request: Request) -> Receiver:
    receiver: Receiver = request.app.state.receiver
    return receiver


def _pictures(request: Request) -> Pictures:
    pictures: Pictures = request.app.state.pictures
    return pictures


def _glances(request: Request) -> Glances:
    glances: Glances = request.app.state.glances
    return glances


LibraryDep = Annotated[Library, Depends(_library)]
IndexDep = Annotated[Index, Depends(_index)]
SearchContextDep = Annotated[Holdings, Depends(_holdings)]
SearchDep = Annotated[Callable[[Asked], Answered], Depends(_answering)]
UploadsDep = Annotated[Receiver, Depends(_receiver)]
PageImagesDep = Annotated[Pictures, Depends(_pictures)]
OneOffDep = Annotated[Glances, Depends(_glances)]
ViewerDep = Annotated[Viewer, Depends(_viewer)]
