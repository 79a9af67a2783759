"""CSL-JSON parser, as written by Zotero, Pandoc and Crossref: one object or a list."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import orjson

from openseer.acquire.bibliographies.normalize_fields import MAX_RECORD, RawRecord, build_record, record_label
from openseer.acquire.bibliographies.parse_names import Person, parse_name
from openseer.core.errors import Corrupt
from openseer.core.model.bibliography_record import BibliographyRecord, RejectedRecord

TYPES = {
    "article-journal": "article",
    "article-magazine": "article",
    "article-newspaper": "article",
    "journal-article": "article",
    "review": "article",
    "paper-conference": "inproceedings",
    "proceedings-article": "inproceedings",
    "book": "book",
    "monograph": "book",
    "chapter": "chapter",
    "book-chapter": "chapter",
    "entry-encyclopedia": "chapter",
    "thesis": "thesis",
    "dissertation": "thesis",
    "report": "report",
    "article": "preprint",
    "posted-content": "preprint",
    "manuscript": "preprint",
    "webpage": "web",
    "post": "web",
    "post-weblog": "web",
}


def read(text: str) -> Iterator[BibliographyRecord | RejectedRecord]:
    """All records of a file; invalid JSON is an error."""
    try:
        values = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise Corrupt(f"It is not JSON: {error.msg} ({where}).", "Export it again as CSL-JSON.") from None
    for number, item in enumerate(_items(values), 1):
        yield _record(item, number)


def _items(values: Any) -> list[Any]:
    """The list of records, also inside an envelope."""
    if isinstance(values, dict):
        for name in ("message", "items", "references"):
            if isinstance(values.get(name), (list, dict)):
                return _items(values[name]) if name == "message" else list(values[name])
        return [values]
    return values if isinstance(values, list) else [values]


def _record(item: Any, number: int) -> BibliographyRecord | RejectedRecord:
    if not isinstance(item, dict):
        return RejectedRecord(0, f"record {number}", "it is no object with fields")
    title = _text(item.get("title"))
    subtitle = _text(item.get("subtitle"))
    name = _text(item.get("id")) or record_label(title) or f"record {number}"
    if sum(len(value) for value in item.values() if isinstance(value, str)) > MAX_RECORD:
        return RejectedRecord(0, name[:200], f"it is longer than {MAX_RECORD:,} characters")
    archived = _text(item.get("archive")) + _text(item.get("archive_location")) + _text(item.get("number"))
    return build_record(
        RawRecord(
            name=name[:200],
            title=f"{title}: {subtitle}" if subtitle and subtitle not in title else title,
            authors=tuple(_people(item.get("author"))),
            date=_date(item.get("issued")) or _date(item.get("published")),
            venue=_text(item.get("container-title")) or _text(item.get("event-title")) or _text(item.get("event")),
            volume=_text(item.get("volume")),
            issue=_text(item.get("issue")),
            pages=_text(item.get("page")) or _text(item.get("page-first")),
            doi=_text(item.get("DOI")),
            arxiv=_text(item.get("arxiv")) or (archived if "arxiv" in archived.lower() else ""),
            url=_text(item.get("URL")),
            abstract=_text(item.get("abstract")),
            type=TYPES.get(_text(item.get("type")), ""),
            keywords=tuple(_keywords(item.get("keyword"))),
            publisher=_text(item.get("publisher")),
        )
    )


def _text(value: Any) -> str:
    """A string or number; the first of a list."""
    if isinstance(value, list):
        value = value[0] if value else ""
    return str(value)[:MAX_RECORD] if isinstance(value, (str, int)) and not isinstance(value, bool) else ""


def _people(value: Any) -> Iterator[Person]:
    for one in value if isinstance(value, list) else ():
        if isinstance(one, str) and (found := parse_name(one)):
            yield found
        elif isinstance(one, dict) and (parsed := _person(one)):
            yield parsed


def _person(one: dict[str, Any]) -> Person | None:
    particle = " ".join(filter(None, (_text(one.get("dropping-particle")), _text(one.get("non-dropping-particle")))))
    family = " ".join(filter(None, (particle, _text(one.get("family")))))
    if family:
        return family, _text(one.get("given"))
    literal = _text(one.get("literal")) or _text(one.get("name"))
    return (literal, "") if literal else None


def _date(value: Any) -> str:
    """Text of {"date-parts": [[1997, 9, 29]]}, {"raw": "1997"}, {"literal": ...} or a plain string."""
    if not isinstance(value, dict):
        return _text(value)
    parts = value.get("date-parts")
    if isinstance(parts, list) and parts:
        return _text(parts[0])
    return _text(value.get("raw")) or _text(value.get("literal"))


def _keywords(value: Any) -> Iterator[str]:
    for part in value if isinstance(value, list) else [value]:
        yield from re.split(r"\s*[,;]\s*", _text(part))
