"""Lists of documents by outcome, with the reasons of those that were not ingested."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Annotated
from urllib.parse import unquote, urlencode, urlsplit

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from openseer.core.errors import OUTCOMES
from openseer.core.model.description import header_id, work_id_of
from openseer.core.model.document import Document, DocumentSelection
from openseer.core.text.printable_path import printable
from openseer.storage.open import Library
from openseer.web.dependencies import LibraryDep, ViewerDep
from openseer.web.params import READ_METHODS
from openseer.web.templating import render

router = APIRouter()
PAGE_SIZE = 50


@dataclass(frozen=True, slots=True)
class ListedDocument:
    """A document of the list."""

    document: Document
    name: str
    """Its file name; "" if file names are not shown."""
    work: str
    """Id of its work; "" if it has none."""


@router.api_route("/documents", methods=READ_METHODS)
def documents(
    request: Request,
    library: LibraryDep,
    viewer: ViewerDep,
    outcome: Annotated[str, Query(max_length=40)] = "",
    doubtful: bool = False,
    page: Annotated[int, Query(ge=1, le=100_000)] = 1,
) -> Response:
    """Documents with one outcome, or those that are probably not papers."""
    outcome = outcome if outcome in OUTCOMES or outcome == "waiting" else ""
    selection = DocumentSelection((outcome,) if outcome else (), is_doubtful=doubtful)
    total, found = library.records.as_seen_by(viewer).list_documents(selection, (page - 1) * PAGE_SIZE, PAGE_SIZE)
    values = {
        "outcome": outcome,
        "meaning": OUTCOMES.get(outcome, ""),
        "doubtful": doubtful,
        "total": total,
        "documents": _listed(library, found),
        "names_shown": library.settings.web.list_files,
        "outcomes": library.records.outcomes(),
        "page": page,
        "last": max(1, -(-total // PAGE_SIZE)),
        "link": _link(outcome, doubtful),
    }
    return render(request, "documents.html", values)


def _listed(library: Library, found: list[Document]) -> list[ListedDocument]:
    shows_names = library.settings.web.list_files
    ids = {one.sha1: work_id_of(header_id(one.sha1)) for one in found if one.outcome == "ingested"}
    works = library.records.canonical_ids(ids.values())
    return [
        ListedDocument(one, _name(one) if shows_names else "", works.get(ids.get(one.sha1, ""), "")) for one in found
    ]


def _name(document: Document) -> str:
    """Last part of its first source: a folder may be private."""
    path = urlsplit(document.sources[0].url).path if document.sources else ""
    return printable(PurePosixPath(unquote(path)).name)


def _link(outcome: str, doubtful: bool) -> Callable[[int], str]:
    chosen = {"outcome": outcome, "doubtful": "true" if doubtful else ""}
    pairs = {name: value for name, value in chosen.items() if value}
    return lambda number: "/documents?" + urlencode({**pairs, "page": number})
