"""Addresses of the old CiteSeerX and of its successor: thousands of links on the web use them."""

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

router = APIRouter()
READS = ["GET", "HEAD"]
Name = Annotated[str, Query(max_length=500)]
OLD_ID = "10.1.1."
"""How the ids of the old CiteSeerX begin; they look like DOIs and are none."""
SIMILAR = {"ab": "coupling", "cc": "cocitation", "sc": "text"}


def _work(library: Library, viewer: Viewer, *names: str) -> str:
    name = next(filter(None, names), "")
    if not name:
        raise BadRequest("Name a work.", "Give doi= (the SHA-1 of a file, or a DOI) or cid= (the id of a work).")
    if name.startswith(OLD_ID):
        raise NotFound(f"{name} is an id of another library.", "Look for the work by its title.")
    return find(library, name, viewer)


def _to(address: str) -> Response:
    return RedirectResponse(address, 302)


@router.api_route("/viewdoc/summary", methods=READS)
def summary(library: LibraryDep, viewer: ViewerDep, doi: Name = "", cid: Name = "") -> Response:
    """A work."""
    return _to(f"/works/{_work(library, viewer, doi, cid)}")


@router.api_route("/viewdoc/citations", methods=READS)
def references(library: LibraryDep, viewer: ViewerDep, doi: Name = "", cid: Name = "") -> Response:
    """What a work cites."""
    return _to(f"/works/{_work(library, viewer, doi, cid)}#references")


@router.api_route("/viewdoc/similar", methods=READS)
def similar(
    library: LibraryDep,
    viewer: ViewerDep,
    doi: Name = "",
    cid: Name = "",
    kind: Annotated[str, Query(alias="type")] = "",
) -> Response:
    """Works like one: active bibliography, co-citation, or those grouped with it."""
    return _to(f"/works/{_work(library, viewer, doi, cid)}?similar={SIMILAR.get(kind, 'all')}#similar")


@router.api_route("/viewdoc/versions", methods=READS)
def versions(library: LibraryDep, viewer: ViewerDep, doi: Name = "", cid: Name = "") -> Response:
    """The files of a work."""
    return _to(f"/works/{_work(library, viewer, doi, cid)}#versions")


@router.api_route("/viewdoc/download", methods=READS)
def download(library: LibraryDep, viewer: ViewerDep, doi: Name = "", cid: Name = "") -> Response:
    """The file of a work."""
    shown = view(library, _work(library, viewer, doi, cid), viewer)
    if not shown.documents:
        raise NotFound("The text of this work is not in this library.", f"What is known of it: /works/{shown.id}")
    return _to(f"/document/{shown.documents[0].sha1}.pdf")


@router.api_route("/showciting", methods=READS)
def showciting(library: LibraryDep, viewer: ViewerDep, doi: Name = "", cid: Name = "") -> Response:
    """Who cites a work."""
    return _to(f"/works/{_work(library, viewer, doi, cid)}#cited-by")


@router.api_route("/show_citing/{name}", methods=READS)
def show_citing(library: LibraryDep, viewer: ViewerDep, name: str) -> Response:
    """The same, as the successor wrote it."""
    return _to(f"/works/{_work(library, viewer, name)}#cited-by")


@router.api_route("/doc_view/{kind}/{name}", methods=READS)
def doc_view(library: LibraryDep, viewer: ViewerDep, kind: str, name: str) -> Response:
    """A work by the SHA-1 of a file (`pid`) or by its id (`cid`)."""
    return _to(f"/works/{_work(library, viewer, name)}")


@router.api_route("/pdf/{sha1}", methods=READS)
def pdf(sha1: str) -> Response:
    """A file in the reader."""
    return _to(f"/read/{sha1.removesuffix('.pdf')}")


@router.api_route("/viewauth/summary", methods=READS)
def author(aid: Name = "") -> Response:
    """Authors had numbers, which are of no meaning here."""
    return _to("/browse/authors")


@router.api_route("/search_result", methods=READS)
def search_result(request: Request) -> Response:
    """Results."""
    return _to("/search?" + urlencode({"q": request.query_params.get("query") or request.query_params.get("q", "")}))


@router.api_route("/advanced_search", methods=READS)
def advanced(request: Request) -> Response:
    """The advanced form."""
    return _to("/advanced" + (f"?{request.query_params}" if request.query_params else ""))


@router.api_route("/stats/{what}", methods=READS)
def stats(what: str, y: Annotated[str, Query(max_length=4)] = "") -> Response:
    """Statistics."""
    return _to("/stats" + (f"?y={y}" if y.isdigit() else ""))


@router.api_route("/new", methods=READS)
def new() -> Response:
    """What came last."""
    return _to("/search?sort=added&full=true")


@router.api_route("/metacart", methods=READS)
def metacart() -> Response:
    """What was saved."""
    return _to("/cart")
