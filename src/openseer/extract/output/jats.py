"""JATS output (Archiving and Interchange, 1.1)."""

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
    clean,
    element,
    first_and_last,
    language_tag,
    name_token,
    serialise,
    uri_of,
)

MIXED_CONTENT = frozenset({"p", "title", "article-title", "mixed-citation"})
MAX_DEPTH = 6
TYPES = {"article": "research-article", "": "research-article", "thesis": "dissertation"}
"""Document types with another name in JATS."""
PUBLICATION_TYPES = {
    "article": "journal",
    "inproceedings": "confproc",
    "chapter": "book",
    "web": "webpage",
}
"""Reference types with another name in JATS."""
MONOGRAPH_TYPES = ("book", "thesis", "report")
"""Types whose title is that of a whole volume."""


def jats(found: Extraction, path: Path) -> bytes:
    """One article."""
    root = element(
        "article",
        {
            "xmlns:xlink": "http://www.w3.org/1999/xlink",
            "article-type": TYPES.get(found.academic.type, name_token(found.academic.type)),
            "dtd-version": "1.1",
            "xml:lang": language_tag(found.language),
        },
    )
    front = add(root, "front")
    if found.venue.strip():
        add(add(add(front, "journal-meta"), "journal-title-group"), "journal-title", found.venue.strip())
    _meta(add(front, "article-meta"), found)
    _body(add(root, "body"), found)
    _back(add(root, "back"), found)
    return serialise(root, MIXED_CONTENT)


def _meta(meta: Element, found: Extraction) -> None:
    """Article metadata in the order required by JATS."""
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
    affiliation_keys: dict[str, str] = {}
    for author in authors:
        one = add(group, "contrib", "", {"contrib-type": "author"})
        if author.orcid.strip():
            number = author.orcid.strip().rpartition("/")[2]
            add(one, "contrib-id", f"https://orcid.org/{number}", {"contrib-id-type": "orcid"})
        _person(one, Name(author.name, author.given, author.family))
        add_if(one, "email", author.email)
        for affiliation in filter(
            None, (affiliation.strip(" ,") for affiliation in author.affiliations or (author.affiliation,))
        ):
            key = affiliation_keys.setdefault(affiliation, f"aff{len(affiliation_keys) + 1}")
            add(one, "xref", "", {"ref-type": "aff", "rid": key})
    for affiliation, key in affiliation_keys.items():
        add(meta, "aff", affiliation, {"id": key})


def _person(parent: Element, name: Name) -> None:
    person = add(parent, "name")
    add(person, "surname", name.family or ("" if name.given else name.name))
    add_if(person, "given-names", name.given)


def _pages(parent: Element, pages: str, other: str) -> None:
    """First and last page; other values go into the element `other`."""
    ends = first_and_last(pages)
    if ends:
        add(parent, "fpage", ends[0])
        add(parent, "lpage", ends[1])
    else:
        add_if(parent, "fpage" if pages.strip().isdigit() else other, pages)


def _body(body: Element, found: Extraction) -> None:
    """Sections nested by level."""
    sections = body_sections(found)
    open_sections: list[tuple[int, Element]] = [(0, body)]
    for section, passages in zip(sections, linked_paragraphs(sections, found.references), strict=True):
        if not section.heading.strip() and len(open_sections) == 1:
            _passages(body, passages)
            continue
        level = max(1, min(section.level, MAX_DEPTH))
        while open_sections[-1][0] >= level:
            open_sections.pop()
        element_of_section = _section(open_sections[-1][1], section)
        open_sections.append((level, element_of_section))
        _passages(element_of_section, passages)


def _section(parent: Element, section: Section) -> Element:
    one = add(parent, "sec", "", {"sec-type": name_token(section.type)})
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
    """The reference as printed and, if parsed, its fields."""
    add_if(entry, "label", entry_label(one.raw))
    kind = {"publication-type": PUBLICATION_TYPES.get(one.type, name_token(one.type))}
    alternatives = add(entry, "citation-alternatives")
    add(alternatives, "mixed-citation", one.raw, kind)
    fields = add(alternatives, "element-citation", "", kind)
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
    if uri_of(one.url):
        add(fields, "ext-link", one.url, {"ext-link-type": "uri", "xlink:href": uri_of(one.url)})
    add_if(fields, "comment", one.note)
    if not len(fields):
        alternatives.remove(fields)


def _titles(fields: Element, one: Reference) -> None:
    if one.type in MONOGRAPH_TYPES:
        add_if(fields, "source", one.title)
        add_if(fields, "series", one.venue)
    else:
        add_if(fields, "chapter-title" if one.type == "chapter" else "article-title", one.title)
        add_if(fields, "source", one.venue)
