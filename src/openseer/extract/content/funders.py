"""Who paid for the work: the institutions named behind "supported by" and its like, with their grants."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import zip_longest
from typing import Any

from openseer.core.model.extraction import Extraction
from openseer.extract.context import PaperContext

name, version = "funders", 2
needs = ("body", "acknowledgments")
PAID = re.compile(
    r"\b(?:(?:support|fund|financ|sponsor|subsidi[sz])(?:ed|ing)|funding (?:for|was|from)|grants?|fellowship|award|"
    r"financial (?:support|assistance))\b[^.;]{0,90}?\b(?:by|from|through|of|under|for)\b|"
    r"gefördert (?:durch|von)|finanziert von",
    re.I,
)
CLAUSE = re.compile(r"(?:[^.;]|\.(?=\S)|(?<=\bNo)\.|(?<=\bno)\.|(?<=\bU\.S)\.){3,500}")
KEYWORDS = (
    r"foundation|council|ministry|ministère|ministerium|funds?|program(?:me)?|commission|agency|institutes?|universit\w+|"
    r"academy|society|trust|projects?|department|association|cent(?:re|er)|hospital|plan|scheme|initiative|office|board|"
    r"stiftung|gemeinschaft|fondazione|fundação|union|administration|organi[sz]ation|company|inc|corporation|laboratory|"
    r"province|government|bureau|college|charity|campaign"
)
PART = r"(?:[^\W\d_a-z][\w'’&-]*|of|for|and|the|in|on|de|des|du|la|für|der|und|&)"
INSTITUTION = re.compile(
    rf"(?:the )?([^\W\d_a-z][\w'’&-]*(?:(?:,(?! the\b))? {PART}){{0,12}}(?: (?:research|development|technology|"
    rf"innovation|action|project|plan|program(?:me)?|health|and|of|new)){{0,6}})(\s*\([^)]{{2,120}}\))?"
)
NAMED = re.compile(rf"\b(?:{KEYWORDS})\b", re.I)
KNOWN = re.compile(
    r"\b(?:DFG|NSF|NIH|NSERC|EPSRC|BBSRC|ANR|CNPq|CAPES|FAPESP|JSPS|DARPA|ERC|SNSF|FORMAS|Kreftforeningen)\b"
)
GRANT = re.compile(r"\b(?=[\w./-]*\d)[A-Z0-9][\w./-]{4,}\b")
TAIL = re.compile(r"(?:\s+(?:of|for|and|the|in|on|de|der|und|&|,))+$|^(?:The|This|We|It)\s+")
LABELLED = re.compile(r"^\W*Funding(?: (?:statement|information|sources?))?\b[^\n]{0,300}(?:\n[^\n]+){0,5}", re.M)
MOST, REACH = 20, 120
"""Funders of a document; letters behind the last in which grants are looked for."""


def extract(opened: PaperContext, found: Extraction) -> dict[str, Any]:
    """Funders in the order in which they are named, each once."""
    return {"funders": tuple(funders_in(f"{found.acknowledgments}\n{_paid_text(found)}"))}


def _paid_text(found: Extraction) -> str:
    """What stands behind "Funding", wherever that is, or in a note on the first page."""
    sections = " ".join(section.text[:1500] for section in found.sections if section.type == "funding")
    labelled = " ".join(LABELLED.findall(found.text)).replace("\n", " ")
    front = found.text[:12_000].replace("\n", " ")
    notes = " ".join(front[match.start() : match.start() + 400] for match in PAID.finditer(front))
    return f"{sections}\n{labelled}\n{notes}"


def funders_in(text: str) -> Iterator[dict[str, Any]]:
    """
    >>> next(funders_in("This work was supported by the National Science Foundation (grant IIS-0812345)."))
    {'name': 'National Science Foundation', 'grants': ['IIS-0812345']}
    """
    found: dict[str, dict[str, Any]] = {}
    for paid in PAID.finditer(text):
        clause = CLAUSE.match(text, paid.end())
        said = clause.group() if clause else ""
        named = [one for one in INSTITUTION.finditer(said) if _is_funder(one)]
        for one, after in zip_longest(named, named[1:]):
            called = _called(one)
            rest = said[one.end(1) : after.start() if after else one.end(1) + REACH]
            if called.lower() not in found and len(found) < MOST:
                found[called.lower()] = {"name": called, "grants": list(dict.fromkeys(GRANT.findall(rest)))}
    yield from found.values()


def _called(one: re.Match[str]) -> str:
    return TAIL.sub("", TAIL.sub("", one.group(1))).strip(" ,")


def _is_funder(one: re.Match[str]) -> bool:
    called = _called(one)
    return bool(NAMED.search(called) or KNOWN.search(called + (one.group(2) or "")))
