"""Redirects from URLs of the old CiteSeerX and its successor, which many links on the web still use."""

from __future__ import annotations

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
    return RedirectResponse(address, 302)


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
    return _redirect(f"/document/{work.documents[0].sha1}.pdf")


@router.api_route("/showciting", methods=READ_METHODS)
def showciting(library: LibraryDep, viewer: ViewerDep, doi: IdParameter = "", cid: IdParameter = "") -> Response:
    """To the works that cite a work."""
    return _redirect(f"/works/{_find_work(library, viewer, doi, cid)}#cited-by")


@router.api_route("/show_citing/{name}", methods=READ_METHODS)
def show_citing(library: LibraryDep, viewer: ViewerDep, name: str) -> Response:
    """To the works that cite a work, as the successor wrote it."""
    return _redirect(f"/works/{_find_work(library, viewer, name)}#cited-by")


@router.api_route("/doc_view/{kind}/{name}", methods=READ_METHODS)
def doc_view(library: LibraryDep, viewer: ViewerDep, kind: str, name: str) -> Response:
    """To the page of a work, by the SHA-1 of a file (`pid`) or by work id (`cid`)."""
    return _redirect(f"/works/{_find_work(library, viewer, name)}")


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
