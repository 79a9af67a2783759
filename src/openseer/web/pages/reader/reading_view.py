"""Reading a paper: the file beside what is known of it, or its text set anew."""

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
from openseer.core.text.normalize import squeezed
from openseer.extract.citations.linked_paragraphs import LinkedText, linked_paragraphs
from openseer.storage.open import Library
from openseer.web.dependencies import IndexDep, LibraryDep, ViewerDep
from openseer.web.pages.work.citing import citing_page
from openseer.web.templating import render

router = APIRouter()
READS = ["GET", "HEAD"]
ON_A_PAGE = 120_000
"""Characters of a text that are sent at once, some 35 KB packed."""
FIRST_LETTERS = 60
"""By so many letters an abstract is known again."""
HEAD = 20_000
"""Characters at the head of a text among which an abstract stands."""
FIRST_PARTS = 4
"""A summary that stands later is no abstract."""
PRINTED = re.compile(r"\s*[\[(]?(\d{1,3})(?:[\].)]+(?!\d)\s*|\s+(?=[^\W\d_]))")
"""The number before an entry: "[12] Broder ...", "12. Broder ..." or "12 Broder ..."."""


@dataclass(frozen=True, slots=True)
class Listed:
    """An entry of the bibliography as it is listed: its number stands before it, not in it."""

    entry: ReferenceEntry
    number: int
    text: str


@dataclass(frozen=True, slots=True)
class Passage:
    """A paragraph as it is read, and the page it begins on."""

    text: Markup
    page: int
    begins: tuple[int, ...] = ()
    """The pages looked for here: its own where it is the first on it, and those before on which none begins."""


@dataclass(frozen=True, slots=True)
class Part:
    """A section as it is read: its heading and paragraphs."""

    heading: str
    level: int
    kind: str
    """Its type as read; "abstract" is one."""
    number: int
    """By which the outline finds its heading: its place in the whole text."""
    passages: tuple[Passage, ...]


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the outline, and where it leads."""

    heading: str
    level: int
    address: str


@router.api_route("/read/{sha1}", methods=READS)
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
    """The browser's own view of the PDF, or its text, with outline, references and citing sentences beside it."""
    document = library.records.document(sha1.lower(), viewer)
    shown = view(library, find(library, document.sha1, viewer), viewer)
    others = index.find([one.work for one in shown.entries if one.work])
    is_text = show == "text"
    chunks = _chunks(_found(_parts(library, document, shown))) if is_text else [[]]
    part = min(part or _part_with(chunks, page), len(chunks))
    values: dict[str, Any] = {
        "document": document,
        "work": shown,
        "me": index.get(shown.id),
        "page": page or _first_page(chunks[part - 1]),
        "listed": _listed(shown.entries),
        "known": others,
        "citing": citing_page(library, index, shown.id, 1, viewer),
        "is_text": is_text,
        "outline": list(_in_text(chunks, part) if is_text else _in_file(shown.reading.sections)),
        "parts": chunks[part - 1],
        "part": part,
        "last": len(chunks),
    }
    return render(request, "read.html", values)


def _parts(library: Library, document: Document, shown: WorkView) -> list[Part]:
    """The sections of the stored extraction, and the abstract where they lack it; a lost one is told."""
    try:
        packed = library.files.read("extraction", document.sha1, f"{document.generation}.json.gz")
    except NotFound:
        return []
    stored = orjson.loads(gzip.decompress(packed))
    sections = [_section(one) for one in stored["sections"] if one["type"] != "references"]
    places = {entry.printed.get("raw", ""): entry.position + 1 for entry in shown.entries}
    references = [_reference(one) for one in stored["references"] if one["raw"] in places]
    entries = [places[one.raw] for one in references]
    parts = [
        Part(
            one.heading,
            one.level,
            one.type,
            number,
            tuple(Passage(_linked(it.pieces, entries), it.page) for it in found),
        )
        for number, (one, found) in enumerate(zip(sections, linked_paragraphs(sections, references), strict=True), 1)
    ]
    abstract = shown.reading.abstract
    if squeezed(abstract)[:FIRST_LETTERS] not in squeezed(" ".join(one.text for one in sections)[:HEAD]):
        parts = _with_abstract(parts, abstract)
    return [one for one in parts if one.passages or one.kind != "abstract"]


def _with_abstract(parts: Sequence[Part], abstract: str) -> list[Part]:
    """The abstract under its heading (of two the one with less text), else before everything."""
    said = Passage(Markup.escape(abstract), 0)
    headed = [one for one in parts[:FIRST_PARTS] if one.kind == "abstract"]
    if not headed:
        return [Part("", 1, "abstract", 0, (said,)), *parts]
    own = min(headed, key=lambda one: sum(len(passage.text) for passage in one.passages))
    return [replace(one, passages=(said, *one.passages)) if one is own else one for one in parts]


