"""Templates: one environment, escaping on, a few words for numbers."""

from __future__ import annotations

import hashlib
import importlib.resources
from functools import cache
from typing import Any

from fastapi import Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment, PackageLoader, StrictUndefined

from openseer.works import names_of


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("openseer.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"thousands": lambda number: f"{number:,}", "names": names_of}
    environment.globals["style"] = f"/static/openseer.css?v={_stamp('openseer.css')}"
    return environment


def _stamp(name: str) -> str:
    """A short hash of a static file, so that browsers may keep it and still notice a new one."""
    data = (importlib.resources.files("openseer.web") / "static" / name).read_bytes()
    return hashlib.blake2b(data, digest_size=4).hexdigest()


def render(request: Request, template: str, values: dict[str, Any], status: int = 200) -> HTMLResponse:
    """A page."""
    site = request.app.state.library.settings.site
    return HTMLResponse(_environment().get_template(template).render(site=site, **values), status)
