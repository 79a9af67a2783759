"""Redirects from URLs of the old CiteSeerX and its successor, which many links on the web still use."""

from __future__ import annotations

import re
from typing import Annotated
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request
from fastapi.responses import RedirectResponse, Response

from openseer.catalog.identifiers import find
from openseer.catalog.work_view import view
from openseer.core.errors import BadRequest, NotFound
from openseer.core.model.document import Viewer
from openseer.storage.open import Library
from openseer.web.dependencies import LibraryDep, ViewerDep
from openseer.web.downloads import CACHE_ONE_DAY
from openseer.web.params import READ_METHODS

router = APIRouter()
IdParameter = Annotated[str, Query(max_length=500)]
OLD_ID_PREFIX = "10.1.1."
"""Prefix of ids of the old CiteSeerX; they look like DOIs."""
SIMILARITY_KINDS = {"ab": "coupling", "cc": "cocitation", "sc": "text"}


def _find_work(library: Library, viewer: Viewer, *names: str) -> str:
    name = next(filter(None, names), "")
    if not name:
        raise BadRequest(
            "Missing parameter: doi or cid.", "Give doi= (the SHA-1 of a file, or a DOI) or cid= (a work id)."
        )
    if name.startswith(OLD_ID_PREFIX):
        raise NotFound(f"{name} is an id of another library.", "Search for the title of the work.")
    return find(library, name, viewer)


def _redirect(address: str) -> Response:
    """A permanent redirect that is asked for again after a day, since a merge of works can be undone."""
    return RedirectResponse(address, 301, {"Cache-Control": CACHE_ONE_DAY})


@router.api_route("/viewdoc/summary", methods=READ_METHODS)
def summary(library: LibraryDep, viewer: ViewerDep, doi: IdParameter = "", cid: IdParameter = "") -> Response:
    """To the page of a work."""
    return _redirect(f"/works/{_find_work(library, viewer, doi, cid)}")


@router.api_route("/viewdoc/citations", methods=READ_METHODS)
def references(library: LibraryDep, viewer: ViewerDep, doi: IdParameter = "", cid: IdParameter = "") -> Response:
    """To the references of a work."""
    return _redirect(f"/works/{_find_work(library, viewer, doi, cid)}#references")


@router.api_route("/viewdoc/similar", methods=READ_METHODS)
def similar(
    library: LibraryDep,
    viewer: ViewerDep,
    doi: IdParameter = "",
    cid: IdParameter = "",
    kind: Annotated[str, Query(alias="type")] = "",
) -> Response:
    """To the similar works: active bibliography, co-citation or text."""
    work, by = _find_work(library, viewer, doi, cid), SIMILARITY_KINDS.get(kind, "all")
    return _redirect(f"/works/{work}?similar={by}#similar")


@router.api_route("/viewdoc/versions", methods=READ_METHODS)
def versions(library: LibraryDep, viewer: ViewerDep, doi: IdParameter = "", cid: IdParameter = "") -> Response:
    """To the files of a work."""
    return _redirect(f"/works/{_find_work(library, viewer, doi, cid)}#versions")


@router.api_route("/viewdoc/download", methods=READ_METHODS)
def download(library: LibraryDep, viewer: ViewerDep, doi: IdParameter = "", cid: IdParameter = "") -> Response:
    """To the first file of a work."""
    work = view(library, _find_work(library, viewer, doi, cid), viewer)
    if not work.documents:
        raise NotFound("The full text of this work is not in this library.", f"See its metadata at /works/{work.id}.")
    return _redirect(f"/document/{work.documents[0].sha1}.{work.documents[0].type.suffix}")


@router.api_route("/showciting", methods=READ_METHODS)
def showciting(
    library: LibraryDep,
    viewer: ViewerDep,
    doi: IdParameter = "",
    cid: IdParameter = "",
    feed: Annotated[str, Query(max_length=10)] = "",
) -> Response:
    """To the works that cite a work, or to their feed."""
    work = _find_work(library, viewer, doi, cid)
    if feed in ("rss", "atom"):
        return _redirect(f"/feeds/search.{feed}?" + urlencode({"q": f"citations(id:{work})"}))
    return _redirect(f"/works/{work}#cited-by")


