"""TEI output with the element structure of GROBID, valid against TEI All."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from importlib.metadata import version
from pathlib import Path
from xml.etree.ElementTree import Element

from openseer.core.model.extraction import Extraction, Section
from openseer.extract.citations.linked_paragraphs import LinkedParagraph, body_sections, linked_paragraphs
from openseer.extract.output.tei_entries import add_date, add_entry, add_source
from openseer.extract.output.xml_writer import (
    add,
    add_if,
    add_paragraphs,
    add_text,
    clean,
    element,
    language_tag,
    name_token,
    serialise,
)

NAMESPACE = "http://www.tei-c.org/ns/1.0"
MIXED_CONTENT = frozenset({"p", "head", "title", "note"})
FORMAT_DATE = "2026-11-16"
"""Date of this output format. Readers of GROBID files need a date, and the current time would change the bytes."""
VERSION = re.compile(r"\d+(?:\.\d+){0,3}")
HEADING_NUMBER = re.compile(r"(\d{1,2}(?:\.\d{1,2})*|[A-Z](?:\.\d{1,2})+|(?:[A-Z]|[IVXLC]+)(?=[.:)]))[.:)]?\s+(?=\S)")
"""Number before a heading; a single letter counts only with a full stop after it."""


def tei(found: Extraction, path: Path) -> bytes:
    """One TEI document."""
    root = element("TEI", {"xmlns": NAMESPACE})
    _header(add(root, "teiHeader", "", {"xml:lang": language_tag(found.language)}), found)
    text = add(root, "text", "", {"xml:lang": language_tag(found.language)})
    _body(add(text, "body"), found)
    _back(add(text, "back"), found)
    return serialise(root, MIXED_CONTENT)


def _header(header: Element, found: Extraction) -> None:
    file = add(header, "fileDesc")
    titles = add(file, "titleStmt")
    add(titles, "title", found.title, {"level": "a", "type": "main"})
    for number, funder in enumerate(found.funders):
        ref = f"#fund{number}" if funder.get("grants") else ""
        add(add(titles, "funder", "", {"ref": ref}), "orgName", str(funder.get("name", "")), {"type": "full"})
    publication = add(file, "publicationStmt")
    add(publication, "publisher")
    add(add(publication, "availability", "", {"status": "unknown"}), "licence")
    add_date(publication, found.year)
    add_source(add(file, "sourceDesc"), found)
    _encoding(add(header, "encodingDesc"))
    _profile(header, found)


def _encoding(encoding: Element) -> None:
    program = add(
        add(encoding, "appInfo"), "application", "", {"ident": "openseer", "version": _version(), "when": FORMAT_DATE}
    )
    add(program, "desc", "openseer reads scholarly documents")


@cache
def _version() -> str:
    """The package version in the form TEI accepts."""
    match = VERSION.match(version("openseer"))
    return match[0] if match else "0"


def _profile(header: Element, found: Extraction) -> None:
    profile = element("profileDesc")
    if language_tag(found.language):
        add(add(profile, "langUsage"), "language", "", {"ident": language_tag(found.language)})
    if any(clean(one).strip() for one in found.keywords):
        keywords = add(add(profile, "textClass"), "keywords")
        for one in found.keywords:
            add_if(keywords, "term", one)
    if clean(found.abstract).strip():
        add_paragraphs(add(profile, "abstract"), found.abstract)  # no div as in GROBID: TEI does not allow it
    if len(profile):
        header.append(profile)


def _body(body: Element, found: Extraction) -> None:
    """Sections as a flat list, like GROBID, whose readers take each `div` with its whole content."""
    sections = body_sections(found)
    for section, passages in zip(sections, linked_paragraphs(sections, found.references), strict=True):
        division = add(body, "div", "", {"type": name_token(section.type)})
        _head(division, section)
        _passages(division, passages, found.language)
        if not len(division):
            body.remove(division)
    if not len(body):
        add(add(body, "div"), "p")


def _head(division: Element, section: Section) -> None:
    if not section.heading.strip():
        return
    match = HEADING_NUMBER.match(section.heading)
    number, words = (match[1], section.heading[match.end() :]) if match else ("", section.heading)
    add(division, "head", words.strip(), {"n": number, "rend": f"level{section.level}"})


def _passages(division: Element, passages: Iterable[LinkedParagraph], language: str) -> None:
    for passage in passages:
        other = language_tag(passage.language) if passage.language != language else ""
        paragraph = add(division, "p", "", {"xml:lang": other})
        for piece in passage.pieces:
            if not piece.entries:
                add_text(paragraph, piece.text)
            for position, entry in enumerate(piece.entries):  # in a range, only the first entry has its number
                add(paragraph, "ref", "" if position else piece.text, {"type": "bibr", "target": f"#b{entry}"})


def _back(back: Element, found: Extraction) -> None:
    if clean(found.acknowledgments).strip():
        add_paragraphs(add(add(back, "div", "", {"type": "acknowledgement"}), "div"), found.acknowledgments)
    _grants(back, found)
    if found.references:
        entries = add(add(back, "div", "", {"type": "references"}), "listBibl")
        for number, one in enumerate(found.references):
            add_entry(entries, one, f"b{number}")


def _grants(back: Element, found: Extraction) -> None:
    granted = [(number, funder) for number, funder in enumerate(found.funders) if funder.get("grants")]
    if granted:
        organisations = add(add(back, "div", "", {"type": "funding"}), "listOrg", "", {"type": "funding"})
        for number, funder in granted:
            one = add(organisations, "org", "", {"type": "funding", "xml:id": f"fund{number}"})
            for grant in funder["grants"]:
                add(one, "idno", str(grant), {"type": "grant-number"})
            add(one, "orgName", str(funder.get("name", "")), {"type": "full"})
