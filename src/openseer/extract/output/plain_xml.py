"""Plain XML output, with the names of CiteSeerExtractor where it has one, else those of the JSON output."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element

from openseer.core.model.extraction import Author, Context, Extraction, Reference
from openseer.extract.citations.linked_paragraphs import entry_label, paragraphs_of
from openseer.extract.output.xml_writer import add, add_if, element, serialise

MIXED_CONTENT = frozenset({"p", "abstract", "rawString", "context"})
VENUES = {"article": "journal", "inproceedings": "booktitle", "chapter": "booktitle", "report": "tech"}
"""Element of the venue by type of reference."""
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")
GENERIC_KEYS = (
    "figures", "tables", "algorithms", "formulas", "funders", "thanked", "keyphrases", "key_sentences", "subjects",
    "academic", "warnings", "versions",
)  # fmt: skip
"""Keys of the record that are written unchanged."""
SINGULAR = {
    "thanked": "person", "keyphrases": "keyphrase", "key_sentences": "sentence", "reasons": "reason", "tables": "table",
    "figures": "figure", "algorithms": "algorithm", "formulas": "formula", "funders": "funder", "grants": "grant",
    "subjects": "subject", "warnings": "warning",
}  # fmt: skip
MAX_DEPTH = 20


def plain_xml(found: Extraction, path: Path) -> bytes:
    """One document, without timings, so that the same file always gives the same bytes."""
    root = element("CSXAPIMetadata")
    attributes = {"sha1": found.sha1, "mime": found.mime, "pages": str(found.pages), "words": str(found.words)}
    add(root, "file", found.file or path.name, attributes)
    _header(add(root, "header"), found)
    citations = add(add(root, "citations"), "citationList")
    for one in found.references:
        _citation(citations, one)
    _body(add(root, "body"), found)
    add_if(root, "acknowledgments", found.acknowledgments)
    record = found.as_record()
    for name in GENERIC_KEYS:
        _add_value(root, name, record[name], 0)
    return serialise(root, MIXED_CONTENT)


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
    for affiliation in author.affiliations or (author.affiliation,):
        add_if(one, "affiliation", affiliation)
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
    """CiteSeerExtractor's rule for valid citations."""
    return bool(one.title or (one.year and (one.authors or one.venue)))


def _context(contexts: Element, context: Context) -> None:
    page = str(context.page or "")
    add(contexts, "context", context.text, {"mark": context.printed, "page": page, "section": context.section})


def _body(body: Element, found: Extraction) -> None:
    for section in found.sections:
        attributes = {"level": str(section.level), "type": section.type, "page": str(section.page or "")}
        one = add(body, "section", "", attributes)
        add_if(one, "heading", section.heading)
        for paragraph in paragraphs_of(section):
            add_if(one, "p", section.text[slice(*paragraph.at)])


def _add_value(parent: Element, name: str, value: Any, depth: int) -> None:
    """Any value of the record: one element for each list item or dictionary key."""
    if depth > MAX_DEPTH:
        return
    attributes = {"name": ""} if NAME.fullmatch(name) else {"name": name}
    tag = "entry" if attributes["name"] else name
    if isinstance(value, dict):
        one = add(parent, tag, "", attributes)
        for key, inner in value.items():
            _add_value(one, str(key), inner, depth + 1)
    elif isinstance(value, list):
        one = add(parent, tag, "", attributes)
        for inner in value:
            _add_value(one, SINGULAR.get(name, "item"), inner, depth + 1)
    else:
        text = str(value).lower() if isinstance(value, bool) else "" if value is None else str(value)
        add(parent, tag, text, attributes)
