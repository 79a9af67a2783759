"""Comparison of two versions of a work: metadata fields, and texts by paragraph."""

from __future__ import annotations

import gzip
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import orjson
from fastapi import APIRouter, Query, Request, Response

from openseer.catalog.identifiers import find
from openseer.catalog.work_view import Version, view
from openseer.core.errors import NotFound, Unavailable
from openseer.core.model.description import MatchFields
from openseer.core.model.document import Document, Viewer
from openseer.core.model.work import DescriptionCount
from openseer.core.text.diff import SAME, Difference, differences
from openseer.core.text.name_strings import names_of
from openseer.storage.codecs.document_summary import DocumentSummary, decode
from openseer.storage.open import Library
from openseer.web.dependencies import LibraryDep, ViewerDep
from openseer.web.params import READ_METHODS
from openseer.web.services import cached
from openseer.web.templating import plural, render

router = APIRouter()
SHA1 = Query(pattern="^([0-9a-fA-F]{40})?$")
MAX_PARAGRAPHS = 8000
"""Paragraphs compared in each text; a book of a thousand pages has about as many."""
PAGE_SIZE = 60
"""Differences on a page."""
MAX_COMPARED = 8
"""Versions that the work page compares with the first."""
FIELDS = ("title", "authors", "year", "venue", "doi", "abstract", "pages", "words", "references")


@dataclass(frozen=True, slots=True)
class FieldComparison:
    """One field in two versions."""

    name: str
    old: str
    new: str

    @property
    def differs(self) -> bool:
        """True if the values are not equal."""
        return self.old != self.new


@router.api_route("/works/{work}/versions", methods=READ_METHODS)
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
    work_view = view(library, find(library, work, viewer), viewer)
    files = {one.document.sha1: one for one in work_view.versions}
    if len(files) < 2:
        raise NotFound("This work has only one version here.", f"See /works/{work_view.id}.")
    first, second = _chosen_pair(list(files), old.lower(), new.lower())
    found = cached(
        request,
        f"differences {first} {second} {files[first].document.generation} {files[second].document.generation}",
        lambda: _text_differences(library, files[first].document, files[second].document),
    )
    values: dict[str, Any] = {
        "work": work_view,
        "files": files,
        "first": files[first],
        "second": files[second],
        "fields": _compare_fields(library, [files[first].document, files[second].document], viewer),
        "texts": found is not None and _difference_page(found, start),
        "start": start,
        "page_size": PAGE_SIZE,
    }
    return render(request, "versions.html", values)


def _chosen_pair(known: Sequence[str], old: str, new: str) -> tuple[str, str]:
    """The requested versions, by default the first two; an error for a SHA-1 of another work."""
    for sha1 in filter(None, (old, new)):
        if sha1 not in known:
            raise NotFound(f"{sha1} is not a version of this work.", "Choose a version listed on the work page.")
    first = old or next(sha1 for sha1 in known if sha1 != new)
    return first, new or next(sha1 for sha1 in known if sha1 != first)


# -- fields -------------------------------------------------------------------------------------------------------


def differing_fields(
    library: Library, descriptions: Sequence[DescriptionCount], files: Sequence[Version]
) -> Mapping[str, list[str]]:
    """SHA-1 of each later version -> how its fields differ from the first version."""
    compared = [one for one in files if not one.elsewhere][:MAX_COMPARED]
    if len(compared) < 2:
        return {}
    headers = {one.sha1: one.fields for one in descriptions if one.kind == "header"}
    values = [_values(one.document, headers[one.document.sha1], _summary(library, one.document)) for one in compared]
    return {
        version.document.sha1: [
            _difference_text(name, later[name], values[0][name]) for name in FIELDS if later[name] != values[0][name]
        ]
        for version, later in zip(compared[1:], values[1:], strict=True)
    }


def _difference_text(name: str, value: str, first: str) -> str:
    if name in ("pages", "words", "references"):
        return f"{value} {name} (not {first})"
    label = "DOI" if name == "doi" else name
    if name in ("year", "venue", "doi") or not (value and first):
        return f"{label} {value}" if value else f"no {label}"
    return f"different {name}"


def _compare_fields(library: Library, documents: Sequence[Document], viewer: Viewer) -> list[FieldComparison]:
    old, new = (_values(one, _header(library, one, viewer), _summary(library, one)) for one in documents)
    return [FieldComparison(name, old[name], new[name]) for name in FIELDS if old[name] or new[name]]


def _header(library: Library, document: Document, viewer: Viewer) -> MatchFields:
    root = find(library, document.sha1, viewer)
    descriptions = library.records.descriptions_of([root]).get(root, ())
    return next(one.fields for one in descriptions if one.kind == "header" and one.sha1 == document.sha1)


def _summary(library: Library, document: Document) -> DocumentSummary:
    return decode(library.records.summary(document.sha1))


def _values(document: Document, fields: MatchFields, summary: DocumentSummary) -> dict[str, str]:
    return {
        "title": fields.title,
        "authors": ", ".join(names_of(fields.authors)),
        "year": str(fields.year or ""),
        "venue": fields.venue,
        "doi": fields.doi,
        "abstract": summary.abstract,
        "pages": f"{document.pages:,}",
        "words": f"{document.words:,}",
        "references": f"{len(summary.references):,}",
    }


# -- texts --------------------------------------------------------------------------------------------------------


def _text_differences(library: Library, old: Document, new: Document) -> list[Difference] | None:
    """Differences of the texts, or None if a text is not available."""
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
        for paragraph in (section["heading"], *(text[start:end] for start, end in spans)):
            if paragraph.strip() and count < MAX_PARAGRAPHS:
                count += 1
                yield paragraph.strip()


def _difference_page(found: Sequence[Difference], start: int) -> dict[str, Any]:
    """One page of differences, with the runs of equal paragraphs between them."""
    changed = [position for position, one in enumerate(found) if one.kind != SAME]
    chosen = changed[start : start + PAGE_SIZE]
    same = sum(one.count for one in found if one.kind == SAME)
    return {
        "differences": found[max(0, chosen[0] - 1) : chosen[-1] + 2] if chosen else [],
        "total": len(changed),
        "same": plural(same, "paragraph"),
        "next": start + PAGE_SIZE if start + PAGE_SIZE < len(changed) else None,
    }
