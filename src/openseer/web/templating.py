"""Jinja2 environment with auto-escaping, and filters for numbers, names, languages and times."""

from __future__ import annotations

import datetime
import hashlib
import importlib.resources
from collections.abc import Iterable
from functools import cache
from typing import Any
from urllib.parse import quote

from fastapi import Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from openseer.core.model.document_type import DOCUMENT_TYPES
from openseer.core.text.name_strings import names_of
from openseer.web.services import services_of

FORMAT_LABELS = {one.suffix: one.label for one in DOCUMENT_TYPES.values()}
"""Suffix of a stored file -> name of its format."""
LANGUAGES = {
    "ar": "Arabic", "bg": "Bulgarian", "cs": "Czech", "da": "Danish", "de": "German", "el": "Greek", "en": "English",
    "es": "Spanish", "et": "Estonian", "fi": "Finnish", "fr": "French", "he": "Hebrew", "hr": "Croatian",
    "hu": "Hungarian", "id": "Indonesian", "it": "Italian", "ja": "Japanese", "ko": "Korean", "la": "Latin",
    "lt": "Lithuanian", "lv": "Latvian", "nl": "Dutch", "no": "Norwegian", "pl": "Polish", "pt": "Portuguese",
    "ro": "Romanian", "ru": "Russian", "sk": "Slovak", "sl": "Slovenian", "sr": "Serbian", "sv": "Swedish",
    "tr": "Turkish", "uk": "Ukrainian", "vi": "Vietnamese", "zh": "Chinese",
}  # fmt: skip


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("openseer.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    environment.filters |= {
        "thousands": lambda number: f"{number:,}",
        "names": names_of,
        "plural": plural,
        "path": lambda text: quote(text, safe=""),
        "moment": moment,
        "format_label": lambda suffix: FORMAT_LABELS.get(suffix, suffix.upper()),
        "language": lambda code: LANGUAGES.get(code, code),
    }
    environment.globals["static"] = _static_url
    return environment


def plural(number: int, one: str, many: str = "") -> str:
    """A number with its noun in singular or plural.

    >>> plural(1, "work"), plural(2000, "work"), plural(2, "entry", "entries")
    ('1 work', '2,000 works', '2 entries')
    """
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def moment(seconds: float) -> Markup:
    """A date as an HTML time element; a script converts it to the time zone of the browser."""
    when = datetime.datetime.fromtimestamp(seconds, datetime.UTC)
    exact, text = f"{when:%Y-%m-%dT%H:%M:%SZ}", f"{when.day} {when:%b %Y}"
    return Markup('<time datetime="{}">{}</time>').format(exact, text)


@cache
def _static_url(name: str) -> str:
    """URL of a static file with a hash of its content, so that browsers may cache it for ever."""
    data = (importlib.resources.files("openseer.web") / "static" / name).read_bytes()
    return f"/static/{name}?v={hashlib.blake2b(data, digest_size=4).hexdigest()}"


def render(
    request: Request,
    template: str,
    values: dict[str, Any],
    status: int = 200,
    links: Iterable[str] = (),
) -> HTMLResponse:
    """An HTML response; `links` go into its Link header."""
    services = services_of(request)
    library, settings = services.library, services.library.settings
    context = {
        "site": settings.site,
        "base": (settings.site.address or str(request.base_url)).rstrip("/"),
        "path": request.url.path,
        "uploads": settings.web.allow_upload or bool(settings.web.upload_key),
        "building": not services.index.works and library.records.last_change() > 0,
        **values,
    }
    body = _environment().get_template(template).render(context)
    return HTMLResponse(body, status, {"Link": ", ".join(links)} if links else None)
