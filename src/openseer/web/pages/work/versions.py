"""Versions of a work beside each other: what differs in their fields, and in their texts by paragraph."""

from __future__ import annotations

import gzip
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import orjson
from fastapi import APIRouter, Query, Request, Response

from openseer.catalog.work_view import Version, find, names_of, view
from openseer.core.errors import NotFound, Unavailable
from openseer.core.model.description import MatchFields
from openseer.core.model.document import Document, Viewer
from openseer.core.model.work import DescriptionCount
from openseer.core.text.diff import SAME, Difference, differences
from openseer.storage.codecs.document_summary import DocumentSummary, decode
from openseer.storage.open import Library
from openseer.web.dependencies import LibraryDep, ViewerDep
from openseer.web.services import cached
from openseer.web.templating import plural, render

router = APIRouter()
READS = ["GET", "HEAD"]
SHA1 = Query(pattern="^([0-9a-fA-F]{40})?$")
MOST_PARAGRAPHS = 8000
"""Paragraphs of a text that are compared; a book of a thousand pages has about as many."""
ON_A_PAGE = 60
"""Differences shown at a time."""
TOLD_OF = 8
"""Versions of which the page of a work tells what differs."""
FIELDS = ("title", "authors", "year", "venue", "doi", "abstract", "pages", "words", "references")


@dataclass(frozen=True, slots=True)
class Field:
    """One field in two versions."""

    name: str
    old: str
    new: str

    @property
    def differs(self) -> bool:
        """Whether the two say something else."""
        return self.old != self.new


@router.api_route("/works/{work}/versions", methods=READS)
def versions(
    request: Request,
    work: str,
    library: LibraryDep,
    viewer: ViewerDep,
    old: Annotated[str, SHA1, Query(alias="from")] = "",
    new: Annotated[str, SHA1, Query(alias="to")] = "",
    start: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
) -> Response:
    """Two versions side by side."""
    shown = view(library, find(library, work, viewer), viewer)
    files = {one.document.sha1: one for one in shown.versions}
    if len(files) < 2:
        raise NotFound("This work has no other version here.", f"See /works/{shown.id}.")
    first, second = _chosen(list(files), old.lower(), new.lower())
    found = cached(
        request,
        f"differences {first} {second} {files[first].document.generation} {files[second].document.generation}",
        lambda: _texts_apart(library, files[first].document, files[second].document),
    )
    values: dict[str, Any] = {
        "work": shown,
        "files": files,
        "first": files[first],
        "second": files[second],
        "fields": _beside(library, [files[first].document, files[second].document], viewer),
        "found": found,
        "texts": found is not None and _some(found, start),
        "start": start,
        "on_a_page": ON_A_PAGE,
    }
    return render(request, "versions.html", values)


def _chosen(known: Sequence[str], old: str, new: str) -> tuple[str, str]:
    """The two to compare: as asked, else the first two; an unknown one is told."""
    for sha1 in filter(None, (old, new)):
        if sha1 not in known:
            raise NotFound(f"{sha1} is no version of this work.", "Choose one of those that the work's page lists.")
    first = old or next(sha1 for sha1 in known if sha1 != new)
    return first, new or next(sha1 for sha1 in known if sha1 != first)


# -- fields -------------------------------------------------------------------------------------------------------


def told_apart(library: Library, seen: Sequence[DescriptionCount], files: Sequence[Version]) -> Mapping[str, list[str]]:
    """In which fields each version differs from the first: SHA-1 -> what is said of it."""
    own = [one for one in files if not one.elsewhere][:TOLD_OF]
    if len(own) < 2:
        return {}
    headers = {one.sha1: one.fields for one in seen if one.kind == "header"}
    values = [_values(one.document, headers[one.document.sha1], _reading(library, one.document)) for one in own]
    return {
        one.document.sha1: [
            _said(name, mine[name], values[0][name]) for name in FIELDS if mine[name] != values[0][name]
        ]
        for one, mine in zip(own[1:], values[1:], strict=True)
    }


def _said(name: str, mine: str, first: str) -> str:
    if name in ("pages", "words", "references"):
        return f"{mine} {name} (not {first})"
    shown = "DOI" if name == "doi" else name
    if name in ("year", "venue", "doi") or not (mine and first):
        return f"{shown} {mine}" if mine else f"no {shown}"
    return f"another {name}" if name != "authors" else "other authors"


def _beside(library: Library, documents: Sequence[Document], viewer: Viewer) -> list[Field]:
    old, new = (_values(one, _header(library, one, viewer), _reading(library, one)) for one in documents)
    return [Field(name, old[name], new[name]) for name in FIELDS if old[name] or new[name]]


def _header(library: Library, document: Document, viewer: Viewer) -> MatchFields:
    root = find(library, document.sha1, viewer)
    seen = library.records.descriptions_of([root]).get(root, ())
    return next(one.fields for one in seen if one.kind == "header" and one.sha1 == document.sha1)


def _reading(library: Library, document: Document) -> DocumentSummary:
    return decode(library.records.summary(document.sha1))


def _values(document: Document, fields: MatchFields, reading: DocumentSummary) -> dict[str, str]:
    return {
        "title": fields.title,
        "authors": ", ".join(names_of(fields.authors)),
        "year": str(fields.year or ""),
        "venue": fields.venue,
        "doi": fields.doi,
        "abstract": reading.abstract,
        "pages": f"{document.pages:,}",
        "words": f"{document.words:,}",
        "references": f"{len(reading.references):,}",
    }


# -- texts --------------------------------------------------------------------------------------------------------


def _texts_apart(library: Library, old: Document, new: Document) -> list[Difference] | None:
    """What differs, or None when a text is not to be had."""
    try:
        return differences(list(_paragraphs(library, old)), list(_paragraphs(library, new)))
    except (NotFound, Unavailable):
        return None


def _paragraphs(library: Library, document: Document) -> Iterator[str]:
    packed = library.files.read("extraction", document.sha1, f"{document.generation}.json.gz")
    count = 0
    for section in orjson.loads(gzip.decompress(packed))["sections"]:
        if section["type"] == "references":
            continue
        text = section["text"]
        spans = [one["at"] for one in section.get("paragraphs") or ()] or [(0, len(text))]
        for paragraph in (section["heading"], *(text[at:end] for at, end in spans)):
            if paragraph.strip() and count < MOST_PARAGRAPHS:
                count += 1
                yield paragraph.strip()


def _some(found: Sequence[Difference], start: int) -> dict[str, Any]:
    """The differences from one on, with the runs of equal paragraphs between them."""
    places = [place for place, one in enumerate(found) if one.kind != SAME]
    chosen = places[start : start + ON_A_PAGE]
    shown = found[max(0, chosen[0] - 1) : chosen[-1] + 2] if chosen else []
    same = sum(one.count for one in found if one.kind == SAME)
    return {
        "shown": shown,
        "total": len(places),
        "same": plural(same, "paragraph"),
        "next": start + ON_A_PAGE if start + ON_A_PAGE < len(places) else None,
    }
