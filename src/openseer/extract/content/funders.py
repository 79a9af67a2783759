"""Extractor of funders and grants, from phrases such as "supported by"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import zip_longest
from typing import Any

from openseer.core.model.extraction import Extraction
from openseer.extract.context import PaperContext

name, version = "funders", 2
needs = ("body", "acknowledgments")
FUNDING_PHRASE = re.compile(
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
FUNDER_WORD = re.compile(rf"\b(?:{KEYWORDS})\b", re.I)
KNOWN_FUNDER = re.compile(
    r"\b(?:DFG|NSF|NIH|NSERC|EPSRC|BBSRC|ANR|CNPq|CAPES|FAPESP|JSPS|DARPA|ERC|SNSF|FORMAS|Kreftforeningen)\b"
)
GRANT = re.compile(r"\b(?=[\w./-]*\d)[A-Z0-9][\w./-]{4,}\b")
EDGE_WORDS = re.compile(r"(?:\s+(?:of|for|and|the|in|on|de|der|und|&|,))+$|^(?:The|This|We|It)\s+")
FUNDING_STATEMENT = re.compile(
    r"^\W*Funding(?: (?:statement|information|sources?))?\b[^\n]{0,300}(?:\n[^\n]+){0,5}", re.M
)
MAX_FUNDERS, GRANT_DISTANCE = 20, 120
"""Letters after the last funder in which grants are searched."""


def extract(context: PaperContext, found: Extraction) -> dict[str, Any]:
    """Funders in order of mention, without duplicates."""
    return {"funders": tuple(funders_in(f"{found.acknowledgments}\n{_funding_text(found)}"))}


def _funding_text(found: Extraction) -> str:
    """Funding sections, labelled statements, and notes on the first pages."""
    sections = " ".join(section.text[:1500] for section in found.sections if section.type == "funding")
    labelled = " ".join(FUNDING_STATEMENT.findall(found.text)).replace("\n", " ")
    front = found.text[:12_000].replace("\n", " ")
    notes = " ".join(front[match.start() : match.start() + 400] for match in FUNDING_PHRASE.finditer(front))
    return f"{sections}\n{labelled}\n{notes}"


def funders_in(text: str) -> Iterator[dict[str, Any]]:
    """Funders with their grants in a text.

    >>> next(funders_in("This work was supported by the National Science Foundation (grant IIS-0812345)."))
    {'name': 'National Science Foundation', 'grants': ['IIS-0812345']}
    """
    found: dict[str, dict[str, Any]] = {}
    for phrase in FUNDING_PHRASE.finditer(text):
        clause = CLAUSE.match(text, phrase.end())
        clause_text = clause.group() if clause else ""
        institutions = [institution for institution in INSTITUTION.finditer(clause_text) if _is_funder(institution)]
        for institution, next_institution in zip_longest(institutions, institutions[1:]):
            name_of_funder = _funder_name(institution)
            rest = clause_text[
                institution.end(1) : next_institution.start()
                if next_institution
                else institution.end(1) + GRANT_DISTANCE
            ]
            if name_of_funder.lower() not in found and len(found) < MAX_FUNDERS:
                found[name_of_funder.lower()] = {
                    "name": name_of_funder,
                    "grants": list(dict.fromkeys(GRANT.findall(rest))),
                }
    yield from found.values()


def _funder_name(one: re.Match[str]) -> str:
    return EDGE_WORDS.sub("", EDGE_WORDS.sub("", one.group(1))).strip(" ,")


def _is_funder(one: re.Match[str]) -> bool:
    funder = _funder_name(one)
    return bool(FUNDER_WORD.search(funder) or KNOWN_FUNDER.search(funder + (one.group(2) or "")))
