"""The web application: its parts put together."""

from __future__ import annotations

import importlib.resources
from collections.abc import Awaitable, Callable
from pathlib import Path

from fastapi import FastAPI, Request, Response
from fastapi.staticfiles import StaticFiles

from openseer import __version__
from openseer.library.opening import Library
from openseer.lookup import named_by
from openseer.receiving import Receiver
from openseer.search.desk import Desk
from openseer.search.relations import Holdings
from openseer.web import api, health, pages, problems

HEADERS = {
    "Content-Security-Policy": "default-src 'self'; style-src 'self'; img-src 'self' data:; object-src 'none';"
    " base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    "Referrer-Policy": "strict-origin-when-cross-origin",
    "X-Content-Type-Options": "nosniff",
}
"""Sent with every answer: nothing from elsewhere, no inline script."""


def static_folder() -> Path:
    """Style sheet and icon."""
    return Path(str(importlib.resources.files("openseer.web") / "static"))


def create_app(library: Library, followed: Callable[[], bool] = lambda: True) -> FastAPI:
    """The application for one library; `followed` tells whether its index still follows the records."""
    app = FastAPI(
        title=library.settings.site.name,
        version=__version__,
        summary="REST API of an openseer library.",
        openapi_url="/api/openapi.json",
        docs_url=None,  # the usual page of documentation loads its scripts from another host
        redoc_url=None,
    )
    app.state.library = library
    app.state.index = library.open_index()
    app.state.desk = Desk(Holdings(app.state.index, library.records, named_by), library.settings.web.kept_answers)
    app.state.receiver = Receiver(library)
    app.state.followed = followed
    problems.install(app)
    app.include_router(api.router, prefix="/api", tags=["works"])
    app.include_router(health.router, tags=["operation"])
    app.include_router(pages.router, include_in_schema=False)
    app.mount("/static", StaticFiles(directory=static_folder()), name="static")

    @app.middleware("http")
    async def manners(request: Request, go_on: Callable[[Request], Awaitable[Response]]) -> Response:
        response = await go_on(request)
        tag = response.headers.get("etag")
        if tag and response.status_code == 200 and tag in request.headers.get("if-none-match", ""):
            response = Response(status_code=304, headers={"etag": tag})
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        return response

    return app
