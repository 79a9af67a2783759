"""The paper as JATS (Archiving and Interchange, 1.1), the form in which publishers hand on articles."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from xml.etree.ElementTree import Element

from openseer.core.model.extraction import Author, Extraction, Name, Reference, Section
from openseer.extract.citations.linked_paragraphs import LinkedParagraph, body_sections, entry_label, linked_paragraphs
from openseer.extract.output.xml_writer import (
    add,
    add_if,
    add_paragraphs,
    add_text,
    address,
    clean,
    element,
    first_and_last,
    language_tag,
    word,
    written,
)

FLOWING = frozenset({"p", "title", "article-title", "mixed-citation"})
DEEPEST = 6
TYPES = {"article": "research-article", "": "research-article", "thesis": "dissertation"}
"""Our types of document, where JATS has another word."""
PUBLICATIONS = {
    "article": "journal",
    "inproceedings": "confproc",
    "chapter": "book",
    "web": "webpage",
}
"""Our types of reference, where JATS has another word."""
ALONE = ("book", "thesis", "report")
"""Types whose title is that of a whole volume."""


def jats(found: Extraction, path: Path) -> bytes:
    """One article."""
    top = element(
        "article",
        {
            "xmlns:xlink": "http://www.w3.org/1999/xlink",
            "article-type": TYPES.get(found.academic.type, word(found.academic.type)),
            "dtd-version": "1.1",
            "xml:lang": language_tag(found.language),
        },
    )
    front = add(top, "front")
    if found.venue.strip():
        add(add(add(front, "journal-meta"), "journal-title-group"), "journal-title", found.venue.strip())
    _meta(add(front, "article-meta"), found)
    _body(add(top, "body"), found)
    _back(add(top, "back"), found)
    return written(top, FLOWING)


def _meta(meta: Element, found: Extraction) -> None:
    """In the order that JATS asks for."""
    add_if(meta, "article-id", found.doi, {"pub-id-type": "doi"})
    add_if(meta, "article-id", found.arxiv, {"pub-id-type": "arxiv"})
    add_if(meta, "article-id", found.sha1, {"pub-id-type": "other", "specific-use": "sha1"})
    add(add(meta, "title-group"), "article-title", found.title)
    _authors(meta, found.authors)
    if found.year:
        add(add(meta, "pub-date", "", {"date-type": "pub"}), "year", str(found.year))
    add_if(meta, "volume", found.volume)
    add_if(meta, "issue", found.issue)
    _pages(meta, found.page_range, "elocation-id")
    if clean(found.abstract).strip():
        add_paragraphs(add(meta, "abstract"), found.abstract)
    if any(clean(one).strip() for one in found.keywords):
        group = add(meta, "kwd-group", "", {"kwd-group-type": "author"})
        for one in found.keywords:
            add_if(group, "kwd", one)
    if found.funders:
        funding = add(meta, "funding-group")
        for funder in found.funders:
            award = add(funding, "award-group")
            add(award, "funding-source", str(funder.get("name", "")))
            for grant in funder.get("grants", ()):
                add(award, "award-id", str(grant))


def _authors(meta: Element, authors: Sequence[Author]) -> None:
    if not authors:
        return
    group = add(meta, "contrib-group")
    places: dict[str, str] = {}
    for author in authors:
        one = add(group, "contrib", "", {"contrib-type": "author"})
        if author.orcid.strip():
            number = author.orcid.strip().rpartition("/")[2]
            add(one, "contrib-id", f"https://orcid.org/{number}", {"contrib-id-type": "orcid"})
        _person(one, Name(author.name, author.given, author.family))
        add_if(one, "email", author.email)
        for place in filter(None, (place.strip(" ,") for place in author.affiliations or (author.affiliation,))):
            key = places.setdefault(place, f"aff{len(places) + 1}")
            add(one, "xref", "", {"ref-type": "aff", "rid": key})
    for place, key in places.items():
        add(meta, "aff", place, {"id": key})


def _person(parent: Element, name: Name) -> None:
    person = add(parent, "name")
    add(person, "surname", name.family or ("" if name.given else name.name))
    add_if(person, "given-names", name.given)


def _pages(parent: Element, pages: str, other: str) -> None:
    """First and last page; what is no range of pages goes into another element."""
    ends = first_and_last(pages)
    if ends:
        add(parent, "fpage", ends[0])
        add(parent, "lpage", ends[1])
    else:
        add_if(parent, "fpage" if pages.strip().isdigit() else other, pages)


def _body(body: Element, found: Extraction) -> None:
    """Sections inside each other by their levels."""
    sections = body_sections(found)
    around: list[tuple[int, Element]] = [(0, body)]
    for section, passages in zip(sections, linked_paragraphs(sections, found.references), strict=True):
        if not section.heading.strip() and len(around) == 1:
            _passages(body, passages)
            continue
        level = max(1, min(section.level, DEEPEST))
        while around[-1][0] >= level:
            around.pop()
        inside = _section(around[-1][1], section)
        around.append((level, inside))
        _passages(inside, passages)


def _section(parent: Element, section: Section) -> Element:
    one = add(parent, "sec", "", {"sec-type": word(section.type)})
    add(one, "title", section.heading.strip())
    return one


def _passages(parent: Element, passages: Iterable[LinkedParagraph]) -> None:
    for passage in passages:
        paragraph = add(parent, "p")
        for piece in passage.pieces:
            if piece.entries:
                keys = " ".join(f"b{entry + 1}" for entry in piece.entries)
                add(paragraph, "xref", piece.text, {"ref-type": "bibr", "rid": keys})
            else:
                add_text(paragraph, piece.text)


def _back(back: Element, found: Extraction) -> None:
    if clean(found.acknowledgments).strip():
        add_paragraphs(add(back, "ack"), found.acknowledgments)
    if found.references:
        entries = add(back, "ref-list")
        for number, one in enumerate(found.references, 1):
            _entry(add(entries, "ref", "", {"id": f"b{number}"}), one)


def _entry(entry: Element, one: Reference) -> None:
    """As printed, and as understood where anything was."""
    add_if(entry, "label", entry_label(one.raw))
    kind = {"publication-type": PUBLICATIONS.get(one.type, word(one.type))}
    both = add(entry, "citation-alternatives")
    add(both, "mixed-citation", one.raw, kind)
    fields = add(both, "element-citation", "", kind)
    for group, people in (("author", one.authors), ("editor", one.editors)):
        if people:
            persons = add(fields, "person-group", "", {"person-group-type": group})
            for name in people:
                _person(persons, name)
    _titles(fields, one)
    if one.year:
        add(fields, "year", str(one.year))
    for tag, value in (("volume", one.volume), ("issue", one.issue)):
        add_if(fields, tag, value)
    _pages(fields, one.pages, "page-range")
    for tag, value in (
        ("publisher-name", one.publisher),
        ("publisher-loc", one.location),
        ("institution", one.institution),
    ):
        add_if(fields, tag, value)
    add_if(fields, "pub-id", one.doi, {"pub-id-type": "doi"})
    add_if(fields, "pub-id", one.arxiv, {"pub-id-type": "arxiv"})
    if address(one.url):
        add(fields, "ext-link", one.url, {"ext-link-type": "uri", "xlink:href": address(one.url)})
    add_if(fields, "comment", one.note)
    if not len(fields):
        both.remove(fields)


def _titles(fields: Element, one: Reference) -> None:
    if one.type in ALONE:
        add_if(fields, "source", one.title)
        add_if(fields, "series", one.venue)
    else:
        add_if(fields, "chapter-title" if one.type == "chapter" else "article-title", one.title)
        add_if(fields, "source", one.venue)
