"""Reading view: the PDF or its extracted text, with outline, references and citing works."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any

import orjson
from fastapi import APIRouter, Query, Request, Response
from markupsafe import Markup

from openseer.catalog.identifiers import find
from openseer.catalog.work_view import ReferenceEntry, WorkView, view
from openseer.core.errors import NotFound
from openseer.core.model import extraction
from openseer.core.model.document import Document
from openseer.core.model.document_type import PDF_MIME
from openseer.core.text.normalize import squeezed
from openseer.extract.citations.linked_paragraphs import LinkedText, linked_paragraphs
from openseer.storage.open import Library
from openseer.web.dependencies import IndexDep, LibraryDep, ViewerDep
from openseer.web.downloads import check_original
from openseer.web.pages.work.citing import citing_page
from openseer.web.params import READ_METHODS
from openseer.web.templating import render

router = APIRouter()
PART_CHARACTERS = 120_000
"""Characters of text sent at once, some 35 KB compressed."""
ABSTRACT_PREFIX = 60
"""Letters by which the abstract is recognised in the text."""
HEAD_CHARACTERS = 20_000
"""Length of the beginning of a text in which the abstract is looked for."""
MAX_ABSTRACT_SECTION = 4
"""A section "abstract" after so many sections is a summary."""
PRINTED_NUMBER = re.compile(r"\s*[\[(]?(\d{1,3})(?:[\].)]+(?!\d)\s*|\s+(?=[^\W\d_]))")
"""The number before an entry: "[12] Broder ...", "12. Broder ..." or "12 Broder ..."."""


@dataclass(frozen=True, slots=True)
class BibliographyItem:
    """An entry of the bibliography with its number separated."""

    entry: ReferenceEntry
    number: int
    text: str


@dataclass(frozen=True, slots=True)
class Passage:
    """A paragraph with citation links, and the page on which it begins."""

    text: Markup
    page: int
    anchors: tuple[int, ...] = ()
    """Pages whose links lead here: its own page if it is the first paragraph on it, and skipped pages before."""


@dataclass(frozen=True, slots=True)
class TextSection:
    """A section with its heading and paragraphs."""

    heading: str
    level: int
    kind: str
    """Section type; "abstract" is one."""
    number: int
    """Number of the section in the whole text, for links of the outline."""
    passages: tuple[Passage, ...]


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    """A heading in the outline with its link."""

    heading: str
    level: int
    address: str


@router.api_route("/read/{sha1}", methods=READ_METHODS)
def read(
    request: Request,
    sha1: str,
    library: LibraryDep,
    index: IndexDep,
    viewer: ViewerDep,
    page: Annotated[int, Query(ge=0, le=100_000)] = 0,
    show: Annotated[str, Query(alias="view", max_length=10)] = "pdf",
    part: Annotated[int, Query(ge=0, le=100_000)] = 0,
) -> Response:
    """Reader: the PDF in the browser's viewer, or its text, beside outline, references and citing sentences."""
    document = library.records.as_seen_by(viewer).document(sha1.lower())
    work = view(library, find(library, document.sha1, viewer), viewer)
    cited = index.find([one.work for one in work.entries if one.work])
    is_text = show == "text" or document.type.mime != PDF_MIME
    if not is_text:
        check_original(library, document)
    parts = _split_parts(_with_page_anchors(_text_sections(library, document, work))) if is_text else [[]]
    part = min(part or _part_of_page(parts, page), len(parts))
    values: dict[str, Any] = {
        "document": document,
        "work": work,
        "page": page or _first_page(parts[part - 1]),
        "bibliography": _bibliography(work.entries),
        "cited": cited,
        "citing": citing_page(library, index, work.id, 1, viewer),
        "is_text": is_text,
        "outline": list(_text_outline(parts, part) if is_text else _page_outline(work.reading.sections)),
        "sections": parts[part - 1],
        "part": part,
        "last": len(parts),
    }
    return render(request, "read.html", values)


def _text_sections(library: Library, document: Document, work: WorkView) -> list[TextSection]:
    """Sections of the stored extraction, with the abstract if they lack it; none if the extraction is lost."""
    try:
        packed = library.files.read("extraction", document.sha1, f"{document.generation}.json.gz")
    except NotFound:
        return []
    stored = orjson.loads(gzip.decompress(packed))
    sections = [_decode_section(one) for one in stored["sections"] if one["type"] != "references"]
    numbers = {entry.printed.get("raw", ""): entry.position + 1 for entry in work.entries}
    references = [_decode_reference(one) for one in stored["references"] if one["raw"] in numbers]
    entry_numbers = [numbers[one.raw] for one in references]
    text_sections = [
        TextSection(
            one.heading,
            one.level,
            one.type,
            number,
            tuple(Passage(_with_links(it.pieces, entry_numbers), it.page) for it in paragraphs),
        )
        for number, (one, paragraphs) in enumerate(
            zip(sections, linked_paragraphs(sections, references), strict=True), 1
        )
    ]
    abstract = work.reading.abstract
    if squeezed(abstract)[:ABSTRACT_PREFIX] not in squeezed(" ".join(one.text for one in sections)[:HEAD_CHARACTERS]):
        text_sections = _with_abstract(text_sections, abstract)
    return [one for one in text_sections if one.passages or one.kind != "abstract"]