@router.api_route("/show_citing/{name}", methods=READ_METHODS)
def show_citing(library: LibraryDep, viewer: ViewerDep, name: str) -> Response:
    """To the works that cite a work, as the successor wrote it."""
    return _redirect(f"/works/{_find_work(library, viewer, name)}#cited-by")


@router.api_route("/doc_view/{kind}/{name}", methods=READ_METHODS)
def doc_view(library: LibraryDep, viewer: ViewerDep, kind: str, name: str) -> Response:
    """To the page of a work, by the SHA-1 of a file (`pid`) or by work id (`cid`)."""
    return _redirect(f"/works/{_find_work(library, viewer, name)}")


@router.api_route("/document", methods=READ_METHODS)
def repository_document(
    doi: IdParameter = "", kind: Annotated[str, Query(alias="type", max_length=10)] = "pdf"
) -> Response:
    """To a file, as the repository server of the successor named it: doi is its SHA-1."""
    if not re.fullmatch(r"[0-9a-fA-F]{40}", doi):
        raise BadRequest(f"No SHA-1: {doi[:60]}.", "Give doi= (the SHA-1 of a file) and type= (pdf, txt or xml).")
    sha1 = doi.lower()
    is_pdf = kind == "pdf"
    return _redirect(f"/document/{sha1}.pdf" if is_pdf else "/api/document?" + urlencode({"doi": sha1, "type": kind}))


@router.api_route("/legacymapper", methods=READ_METHODS)
def legacy_mapper(did: IdParameter = "") -> Response:
    """404: ids of the first CiteSeer are ids of another library."""
    raise NotFound(f"{did or 'The id'} is an id of another library.", "Search for the title of the work.")


@router.api_route("/pdf/{sha1}", methods=READ_METHODS)
def pdf(sha1: str) -> Response:
    """To a file in the reader."""
    return _redirect(f"/read/{sha1.removesuffix('.pdf')}")


@router.api_route("/viewauth/summary", methods=READ_METHODS)
def author(aid: IdParameter = "") -> Response:
    """To the list of authors; the old author ids have no meaning here."""
    return _redirect("/browse/authors")


@router.api_route("/search_result", methods=READ_METHODS)
def search_result(request: Request) -> Response:
    """To the results of a query."""
    query = request.query_params.get("query") or request.query_params.get("q", "")
    return _redirect("/search?" + urlencode({"q": query}))


@router.api_route("/advanced_search", methods=READ_METHODS)
def advanced(request: Request) -> Response:
    """To the advanced search form."""
    return _redirect("/advanced" + (f"?{request.query_params}" if request.query_params else ""))


@router.api_route("/stats/{what}", methods=READ_METHODS)
def stats(what: str, y: Annotated[str, Query(max_length=4)] = "") -> Response:
    """To the statistics."""
    return _redirect("/stats" + (f"?y={y}" if y.isdigit() else ""))


@router.api_route("/new", methods=READ_METHODS)
def new() -> Response:
    """To the papers added last."""
    return _redirect("/search?sort=added&full=true")


@router.api_route("/metacart", methods=READ_METHODS)
def metacart() -> Response:
    """To the saved works."""
    return _redirect("/cart")


@router.api_route("/privacy", methods=READ_METHODS)
def privacy() -> Response:
    """To the statement on privacy."""
    return _redirect("/help#privacy")


@router.api_route("/healthcheck", methods=READ_METHODS)
def health_check() -> Response:
    """To the health check."""
    return _redirect("/healthz")


@router.api_route("/help/{page:path}", methods=READ_METHODS)
def help_page(page: str) -> Response:
    """To the help page."""
    return _redirect("/help")


@router.api_route("/about/{page:path}", methods=READ_METHODS)
def about_page(page: str) -> Response:
    """To the about page."""
    return _redirect("/about")
