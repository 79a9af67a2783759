"""Response bodies that routes share: JSON with selected fields, works in export formats."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import orjson
from fastapi import Request, Response

from openseer.catalog.export.feeds import atom, rss
from openseer.catalog.export.registry import FORMATS
from openseer.core.model.work import IndexedWork
from openseer.web.services import services_of


def as_json(body: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """A JSON response, encoded by orjson."""
    return Response(orjson.dumps(body), status, headers, "application/json")


def select_fields(works: Sequence[Mapping[str, object]], keys: Collection[str]) -> Sequence[Mapping[str, object]]:
    """The bodies of works with only these keys; with all if `keys` is empty."""
    return [{name: value for name, value in one.items() if name in keys} for one in works] if keys else works


def base_url(request: Request) -> str:
    """URL of this site, without a trailing slash: `site.address`, else as requested."""
    address = services_of(request).library.settings.site.address
    return (address or str(request.base_url)).rstrip("/")


def page_url(request: Request, **changes: str) -> str:
    """URL of the requested page, with changed query parameters."""
    url = request.url.include_query_params(**changes) if changes else request.url
    return f"{base_url(request)}{url.path}{'?' if url.query else ''}{url.query}"


def export_response(request: Request, works: Sequence[IndexedWork], name: str) -> Response:
    """Works in an export format."""
    form, base = FORMATS[name], base_url(request)
    if name in ("atom", "rss"):
        title = f"{request.app.title}: {request.query_params.get('q', 'works')}"
        body = (atom if name == "atom" else rss)(works, base, title, page_url(request))
    else:
        body = form.write(works, base)
    headers = {"Content-Disposition": f'inline; filename="works.{form.extension}"'}
    return Response(body, media_type=f"{form.media_type}; charset=utf-8", headers=headers)
