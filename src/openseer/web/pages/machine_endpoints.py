"""What other programs ask a site for: OpenSearch, unAPI, the site map, robots.txt."""

from __future__ import annotations

from itertools import islice
from typing import Annotated
from xml.sax.saxutils import escape, quoteattr

from fastapi import APIRouter, Query, Request
from fastapi.responses import PlainTextResponse, Response

from openseer.catalog.export.registry import FORMATS
from openseer.catalog.work_view import find, indexed
from openseer.core.errors import BadRequest, NotFound
from openseer.storage.open import Library
from openseer.web.dependencies import IndexDep, LibraryDep, ViewerDep
from openseer.web.responses import base_url

router = APIRouter()
READS = ["GET", "HEAD"]
IN_A_MAP = 25_000
HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
OFFERED = ("ris", "refer", "bibtex", "csl", "xml")
"""Formats in the order in which unAPI clients prefer them."""


@router.api_route("/opensearch.xml", methods=READS)
def opensearch(request: Request, library: LibraryDep) -> Response:
    """The description by which browsers add this site to their search engines."""
    base, told = escape(base_url(request)), library.settings.site
    urls = [
        ("text/html", "results", "/search?q={searchTerms}&amp;start={startIndex?}"),
        ("application/atom+xml", "results", "/feeds/search.atom?q={searchTerms}"),
        ("application/rss+xml", "results", "/feeds/search.rss?q={searchTerms}"),
        ("application/x-suggestions+json", "suggestions", "/suggestions?q={searchTerms}"),
    ]
    lines = [f'<Url type="{kind}" rel="{rel}" template="{base}{path}" indexOffset="0"/>' for kind, rel, path in urls]
    body = (
        f'{HEAD}<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/"><ShortName>{escape(told.name[:16])}'
        f"</ShortName><Description>{escape(told.tagline[:1024])}</Description><InputEncoding>UTF-8</InputEncoding>"
        f'<Image width="16" height="16" type="image/svg+xml">{base}/static/icon.svg</Image>{"".join(lines)}'
        "</OpenSearchDescription>\n"
    )
    return Response(body, media_type="application/opensearchdescription+xml")


@router.api_route("/suggestions", methods=READS)
def suggestions(index: IndexDep, q: Annotated[str, Query(max_length=200)] = "") -> list[object]:
    """Completions in the form that browsers ask for."""
    return [q, [one.text for one in index.complete(q, 8)]]


@router.api_route("/robots.txt", methods=READS)
def robots(request: Request) -> Response:
    """Where robots may go; searching is for people, and programs have an API."""
    closed = ("/search", "/api/", "/export", "/cite/", "/feeds/", "/contexts", "/unapi", "/suggestions", "/submit")
    lines = ["User-agent: *", *(f"Disallow: {path}" for path in closed), "Allow: /api/openapi.json", "Crawl-delay: 1"]
    return PlainTextResponse("\n".join([*lines, "", f"Sitemap: {base_url(request)}/sitemap.xml", ""]))


@router.api_route("/sitemap.xml", methods=READS)
def sitemap(request: Request, library: LibraryDep) -> Response:
    """The list of site maps."""
    base = escape(base_url(request))
    works = library.records.counts()["works"]
    parts = (f"<sitemap><loc>{base}/sitemap/{n}.xml</loc></sitemap>" for n in range(max(1, -(-works // IN_A_MAP))))
    name = "http://www.sitemaps.org/schemas/sitemap/0.9"
    return Response(
        f'{HEAD}<sitemapindex xmlns="{name}">{"".join(parts)}</sitemapindex>\n', media_type="application/xml"
    )


@router.api_route("/sitemap/{number}.xml", methods=READS)
def sitemap_part(request: Request, library: LibraryDep, number: int) -> Response:
    """Pages of works, never files: who finds a file by a search should see what it is."""
    base = escape(base_url(request))
    urls = "".join(f"<url><loc>{base}/works/{work}</loc></url>" for work in _some_works(library, number))
    if not urls:
        raise NotFound(f"There is no site map {number}.", "They are listed at /sitemap.xml.")
    name = "http://www.sitemaps.org/schemas/sitemap/0.9"
    return Response(f'{HEAD}<urlset xmlns="{name}">{urls}</urlset>\n', media_type="application/xml")


def _some_works(library: Library, number: int) -> list[str]:
    roots = list(islice(library.records.live_works(), max(0, number) * IN_A_MAP, (max(0, number) + 1) * IN_A_MAP))
    public = library.records.public_works(roots)
    return [root for root in roots if root in public]


@router.api_route("/unapi", methods=READS)
def unapi(
    request: Request,
    library: LibraryDep,
    viewer: ViewerDep,
    name: Annotated[str, Query(alias="id", max_length=500)] = "",
    form: Annotated[str, Query(alias="format", max_length=20)] = "",
) -> Response:
    """Records by id, in the formats that reference managers ask for."""
    if not form:
        mark = f" id={quoteattr(name)}" if name else ""
        forms = "".join(f'<format name="{one}" type="{FORMATS[one].media_type}"/>' for one in OFFERED)
        status = 300 if name and find(library, name, viewer) else 200
        return Response(f"{HEAD}<formats{mark}>{forms}</formats>\n", status, media_type="application/xml")
    if form not in OFFERED:
        raise BadRequest(f"There is no format {form}.", f"Formats are {', '.join(OFFERED)}.")
    body = FORMATS[form].write([indexed(library, find(library, name, viewer))], base_url(request))
    return Response(body, media_type=f"{FORMATS[form].media_type}; charset=utf-8")
