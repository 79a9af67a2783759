"""What routes are given: the library, its index, how questions are answered, and in whose name they read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from fastapi import Depends, Request

from openseer.catalog.page_images import PageImageCache
from openseer.core.model.document import Viewer
from openseer.ingest.one_off import OneOffReader
from openseer.ingest.uploads.intake import UploadService
from openseer.search.context import SearchContext
from openseer.search.service import SearchRequest, SearchResponse
from openseer.storage.open import Library
from openseer.storage.protocols.index import Index


def _library(request: Request) -> Library:
    library: Library = request.app.state.library
    return library


def _index(request: Request) -> Index:
    index: Index = request.app.state.index
    return index


def _search_context(request: Request) -> SearchContext:
    context: SearchContext = request.app.state.search_context
    return context


def _search(request: Request) -> Callable[[SearchRequest], SearchResponse]:
    search: Callable[[SearchRequest], SearchResponse] = request.app.state.cached_search.search
    return search


def _viewer() -> Viewer:
    """Everybody is the public until there are accounts."""
    return Viewer.PUBLIC


def _receiver(request: Request) -> UploadService:
    receiver: UploadService = request.app.state.receiver
    return receiver


def _pictures(request: Request) -> PageImageCache:
    pictures: PageImageCache = request.app.state.pictures
    return pictures


def _glances(request: Request) -> OneOffReader:
    glances: OneOffReader = request.app.state.glances
    return glances


LibraryDep = Annotated[Library, Depends(_library)]
IndexDep = Annotated[Index, Depends(_index)]
SearchContextDep = Annotated[SearchContext, Depends(_search_context)]
SearchDep = Annotated[Callable[[SearchRequest], SearchResponse], Depends(_search)]
UploadsDep = Annotated[UploadService, Depends(_receiver)]
PageImagesDep = Annotated[PageImageCache, Depends(_pictures)]
OneOffDep = Annotated[OneOffReader, Depends(_glances)]
ViewerDep = Annotated[Viewer, Depends(_viewer)]
