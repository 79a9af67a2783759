"""Route dependencies: the services one by one, and the viewer. All are async: a sync one would cost a thread."""

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
from openseer.storage.protocols.sessions import ClickLog
from openseer.web.services import services_of


async def _library(request: Request) -> Library:
    return services_of(request).library


async def _index(request: Request) -> Index:
    return services_of(request).index


async def _search_context(request: Request) -> SearchContext:
    return services_of(request).context


async def _search(request: Request) -> Callable[[SearchRequest], SearchResponse]:
    return services_of(request).search.search


async def _uploads(request: Request) -> UploadService:
    return services_of(request).uploads


async def _page_images(request: Request) -> PageImageCache:
    return services_of(request).page_images


async def _one_off(request: Request) -> OneOffReader:
    return services_of(request).one_off


async def _click_log(request: Request) -> ClickLog | None:
    return services_of(request).click_log


async def _viewer() -> Viewer:
    """The public viewer: there are no accounts yet."""
    return Viewer.PUBLIC


LibraryDep = Annotated[Library, Depends(_library)]
IndexDep = Annotated[Index, Depends(_index)]
SearchContextDep = Annotated[SearchContext, Depends(_search_context)]
SearchDep = Annotated[Callable[[SearchRequest], SearchResponse], Depends(_search)]
UploadsDep = Annotated[UploadService, Depends(_uploads)]
PageImagesDep = Annotated[PageImageCache, Depends(_page_images)]
OneOffDep = Annotated[OneOffReader, Depends(_one_off)]
ClickLogDep = Annotated[ClickLog | None, Depends(_click_log)]
ViewerDep = Annotated[Viewer, Depends(_viewer)]
