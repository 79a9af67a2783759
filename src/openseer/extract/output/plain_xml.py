"""The extraction as plain XML: the names of CiteSeerExtractor's answers where it has one, else those of our JSON."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element

from openseer.core.model.extraction import Author, Context, Extraction, Reference
from openseer.extract.citations.linked_paragraphs import entry_label, paragraphs_of
from openseer.extract.output.xml_writer import add, add_if, element, written

FLOWING = frozenset({"p", "abstract", "rawString", "context"})
VENUES = {"article": "journal", "inproceedings": "booktitle", "chapter": "booktitle", "report": "tech"}
"""What the venue is called, by type of reference."""
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")
REST = (
    "figures", "tables", "algorithms", "formulas", "funders", "thanked", "keyphrases", "key_sentences", "subjects",
    "academic", "warnings", "versions",
)  # fmt: skip
"""Keys of the record that are written as they are."""
SINGULAR = {
    "thanked": "person", "keyphrases": "keyphrase", "key_sentences": "sentence", "reasons": "reason", "tables": "table",
    "figures": "figure", "algorithms": "algorithm", "formulas": "formula", "funders": "funder", "grants": "grant",
    "subjects": "subject", "warnings": "warning",
}  # fmt: skip
DEEPEST = 20


def plain_xml(found: Extraction, path: Path) -> bytes:
    """One document; no times of reading in it, so that the same file always gives the same bytes."""
    top = element("CSXAPIMetadata")
    about = {"sha1": found.sha1, "mime": found.mime, "pages": str(found.pages), "words": str(found.words)}
    add(top, "file", found.file or path.name, about)
    _header(add(top, "header"), found)
    citations = add(add(top, "citations"), "citationList")
    for one in found.references:
        _citation(citations, one)
    _body(add(top, "body"), found)
    add_if(top, "acknowledgments", found.acknowledgments)
    record = found.as_record()
    for name in REST:
        _value(top, name, record[name], 0)
    return written(top, FLOWING)


def _header(header: Element, found: Extraction) -> None:
    add(header, "title", found.title)
    authors = add(header, "authors")
    for author in found.authors:
        _author(add(authors, "author"), author)
    add_if(header, "abstract", found.abstract)
    keywords = add(header, "keywords")
    for word in found.keywords:
        add_if(keywords, "keyword", word)
    add_if(header, "venue", found.venue)
    add_if(header, "date", str(found.year or ""))
    for name in ("volume", "issue", "doi", "arxiv", "language"):
        add_if(header, name, getattr(found, name))
    add_if(header, "pages", found.page_range)


def _author(one: Element, author: Author) -> None:
    add(one, "name", author.name)
    add_if(one, "given", author.given)
    add_if(one, "family", author.family)
    for place in author.affiliations or (author.affiliation,):
        add_if(one, "affiliation", place)
    add_if(one, "email", author.email)
    add_if(one, "orcid", author.orcid)


def _citation(citations: Element, one: Reference) -> None:
    citation = add(citations, "citation", "", {"valid": str(_valid(one)).lower(), "type": one.type})
    if one.authors:
        authors = add(citation, "authors")
        for name in one.authors:
            add(authors, "author", name.name)
    add_if(citation, "title", one.title)
    add_if(citation, "date", str(one.year or ""))
    add_if(citation, VENUES.get(one.type, "venue"), one.venue)
    for name_of in ("volume", "issue", "pages"):
        add_if(citation, name_of, getattr(one, name_of))
    for name in one.editors:
        add_if(citation, "editor", name.name)
    for name_of in ("publisher", "institution", "location", "note", "doi", "url", "arxiv"):
        add_if(citation, name_of, getattr(one, name_of))
    if one.contexts:
        contexts = add(citation, "contexts")
        for context in one.contexts:
            _context(contexts, context)
    add_if(citation, "marker", entry_label(one.raw))
    add(citation, "rawString", one.raw)


def _valid(one: Reference) -> bool:
    """By the published rule."""
    return bool(one.title or (one.year and (one.authors or one.venue)))


def _context(contexts: Element, context: Context) -> None:
    page = str(context.page or "")
    add(contexts, "context", context.text, {"mark": context.printed, "page": page, "section": context.section})


def _body(body: Element, found: Extraction) -> None:
    for section in found.sections:
        about = {"level": str(section.level), "type": section.type, "page": str(section.page or "")}
        one = add(body, "section", "", about)
        add_if(one, "heading", section.heading)
        for paragraph in paragraphs_of(section):
            add_if(one, "p", section.text[slice(*paragraph.at)])


def _value(parent: Element, name: str, value: Any, depth: int) -> None:
    """Any value of the record: a list gives an element for each entry, a dictionary one for each key."""
    if depth > DEEPEST:
        return
    named = {"name": ""} if NAME.fullmatch(name) else {"name": name}
    tag = "entry" if named["name"] else name
    if isinstance(value, dict):
        one = add(parent, tag, "", named)
        for key, inner in value.items():
            _value(one, str(key), inner, depth + 1)
    elif isinstance(value, list):
        one = add(parent, tag, "", named)
        for inner in value:
            _value(one, SINGULAR.get(name, "item"), inner, depth + 1)
    else:
        text = str(value).lower() if isinstance(value, bool) else "" if value is None else str(value)
        add(parent, tag, text, named)
