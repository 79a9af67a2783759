"""TEI bibliographic entries of the document and its references."""

from __future__ import annotations

import re
from collections.abc import Sequence
from xml.etree.ElementTree import Element

from openseer.core.model.extraction import Author, Extraction, Name, Reference
from openseer.extract.output.xml_writer import add, add_if, first_and_last, name_token, uri_of

MONOGRAPH_TYPES = ("book", "thesis", "report")
"""Types whose title is that of a whole volume."""
VENUE_LEVELS = {"inproceedings": "m", "chapter": "m"}
"""TEI level of the venue title, for venues that are not journals."""
DEPARTMENT = re.compile(
    r"\b(?:dept|department|departamento|département|school|faculty|faculté|facultad|division|fachbereich)\b", re.I
)
LABORATORY = re.compile(r"\blab(?:s|or\w+)?\b", re.I)
INSTITUTION = re.compile(
    r"univ|institut|college|academy|hospital|center|centre|school|council|agency|inc\b|ltd|gmbh", re.I
)


def add_source(parent: Element, found: Extraction) -> None:
    """Add the entry of the document."""
    source = add(parent, "biblStruct")
    analytic = add(source, "analytic")
    keys: dict[str, str] = {}
    for author in found.authors:
        _author(analytic, author, keys)
    add(analytic, "title", found.title, {"level": "a", "type": "main"})
    for kind, value in (("DOI", found.doi), ("arXiv", found.arxiv), ("SHA1", found.sha1)):
        add_if(analytic, "idno", value, {"type": kind})
    monogr = add(source, "monogr")
    add_if(monogr, "title", found.venue, {"level": "j", "type": "main"})
    imprint = add(monogr, "imprint")
    _scopes(imprint, found.volume, found.issue, found.page_range)
    add_date(imprint, found.year)


def add_entry(parent: Element, one: Reference, key: str) -> None:
    """Add the entry of a reference."""
    entry = add(parent, "biblStruct", "", {"xml:id": key, "type": name_token(one.type)})
    is_monograph = one.type in MONOGRAPH_TYPES
    analytic = None if is_monograph else add(entry, "analytic")
    monogr = add(entry, "monogr")
    _work(monogr if analytic is None else analytic, one, "m" if is_monograph else "a")
    if not is_monograph and (one.venue.strip() or one.editors or one.institution.strip()):
        add(monogr, "title", one.venue.strip(), {"level": VENUE_LEVELS.get(one.type, "j")})
    for name in one.editors:
        _person(add(monogr, "editor"), name)
    if one.institution.strip():
        body = add(monogr, "respStmt")
        add(body, "resp", "institution")
        add(body, "orgName", one.institution)
    _imprint(monogr, one)
    if is_monograph and one.venue.strip():
        add(add(entry, "series"), "title", one.venue, {"level": "s"})
    target = uri_of(one.url)
    add_if(entry, "note", one.note)
    add_if(entry, "note", "" if target else one.url, {"type": "url"})
    add_if(entry, "note", one.raw, {"type": "raw_reference"})
    if target:
        add(entry, "ptr", "", {"target": target})


def _work(parent: Element, one: Reference, level: str) -> None:
    if one.title.strip() or level == "m":  # TEI requires a title in a volume with authors, even an empty one
        add(parent, "title", one.title.strip(), {"level": level, "type": "main"})
    add_if(parent, "idno", one.doi, {"type": "DOI"})
    add_if(parent, "idno", one.arxiv, {"type": "arXiv"})
    for name in one.authors:
        _person(add(parent, "author"), name)


def _imprint(monogr: Element, one: Reference) -> None:
    imprint = add(monogr, "imprint")
    add_if(imprint, "publisher", one.publisher)
    add_if(imprint, "pubPlace", one.location)
    _scopes(imprint, one.volume, one.issue, one.pages)
    add_date(imprint, one.year)


def add_date(parent: Element, year: int | None) -> None:
    """Add the year; an imprint requires a date, even an empty one."""
    if year and 0 < year < 10_000:
        add(parent, "date", str(year), {"type": "published", "when": f"{year:04d}"})
    else:
        add(parent, "date")


def _scopes(imprint: Element, volume: str, issue: str, pages: str) -> None:
    add_if(imprint, "biblScope", volume, {"unit": "volume"})
    add_if(imprint, "biblScope", issue, {"unit": "issue"})
    ends = first_and_last(pages)
    if ends:
        add(imprint, "biblScope", pages.strip(), {"unit": "page", "from": ends[0], "to": ends[1]})
    else:
        add_if(imprint, "biblScope", pages, {"unit": "page"})


def _author(analytic: Element, author: Author, keys: dict[str, str]) -> None:
    one = add(analytic, "author")
    _person(one, Name(author.name, author.given, author.family))
    add_if(one, "email", author.email)
    add_if(one, "idno", author.orcid, {"type": "ORCID"})
    for affiliation in author.affiliations or (author.affiliation,):
        if affiliation.strip(" ,"):
            _affiliation(one, affiliation.strip(" ,"), keys.setdefault(affiliation, f"aff{len(keys)}"))


def _person(parent: Element, name: Name) -> None:
    person = add(parent, "persName")
    first, _, middle = name.given.strip().partition(" ")
    add_if(person, "forename", first, {"type": "first"})
    add_if(person, "forename", middle, {"type": "middle"})
    add(person, "surname", name.family or ("" if name.given else name.name))


def _affiliation(author: Element, affiliation: str, key: str) -> None:
    one = add(author, "affiliation", "", {"key": key})
    add(one, "note", affiliation, {"type": "raw_affiliation"})
    for kind, words in _organisations(affiliation.split(",")):
        add(one, "orgName", words, {"type": kind})


def _organisations(words: Sequence[str]) -> list[tuple[str, str]]:
    """Department, laboratory and institution of an affiliation.

    >>> _organisations(["Department of Botany", " University of Jena", " Germany"])
    [('department', 'Department of Botany'), ('institution', 'University of Jena')]
    """
    units: dict[str, str] = {}
    rest = []
    for part in filter(None, (part.strip() for part in words)):
        unit_kind = "department" if DEPARTMENT.search(part) else "laboratory" if LABORATORY.search(part) else ""
        if unit_kind and not re.search("univ", part, re.I):
            units.setdefault(unit_kind, part)
        else:
            rest.append(part)
    institution = next((part for part in rest if INSTITUTION.search(part)), rest[0] if rest else "")
    return [*units.items(), *([("institution", institution)] if institution else [])]
