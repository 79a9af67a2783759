"""Endpoints for other programs: OpenSearch, suggestions, unAPI, site maps, robots.txt."""

from __future__ import annotations

from itertools import islice
from typing import Annotated
from xml.sax.saxutils import escape, quoteattr

from fastapi import APIRouter, Query, Request
from fastapi.responses import PlainTextResponse, Response

from openseer.catalog.export.registry import FORMATS
from openseer.catalog.identifiers import find
from openseer.catalog.indexing.projection import indexed
from openseer.core.errors import BadRequest, NotFound
from openseer.storage.open import Library
from openseer.web.dependencies import IndexDep, LibraryDep, ViewerDep
from openseer.web.params import READ_METHODS
from openseer.web.responses import base_url

router = APIRouter()
WORKS_PER_SITEMAP = 25_000
MAX_SITEMAPS = 50_000
"""As many as one index of site maps may list."""
XML_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'
SITEMAP_NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
UNAPI_FORMATS = ("ris", "refer", "bibtex", "csl", "xml")
"""In the order in which unAPI clients prefer them."""
DISALLOWED = ("/search", "/api/", "/export", "/cite/", "/feeds/", "/contexts", "/unapi", "/suggestions", "/submit")
"""Paths that robots must not visit: they are for people, and programs have an API."""


@router.api_route("/opensearch.xml", methods=READ_METHODS)
def opensearch(request: Request, library: LibraryDep) -> Response:
    """OpenSearch description, by which browsers add this site to their search engines."""
    base, site = escape(base_url(request)), library.settings.site
    urls = [
        ("text/html", "results", "/search?q={searchTerms}&amp;start={startIndex?}"),
        ("application/atom+xml", "results", "/feeds/search.atom?q={searchTerms}"),
        ("application/rss+xml", "results", "/feeds/search.rss?q={searchTerms}"),
        ("application/x-suggestions+json", "suggestions", "/suggestions?q={searchTerms}"),
    ]
    lines = [f'<Url type="{kind}" rel="{rel}" template="{base}{path}" indexOffset="0"/>' for kind, rel, path in urls]
    name, tagline = escape(site.name[:16]), escape(site.tagline[:1024])
    body = (
        f'{XML_DECLARATION}<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/"><ShortName>{name}'
        f"</ShortName><Description>{tagline}</Description><InputEncoding>UTF-8</InputEncoding>"
        f'<Image width="16" height="16" type="image/svg+xml">{base}/static/icon.svg</Image>{"".join(lines)}'
        "</OpenSearchDescription>\n"
    )
    return Response(body, media_type="application/opensearchdescription+xml")


@router.api_route("/suggestions", methods=READ_METHODS)
def suggestions(index: IndexDep, q: Annotated[str, Query(max_length=200)] = "") -> list[object]:
    """Autocompletion in the format of browsers."""
    return [q, [one.text for one in index.complete(q, 8)]]


@router.api_route("/robots.txt", methods=READ_METHODS)
def robots(request: Request) -> Response:
    """Rules for robots."""
    rules = [f"Disallow: {path}" for path in DISALLOWED]
    lines = ["User-agent: *", *rules, "Allow: /api/openapi.json", "Crawl-delay: 1"]
    return PlainTextResponse("\n".join([*lines, "", f"Sitemap: {base_url(request)}/sitemap.xml", ""]))


@router.api_route("/sitemap.xml", methods=READ_METHODS)
def sitemap(request: Request, library: LibraryDep) -> Response:
    """Index of the site maps."""
    base, works = escape(base_url(request)), library.records.counts()["works"]
    numbers = range(max(1, -(-works // WORKS_PER_SITEMAP)))
    parts = "".join(f"<sitemap><loc>{base}/sitemap/{number}.xml</loc></sitemap>" for number in numbers)
    body = f'{XML_DECLARATION}<sitemapindex xmlns="{SITEMAP_NAMESPACE}">{parts}</sitemapindex>\n'
    return Response(body, media_type="application/xml")


@router.api_route("/sitemap/{number}.xml", methods=READ_METHODS)
def sitemap_part(request: Request, library: LibraryDep, number: int) -> Response:
    """Site map of work pages; files are not listed, so that searchers land on the page of a work."""
    base = escape(base_url(request))
    urls = "".join(f"<url><loc>{base}/works/{work}</loc></url>" for work in _sitemap_works(library, number))
    if not urls:
        raise NotFound(f"There is no site map {number}.", "See /sitemap.xml for the list.")
    body = f'{XML_DECLARATION}<urlset xmlns="{SITEMAP_NAMESPACE}">{urls}</urlset>\n'
    return Response(body, media_type="application/xml")


def _sitemap_works(library: Library, number: int) -> list[str]:
    if not 0 <= number <= MAX_SITEMAPS:
        return []
    start = number * WORKS_PER_SITEMAP
    return list(islice(library.records.live_works(), start, start + WORKS_PER_SITEMAP))


@router.api_route("/unapi", methods=READ_METHODS)
def unapi(
    request: Request,
    library: LibraryDep,
    viewer: ViewerDep,
    name: Annotated[str, Query(alias="id", max_length=500)] = "",
    form: Annotated[str, Query(alias="format", max_length=20)] = "",
) -> Response:
    """unAPI: the list of formats, or one work in one format."""
    if not form:
        attribute = f" id={quoteattr(name)}" if name else ""
        formats = "".join(f'<format name="{one}" type="{FORMATS[one].media_type}"/>' for one in UNAPI_FORMATS)
        status = 300 if name and find(library, name, viewer) else 200
        body = f"{XML_DECLARATION}<formats{attribute}>{formats}</formats>\n"
        return Response(body, status, media_type="application/xml")
    if form not in UNAPI_FORMATS:
        raise BadRequest(f"Unknown format: {form}.", f"Formats are {', '.join(UNAPI_FORMATS)}.")
    exported = FORMATS[form].write([indexed(library, find(library, name, viewer))], base_url(request))
    return Response(exported, media_type=f"{FORMATS[form].media_type}; charset=utf-8")