def _with_abstract(sections: Sequence[TextSection], abstract: str) -> list[TextSection]:
    """Add the abstract under its heading (the shorter of two such sections), else before the first section."""
    passage = Passage(Markup.escape(abstract), 0)
    candidates = [one for one in sections[:MAX_ABSTRACT_SECTION] if one.kind == "abstract"]
    if not candidates:
        return [TextSection("", 1, "abstract", 0, (passage,)), *sections]
    target = min(candidates, key=lambda one: sum(len(passage.text) for passage in one.passages))
    return [replace(one, passages=(passage, *one.passages)) if one is target else one for one in sections]


def _with_page_anchors(sections: Iterable[TextSection]) -> Iterator[TextSection]:
    """Set the anchors of each page at the first paragraph that begins on it or later."""
    last = 0
    for section in sections:
        passages = []
        for one in section.passages:
            passages.append(replace(one, anchors=tuple(range(last + 1, one.page + 1))))
            last = max(last, one.page)
        yield replace(section, passages=tuple(passages))


def _anchored_pages(sections: Iterable[TextSection]) -> Iterator[int]:
    return (page for section in sections for passage in section.passages for page in passage.anchors)


def _first_page(sections: Iterable[TextSection]) -> int:
    return next((passage.page for section in sections for passage in section.passages if passage.page), 1)


def _part_of_page(parts: Sequence[Iterable[TextSection]], page: int) -> int:
    """Number of the part in which a page of the PDF begins."""
    first_pages = ((number, min(_anchored_pages(part), default=page + 1)) for number, part in enumerate(parts, 1))
    return max((number for number, first_page in first_pages if first_page <= page), default=1)


def _text_outline(parts: Sequence[Iterable[TextSection]], shown: int) -> Iterator[OutlineEntry]:
    """Outline with links to the headings of the text."""
    for number, part in enumerate(parts, 1):
        query = "" if number == shown else f"?view=text&part={number}"
        for one in part:
            if one.heading:
                yield OutlineEntry(one.heading, one.level, f"{query}#s-{one.number}")


def _page_outline(sections: Iterable[Mapping[str, Any]]) -> Iterator[OutlineEntry]:
    """Outline with links to the pages of the PDF."""
    return (OutlineEntry(one["heading"], one["level"], f"?page={one['page']}") for one in sections if one["heading"])


def _split_parts(sections: Iterable[TextSection]) -> list[list[TextSection]]:
    """Split a text into parts, so that a book is not sent at once."""
    parts: list[list[TextSection]] = [[]]
    room = PART_CHARACTERS
    for one in (piece for section in sections for piece in _split_section(section)):
        length = sum(len(passage.text) for passage in one.passages)
        if length > room and parts[-1]:
            parts.append([])
            room = PART_CHARACTERS
        parts[-1].append(one)
        room -= length
    return parts


def _split_section(section: TextSection) -> Iterator[TextSection]:
    """Split a section longer than a part; only the first piece has the heading."""
    heading, gathered, room = section.heading, list[Passage](), PART_CHARACTERS
    for passage in section.passages:
        if gathered and len(passage.text) > room:
            yield replace(section, heading=heading, passages=tuple(gathered))
            heading, gathered, room = "", [], PART_CHARACTERS
        gathered.append(passage)
        room -= len(passage.text)
    yield replace(section, heading=heading, passages=tuple(gathered))


def _bibliography(entries: Sequence[ReferenceEntry]) -> list[BibliographyItem]:
    """Entries with their printed numbers if most have one, else numbered by position."""
    raws = [entry.printed.get("raw", "") for entry in entries]
    matches = [PRINTED_NUMBER.match(raw) for raw in raws]
    if 2 * sum(map(bool, matches)) <= len(raws):
        matches = [None] * len(raws)
    return [
        BibliographyItem(entry, int(one[1]) if one else entry.position + 1, raw[one.end() :] if one else raw)
        for entry, raw, one in zip(entries, raws, matches, strict=True)
    ]


def _decode_section(one: Mapping[str, Any]) -> extraction.Section:
    paragraphs = (
        extraction.Paragraph((start, end), paragraph["page"])
        for paragraph in one.get("paragraphs", ())
        for start, end in [paragraph["at"]]
    )
    return extraction.Section(one["heading"], one["level"], one["type"], one["page"], one["text"], tuple(paragraphs))


def _decode_reference(one: Mapping[str, Any]) -> extraction.Reference:
    """A stored reference with the positions of its citation markers."""
    contexts = (
        extraction.Context(context["text"], at=tuple(context["at"]), page=context["page"], section=context["section"])
        for context in one.get("contexts", ())
        if context.get("at")
    )
    return extraction.Reference(one["raw"], contexts=tuple(contexts))


def _with_links(pieces: Iterable[LinkedText], entry_numbers: Sequence[int]) -> Markup:
    """A paragraph in which each citation marker links to the first entry it cites."""
    link = Markup('<a class="mark" href="#ref-{}">{}</a>')
    return Markup("").join(
        link.format(entry_numbers[one.entries[0]], one.text) if one.entries else Markup.escape(one.text)
        for one in pieces
    )
