"""The web application: its parts put together."""

from __future__ import annotations

import importlib.resources
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from fastapi import FastAPI
from starlette.concurrency import run_in_threadpool

from openseer import __version__
from openseer.catalog.page_images import PageImageCache
from openseer.catalog.search_context import search_context
from openseer.ingest.one_off import OneOffReader
from openseer.ingest.uploads.intake import UploadService
from openseer.search.result_cache import CachedSearch
from openseer.storage.open import Library
from openseer.web import api, health, pages, problems
from openseer.web.middleware import ResponseMiddleware
from openseer.web.openapi import DescribedApi
from openseer.web.static_files import StaticFiles


def static_folder() -> Path:
    """Style sheet, scripts and icon."""
    return Path(str(importlib.resources.files("openseer.web") / "static"))


@asynccontextmanager
async def _open(app: FastAPI) -> AsyncIterator[None]:
    """While the doors are open; the process that reads uploads ends with them."""
    yield
    await run_in_threadpool(app.state.receiver.close)
    await run_in_threadpool(app.state.pictures.close)
    await run_in_threadpool(app.state.glances.close)
    for store in filter(None, (app.state.clicks, app.state.lists)):
        store.close()


def create_app(library: Library, followed: Callable[[], bool] = lambda: True) -> FastAPI:
    """The application for one library; `followed` tells whether its index still follows the records."""
    app = DescribedApi(
        title=library.settings.site.name,
        version=__version__,
        summary="REST API of an openseer library.",
        openapi_url="/api/openapi.json",
        docs_url=None,  # the usual page of documentation loads its scripts from another host
        redoc_url=None,
        lifespan=_open,
    )
    app.state.library = library
    app.state.lists = library.open_result_snapshots()
    app.state.search_context = search_context(library, app.state.lists)
    app.state.index = app.state.search_context.index
    app.state.cached_search = CachedSearch(app.state.search_context, library.settings.web.result_cache_size)
    app.state.receiver = UploadService(library)
    app.state.pictures = PageImageCache(library)
    app.state.glances = OneOffReader(library)
    app.state.clicks = library.open_click_log() if library.settings.search.click_log else None
    app.state.followed = followed
    problems.install(app)
    app.include_router(api.router, prefix="/api", tags=["works"])
    app.include_router(health.router, tags=["operation"])
    app.include_router(pages.router, include_in_schema=False)
    app.mount("/static", StaticFiles(static_folder()), name="static")
    app.add_middleware(ResponseMiddleware, largest=library.settings.extract.max_bytes)
    return app