def _found(parts: Iterable[Part]) -> Iterator[Part]:
    """The same, each page to be found where the first of its paragraphs begins."""
    last = 0
    for part in parts:
        passages = []
        for one in part.passages:
            passages.append(replace(one, begins=tuple(range(last + 1, one.page + 1))))
            last = max(last, one.page)
        yield replace(part, passages=tuple(passages))


def _begins(chunk: Iterable[Part]) -> Iterator[int]:
    return (page for part in chunk for passage in part.passages for page in passage.begins)


def _first_page(chunk: Iterable[Part]) -> int:
    return next((passage.page for part in chunk for passage in part.passages if passage.page), 1)


def _part_with(chunks: Sequence[Iterable[Part]], page: int) -> int:
    """Which page of the site has the beginning of a page of the file."""
    return max((at for at, chunk in enumerate(chunks, 1) if min(_begins(chunk), default=page + 1) <= page), default=1)


def _in_text(chunks: Sequence[Iterable[Part]], part: int) -> Iterator[Line]:
    """The outline of a text that is shown, which leads to its headings."""
    for at, chunk in enumerate(chunks, 1):
        for one in chunk:
            if one.heading:
                yield Line(one.heading, one.level, f"{'' if at == part else f'?view=text&part={at}'}#s-{one.number}")


def _in_file(sections: Iterable[Mapping[str, Any]]) -> Iterator[Line]:
    """The outline of a file that is shown, which leads to its pages."""
    return (Line(one["heading"], one["level"], f"?page={one['page']}") for one in sections if one["heading"])


def _chunks(parts: Iterable[Part]) -> list[list[Part]]:
    """The text in pages of the site: a book is not sent at once."""
    chunks: list[list[Part]] = [[]]
    room = ON_A_PAGE
    for one in (piece for part in parts for piece in _pieces(part)):
        length = sum(len(passage.text) for passage in one.passages)
        if length > room and chunks[-1]:
            chunks.append([])
            room = ON_A_PAGE
        chunks[-1].append(one)
        room -= length
    return chunks


def _pieces(part: Part) -> Iterator[Part]:
    """A section that fills no page of the site alone; a longer one in pieces, of which the first has the heading."""
    heading, gathered, room = part.heading, list[Passage](), ON_A_PAGE
    for passage in part.passages:
        if gathered and len(passage.text) > room:
            yield replace(part, heading=heading, passages=tuple(gathered))
            heading, gathered, room = "", [], ON_A_PAGE
        gathered.append(passage)
        room -= len(passage.text)
    yield replace(part, heading=heading, passages=tuple(gathered))


def _listed(entries: Sequence[ReferenceEntry]) -> list[Listed]:
    """The entries with their printed numbers where most have one, else with their places."""
    raws = [entry.printed.get("raw", "") for entry in entries]
    found = [PRINTED.match(raw) for raw in raws]
    if 2 * sum(map(bool, found)) <= len(raws):
        found = [None] * len(raws)
    return [
        Listed(entry, int(one[1]) if one else entry.position + 1, raw[one.end() :] if one else raw)
        for entry, raw, one in zip(entries, raws, found, strict=True)
    ]


def _section(one: Mapping[str, Any]) -> extraction.Section:
    """A section as it was stored."""
    paragraphs = (
        extraction.Paragraph((at, end), paragraph["page"])
        for paragraph in one.get("paragraphs", ())
        for at, end in [paragraph["at"]]
    )
    return extraction.Section(one["heading"], one["level"], one["type"], one["page"], one["text"], tuple(paragraphs))


def _reference(one: Mapping[str, Any]) -> extraction.Reference:
    """An entry as it was stored, with the places of the marks that cite it."""
    contexts = (
        extraction.Context(context["text"], at=tuple(context["at"]), page=context["page"], section=context["section"])
        for context in one.get("contexts", ())
        if context.get("at")
    )
    return extraction.Reference(one["raw"], contexts=tuple(contexts))


def _linked(pieces: Iterable[LinkedText], places: Sequence[int]) -> Markup:
    """A paragraph whose marks lead to the first entry they cite."""
    link = Markup('<a class="mark" href="#ref-{}">{}</a>')
    return Markup("").join(
        link.format(places[one.entries[0]], one.text) if one.entries else Markup.escape(one.text) for one in pieces
    )
