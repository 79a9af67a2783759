"""Normalised numeric fields of a reference: years, volumes, page ranges, DOIs."""

from __future__ import annotations

import re
from typing import Any

from openseer.evaluation.string_similarity import letters

YEAR = re.compile(r"(?:1[4-9]|20)\d\d")
LONE_YEAR = re.compile(r"(?<!\d)(?:1[4-9]|20)\d\d(?!\d)")
NUMBER_LABEL = re.compile(
    r"\b(?:volumes?|vols?|v|numbers?|num|nos?|nr|n|issues?|iss|band|bd|heft|h|jg|jahrgang|tome|t|fasc|part)\b\.?|[º°№]",
    re.I,
)
DOI = re.compile(r"10\.\d{4,9}\s?/\s?[^\s\"<>]+")
YEAR_FIRST = re.compile(r"\s*(?P<year>(?:1[89]|20)\d\d)(?:\s\w+)?(?:\s\d+)?\s*;\s*(?P<rest>.*)")
LONE_ISSUE = re.compile(
    r"\s*\(?(?:no?\.|no|nr\.?|n\s?[°º]|nos\.?|issue|heft|h\.|number|\#)\s*(?P<issue>\d[\w\-–/]*)", re.I
)
VOLUME = re.compile(
    r"""
    \s* \(? (?:volume|vol\.?|v\.|band|bd\.?|tome|t\.)? \s*
    (?P<volume> [a-z]?\d+[a-z]?(?:[-–/]\d+)? | [ivxlc]+\b ) \s* [,.]? \s*
    (?:
        \( \s* (?:no?\.?|nr\.?|n\s?[°º]|issue|heft)? \s* (?P<bracketed>[^()]*?) \s* \)     # 71(1)
      | [.:] (?=\d+\W*$) (?P<dotted>\d+)                                                   # 110.1, or a page: 70:3778
      | (?:no?\.|no|nr\.?|n\s?[°º]|nos\.?|issue|iss\.?|heft|h\.|number|\#) \s* (?P<named>[\w\-–/]+)
    )?
    (?P<rest>.*)
    """,
    re.I | re.X,
)
AFTER = re.compile(r"\s*[:,.]\s*(?:pp?\.?)?\s*(?P<pages>[a-z]?\d+\s*(?:[-–—]+\s*\w+)?)")


def year_of(value: Any) -> str:
    """Year in a value; one that is not part of a longer number is preferred."""
    text = str(value or "")
    found = LONE_YEAR.search(text) or YEAR.search(text)
    return found.group(0) if found else ""


def years_in(text: str) -> list[str]:
    """All years in a text."""
    return YEAR.findall(text)


def number_of(value: Any) -> str:
    """Letters and digits of a volume or issue without its label.

    >>> number_of("Vol. 12")
    '12'
    """
    return letters(NUMBER_LABEL.sub(" ", str(value or "")))


def doi_letters(value: Any) -> str:
    """Letters and digits of the DOI in a value."""
    found = DOI.search(str(value or "").lower())
    return letters(found.group(0)) if found else ""


def page_range(value: Any) -> list[str]:
    """First and last page.

    >>> page_range("S. 2220-1")
    ['2220', '2221']
    """
    pages = re.findall(r"\d+", re.sub(r"(?<=\d)[.,](?=\d{3}\b)", "", str(value or "")))[:2]
    if len(pages) == 2 and len(pages[1]) < len(pages[0]):
        pages[1] = pages[0][: len(pages[0]) - len(pages[1])] + pages[1]
    return pages[:1] if len(set(pages)) == 1 else pages


def parts_of_volume(text: str) -> dict[str, str]:
    """Fields of a volume span: year, volume, issue, pages.

    >>> parts_of_volume("2000;355(9222):12-9")
    {'year': '2000', 'volume': '355', 'issue': '9222', 'pages': '12-9'}
    """
    parts: dict[str, str] = {}
    rest = text.strip()
    if leading_year := YEAR_FIRST.match(rest):
        parts["year"], rest = leading_year["year"], leading_year["rest"]
    if issue_only := LONE_ISSUE.match(rest):
        return {**parts, "issue": issue_only["issue"]}
    found = VOLUME.match(rest)
    if not found:
        return {**parts, "volume": text}
    parts["volume"] = found["volume"]
    if issue := found["bracketed"] or found["named"]:
        parts["issue"] = issue
    elif found["dotted"]:
        parts["issue"] = parts["pages"] = found["dotted"]
    if pages_after := AFTER.match(found["rest"]):
        parts["pages"] = pages_after["pages"]
    return parts
