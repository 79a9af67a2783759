"""Metadata of works embedded in pages: Highwire, Dublin Core, JSON-LD, COinS, Signposting."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any
from urllib.parse import quote, urlencode

import orjson
from markupsafe import Markup

from openseer.catalog.export.publication_types import (
    PublicationType,
    author_names,
    file_mime,
    file_url,
    page_range,
    pdf_url,
    publication_type,
    work_url,
)
from openseer.catalog.export.registry import FORMATS
from openseer.core.model.work import IndexedWork

OPEN_URLS: dict[PublicationType, tuple[str, str, str, str]] = {
    "article": ("journal", "article", "rft.atitle", "rft.jtitle"),
    "conference": ("book", "proceeding", "rft.atitle", "rft.btitle"),
    "chapter": ("book", "bookitem", "rft.atitle", "rft.btitle"),
    "report": ("book", "report", "rft.btitle", "rft.pub"),
    "book": ("book", "book", "rft.btitle", "rft.pub"),
    "thesis": ("dissertation", "", "rft.title", "rft.inst"),
}
"""Format, genre, title key and venue key of an OpenURL; Zotero derives the item type from them."""
VENUE_TAGS: dict[PublicationType, str] = {
    "article": "citation_journal_title", "conference": "citation_conference_title", "chapter": "citation_book_title",
    "report": "citation_technical_report_institution", "thesis": "citation_dissertation_institution",
}  # fmt: skip
"""Zotero derives the item type from these tags."""
DUBLIN_CORE_TYPES: dict[PublicationType, str] = {
    "book": "book",
    "thesis": "thesis",
    "report": "report",
    "chapter": "bookSection",
}
"""DC.type of types that may have no venue."""
SCHEMA_ORG_TYPES: dict[PublicationType, str] = {
    "article": "ScholarlyArticle", "conference": "ScholarlyArticle", "preprint": "ScholarlyArticle", "report": "Report",
    "thesis": "Thesis", "book": "Book", "chapter": "Chapter", "other": "CreativeWork",
}  # fmt: skip
LINKED_FORMATS = ("bibtex", "ris", "csl", "refer", "xml")
"""Export formats that a work page links to."""


def coins(work: IndexedWork, base: str) -> str:
    """A work as OpenURL (COinS), for the title attribute of a span."""
    kind = publication_type(work)
    family, given = author_names(work)[0] if work.authors else ("", "")
    first, last = page_range(work)
    form, genre, title_key, venue_key = OPEN_URLS.get(
        kind, ("journal", kind if kind == "preprint" else "unknown", "rft.atitle", "rft.jtitle")
    )
    pairs = [
        ("url_ver", "Z39.88-2004"), ("ctx_ver", "Z39.88-2004"), ("ctx_enc", "info:ofi/enc:UTF-8"),
        ("rft_val_fmt", f"info:ofi/fmt:kev:mtx:{form}"),
        ("rft_id", f"info:doi/{work.doi}" if work.doi else work_url(work, base)),
        ("rft.genre", genre), (title_key, work.title), (venue_key, work.venue),
        ("rft.date", str(work.year or "")), ("rft.volume", work.volume), ("rft.pages", work.pages),
        ("rft.spage", first), ("rft.epage", last), ("rft.aulast", family), ("rft.aufirst", given),
        *(("rft.au", name) for name in work.authors),
    ]  # fmt: skip
    return urlencode([pair for pair in pairs if pair[1]], quote_via=quote)


def highwire_tags(
    work: IndexedWork, authors: Sequence[dict[str, Any]], publisher: str, base: str
) -> Iterator[tuple[str, str]]:
    """Highwire `citation_` tags of a work; the tags of an author follow the name."""
    first, last = page_range(work)
    yield "citation_title", work.title
    details = {one.get("name", ""): one for one in authors}
    for name, (family, given) in zip(work.authors, author_names(work), strict=True):
        yield "citation_author", f"{family}, {given}" if given else family
        for affiliation in details.get(name, {}).get("affiliations", ()):
            yield "citation_author_institution", affiliation
        yield "citation_author_orcid", details.get(name, {}).get("orcid", "")
    yield "citation_publication_date", str(work.year or "")
    yield VENUE_TAGS.get(publication_type(work), "citation_publisher"), work.venue
    yield "citation_volume", work.volume
    yield "citation_firstpage", first
    yield "citation_lastpage", last
    yield "citation_publisher", publisher
    yield "citation_doi", work.doi
    yield "citation_arxiv_id", work.arxiv
    yield "citation_language", work.language
    yield "citation_keywords", "; ".join(work.keywords)
    yield "citation_abstract", work.abstract
    yield "citation_abstract_html_url", work_url(work, base)
    yield "citation_pdf_url", pdf_url(work, base)


def dublin_core(work: IndexedWork, base: str) -> Iterator[tuple[str, str]]:
    """Dublin Core tags of a work."""
    yield "DC.title", work.title
    yield "DC.type", DUBLIN_CORE_TYPES.get(publication_type(work), "")
    for family, given in author_names(work):
        yield "DC.creator", f"{family}, {given}" if given else family
    yield "DC.date", str(work.year or "")
    yield "DC.source", work.venue
    yield "DC.language", work.language
    yield "DC.identifier", f"doi:{work.doi}" if work.doi else work_url(work, base)
    for word in work.keywords:
        yield "DC.subject", word


def linked_data(work: IndexedWork, references: Sequence[str], base: str) -> Markup:
    """A work as schema.org JSON-LD, escaped for a script element."""
    fields: dict[str, Any] = {
        "@context": "https://schema.org",
        "@type": SCHEMA_ORG_TYPES[publication_type(work)],
        "@id": work_url(work, base),
        "url": work_url(work, base),
        "name": work.title,
        "headline": work.title[:110],
        "author": [{"@type": "Person", "name": name} for name in work.authors],
        "datePublished": str(work.year or ""),
        "isPartOf": {"@type": "Periodical", "name": work.venue} if work.venue else None,
        "pagination": work.pages,
        "abstract": work.abstract,
        "keywords": list(work.keywords),
        "inLanguage": work.language,
        "sameAs": f"https://doi.org/{work.doi}" if work.doi else "",
        "encoding": _media_object(work, base) if work.documents else None,
        "citation": [f"{base}/works/{one}" for one in references[:20]],
    }
    body = orjson.dumps({name: value for name, value in fields.items() if value}).decode()
    return Markup(body.replace("<", "\\u003c").replace("&", "\\u0026"))


def _media_object(work: IndexedWork, base: str) -> dict[str, str]:
    return {"@type": "MediaObject", "encodingFormat": file_mime(work), "contentUrl": file_url(work, base)}


def signposting_links(work: IndexedWork, base: str) -> Iterator[str]:
    """Signposting values of the Link header of a work page."""
    yield (
        f'<https://doi.org/{quote(work.doi)}>; rel="cite-as"'
        if work.doi
        else f'<{work_url(work, base)}>; rel="cite-as"'
    )
    yield '<https://schema.org/AboutPage>; rel="type"'
    yield f'<https://schema.org/{SCHEMA_ORG_TYPES[publication_type(work)]}>; rel="type"'
    for name in LINKED_FORMATS:
        yield f'<{base}/api/works/{work.id}?format={name}>; rel="describedby"; type="{FORMATS[name].media_type}"'
    if work.documents:
        yield f'<{file_url(work, base)}>; rel="item"; type="{file_mime(work)}"'
