"""The web application: its services, routes and middleware."""

from __future__ import annotations

import importlib.resources
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import anyio.to_thread
from fastapi import FastAPI
from starlette.concurrency import run_in_threadpool

from openseer import __version__
from openseer.core.processes import worker_pool
from openseer.storage.open import Library
from openseer.web import api, health, pages, problems
from openseer.web.api.openapi import DescribedApi, operation_id
from openseer.web.http.access import SiteAccess
from openseer.web.http.limits import ROUTE_THREADS
from openseer.web.middleware import ResponseMiddleware
from openseer.web.services import WORKER_JOBS, Services
from openseer.web.static_files import StaticFiles


def static_folder() -> Path:
    """Folder of style sheet, scripts and icon."""
    return Path(str(importlib.resources.files("openseer.web") / "static"))


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    """Limit the threads of routes; close the services when the application stops."""
    anyio.to_thread.current_default_thread_limiter().total_tokens = ROUTE_THREADS
    yield
    services: Services = app.state.services
    await run_in_threadpool(services.close)


def create_app(library: Library, index_alive: Callable[[], bool] = lambda: True, host: str = "") -> FastAPI:
    """The application for one library; `index_alive` is true while a process keeps the index in step with it.

    `host` is the name it listens on, if it is not that of the settings."""
    app = DescribedApi(
        generate_unique_id_function=operation_id,
        title=library.settings.site.name,
        version=__version__,
        summary="REST API of an openseer library.",
        openapi_url="/api/openapi.json",
        docs_url=None,  # the usual documentation page loads its scripts from another host
        redoc_url=None,
        lifespan=_lifespan,
    )
    worker_pool.preload(*WORKER_JOBS)  # before the first of the pools starts a worker
    app.state.services = Services.of(library, index_alive)
    problems.install(app)
    app.include_router(api.router, prefix="/api")
    app.include_router(health.router, tags=["operation"])
    app.include_router(pages.router, include_in_schema=False)
    app.mount("/static", StaticFiles(static_folder()), name="static")
    app.state.access = SiteAccess(library.settings, host)
    app.add_middleware(ResponseMiddleware, settings=library.settings, access=app.state.access)
    return app
