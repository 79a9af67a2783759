"""Metadata of a web page: citation_* (Highwire), Dublin Core, PRISM and JSON-LD."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import orjson
from lxml.html import HtmlElement

from openseer.core.model.extraction import Author
from openseer.core.text.person_names import split_name
from openseer.extract.structured.document import StatedFields

YEAR = re.compile(r"\b(1[5-9]\d\d|20\d\d)\b")
DOI = re.compile(r"10\.\d{4,9}/\S+")
ARTICLE_TYPES = frozenset({
    "scholarlyarticle", "article", "medicalscholarlyarticle", "report", "thesis", "chapter", "book", "techarticle",
})  # fmt: skip
DATES = (
    "citation_publication_date", "citation_date", "citation_year", "citation_online_date", "dc.date", "dc.issued",
    "dc.date.issued", "prism.publicationdate",
)  # fmt: skip
VENUES = ("citation_journal_title", "citation_conference_title", "citation_inbook_title", "prism.publicationname")
KEYWORDS = ("citation_keywords", "citation_keyword", "dc.subject")
MAX_VALUES = 500
MAX_JSON = 1_000_000
PREFIXES = {"dcterms.": "dc.", "dct.": "dc.", "eprints.": "dc.", "bepress_": ""}
"""Other names of the same fields -> ours."""


def stated_by(page: HtmlElement) -> StatedFields:
    """Fields that the metadata of a page states; Highwire tags precede Dublin Core, and that precedes JSON-LD."""
    tags = _meta_tags(page)
    article = next(_articles(page), {})

    def first(*names: str) -> str:
        return next((tags[name][0] for name in names if tags.get(name)), "")

    date = first(*DATES) or _text(article.get("datePublished"))
    year = YEAR.search(date)
    doi = DOI.search(first("citation_doi", "dc.identifier.doi", "dc.identifier", "prism.doi") or _identifier(article))
    return StatedFields(
        title=first("citation_title", "dc.title") or _text(article.get("headline") or article.get("name")),
        authors=_authors(page, tags, article),
        abstract=first("citation_abstract", "dc.description.abstract") or _text(article.get("abstract")),
        keywords=_keywords(next((tags[name] for name in KEYWORDS if name in tags), ())),
        year=int(year[0]) if year else None,
        doi=doi[0].rstrip(".,;") if doi else "",
        venue=first(*VENUES) or _text(_first(article.get("isPartOf"), "name")),
        volume=first("citation_volume", "prism.volume"),
        issue=first("citation_issue", "prism.number"),
        language=first("citation_language", "dc.language")[:2].lower(),
    )


def _meta_tags(page: HtmlElement) -> dict[str, list[str]]:
    """Values of the meta elements, by name in lower case."""
    found: dict[str, list[str]] = {}
    for element in page.iter("meta"):
        name = (element.get("name") or element.get("property") or "").strip().lower()
        value = " ".join((element.get("content") or "").split())
        for other, ours in PREFIXES.items():
            name = ours + name.removeprefix(other) if name.startswith(other) else name
        if name and value and len(found.setdefault(name, [])) < MAX_VALUES:
            found[name].append(value)
    return found


def _authors(page: HtmlElement, tags: Mapping[str, Sequence[str]], article: Mapping[str, Any]) -> tuple[Author, ...]:
    highwire = _highwire_authors(page)
    if highwire:
        return highwire
    names = tags.get("dc.creator") or [_text(_named(one)) for one in _as_list(article.get("author"))]
    return tuple(author_of(name) for name in names[:MAX_VALUES] if name)


def _highwire_authors(page: HtmlElement) -> tuple[Author, ...]:
    """Authors with what follows each of them: institutions, e-mail address, ORCID."""
    authors: list[Author] = []
    for element in page.iter("meta"):
        name = (element.get("name") or "").strip().lower()
        value = " ".join((element.get("content") or "").split())
        if not value or len(authors) > MAX_VALUES:
            continue
        if name == "citation_author":
            authors.append(author_of(value))
        elif name == "citation_authors" and not authors:
            authors += [author_of(one) for one in re.split(r";|(?<=\w{3}),(?=\s*\w+ )", value) if one.strip()]
        elif authors and name == "citation_author_institution":
            places = (*authors[-1].affiliations, value)
            authors[-1] = _changed(authors[-1], affiliations=places, affiliation="; ".join(places))
        elif authors and name == "citation_author_email":
            authors[-1] = _changed(authors[-1], email=value)
        elif authors and name == "citation_author_orcid":
            authors[-1] = _changed(authors[-1], orcid=value.rpartition("/")[2])
    return tuple(authors)


def author_of(printed: str) -> Author:
    """An author from a printed name, in either order."""
    name = split_name(printed)
    return Author(name.name, name.given, name.family)


def _changed(author: Author, **values: Any) -> Author:
    return Author(**{**{field: getattr(author, field) for field in Author.__slots__}, **values})


def _keywords(values: Sequence[str]) -> tuple[str, ...]:
    parts = (one.strip() for value in values for one in re.split(r"[;,]", value))
    return tuple(dict.fromkeys(one for one in parts if one))


def _articles(page: HtmlElement) -> Iterator[Mapping[str, Any]]:
    """Scholarly articles of the JSON-LD of a page."""
    for script in page.iter("script"):
        text = script.text or ""
        if "ld+json" not in (script.get("type") or "") or len(text) > MAX_JSON:
            continue
        try:
            values = orjson.loads(text)
        except orjson.JSONDecodeError:
            continue
        graph = values.get("@graph", values) if isinstance(values, dict) else values
        for one in _as_list(graph):
            kinds = {str(kind).lower() for kind in _as_list(one.get("@type"))} if isinstance(one, dict) else set()
            if kinds & ARTICLE_TYPES:
                yield one


def _identifier(article: Mapping[str, Any]) -> str:
    candidates = (*_as_list(article.get("identifier")), article.get("@id"), *_as_list(article.get("sameAs")))
    texts = (_text(one.get("value") if isinstance(one, dict) else one) for one in candidates)
    return next((text for text in texts if DOI.search(text)), "")


def _named(value: Any) -> Any:
    return value.get("name") if isinstance(value, dict) else value


def _first(value: Any, key: str) -> Any:
    one = next(iter(_as_list(value)), None)
    return one.get(key) if isinstance(one, dict) else None


def _as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]


def _text(value: Any) -> str:
    return " ".join(value.split()) if isinstance(value, str) else ""
