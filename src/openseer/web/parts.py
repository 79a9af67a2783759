"""What routes are given: the library, its index, how questions are answered, and in whose name they read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from fastapi import Depends, Request

from openseer.core.model.document import Viewer
from openseer.glancing import Glances
from openseer.library import opening, stores
from openseer.picturing import Pictures
from openseer.receiving import Receiver
from openseer.search.service import Answered, Asked
from openseer.search.similar import Holdings


def _library(request: Request) -> opening.Library:
    library: opening.Library = request.app.state.library
    return library


def _index(request: Request) -> stores.Index:
    index: stores.Index = request.app.state.index
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


Library = Annotated[opening.Library, Depends(_library)]
Index = Annotated[stores.Index, Depends(_index)]
Shelves = Annotated[Holdings, Depends(_holdings)]
Answering = Annotated[Callable[[Asked], Answered], Depends(_answering)]
Receiving = Annotated[Receiver, Depends(_receiver)]
Picturing = Annotated[Pictures, Depends(_pictures)]
Glancing = Annotated[Glances, Depends(_glances)]
As = Annotated[Viewer, Depends(_viewer)]
