"""Bodies as answers: chosen fields, formats, and the names of parameters that several routes share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import orjson
from fastapi import Request, Response

from openseer.catalog.export.feeds import atom, rss
from openseer.catalog.export.registry import FORMATS
from openseer.core.model.work import IndexedWork


def as_json(body: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """A body, quickly."""
    return Response(orjson.dumps(body), status, headers, "application/json")


def chosen(body: dict[str, Any], fields: str) -> dict[str, Any]:
    """The same with only some keys of each work; ids stay."""
    if not fields:
        return body
    kept = {name.strip() for name in fields.split(",")} | {"id", "cluster_id"}
    works = [{name: value for name, value in one.items() if name in kept} for one in body["response"]]
    return {**body, "response": works}


def site(request: Request) -> str:
    """The address of this site, without a slash at its end."""
    return str(request.base_url).rstrip("/")


def written(request: Request, works: Sequence[IndexedWork], name: str) -> Response:
    """Works in a format for other programs."""
    form, base = FORMATS[name], site(request)
    if name in ("atom", "rss"):
        title = f"{request.app.title}: {request.query_params.get('q', 'works')}"
        body = (atom if name == "atom" else rss)(works, base, title, str(request.url))
    else:
        body = form.write(works, base)
    headers = {"Content-Disposition": f'inline; filename="works.{form.extension}"'}
    return Response(body, media_type=f"{form.media_type}; charset=utf-8", headers=headers)
