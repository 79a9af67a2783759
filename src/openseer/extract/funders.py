"""Who paid for the work: the institutions named behind "supported by" and its like, with their grants."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from openseer.extract.opened import Opened
from openseer.records.extraction import Extraction

name, version = "funders", 1
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
    rf"(?:the )?([^\W\d_a-z][\w'’&-]*(?:,? {PART}){{0,12}}(?: (?:research|development|technology|innovation|action|"
    rf"project|plan|program(?:me)?|health|and|of|new)){{0,6}})(\s*\([^)]{{2,120}}\))?"
)
NAMED = re.compile(rf"\b(?:{KEYWORDS})\b", re.I)
KNOWN = re.compile(
    r"\b(?:DFG|NSF|NIH|NSERC|EPSRC|BBSRC|ANR|CNPq|CAPES|FAPESP|JSPS|DARPA|ERC|SNSF|FORMAS|Kreftforeningen)\b"
)
GRANT = re.compile(r"\b(?=[\w./-]*\d)[A-Z0-9][\w./-]{4,}\b")
TAIL = re.compile(r"(?:\s+(?:of|for|and|the|in|on|de|der|und|&|,))+$|^(?:The|This|We|It)\s+")
MOST = 20


def extract(opened: Opened, found: Extraction) -> dict[str, Any]:
    """Funders in the order in which they are named, each once."""
    return {"funders": tuple(funders_in(f"{found.acknowledgments}\n{_paid_text(found)}"))}


def _paid_text(found: Extraction) -> str:
    """What stands under "Funding", or in a note on the first page."""
    sections = " ".join(section.text[:1500] for section in found.sections if "funding" in section.heading.lower())
    front = found.text[:12_000].replace("\n", " ")
    notes = " ".join(front[match.start() : match.start() + 400] for match in PAID.finditer(front))
    return f"{sections}\n{notes}"


def funders_in(text: str) -> Iterator[dict[str, Any]]:
    """
    >>> next(funders_in("This work was supported by the National Science Foundation (grant IIS-0812345)."))
    {'name': 'National Science Foundation', 'grants': ['IIS-0812345']}
    """
    seen: set[str] = set()
    for paid in PAID.finditer(text):
        clause = CLAUSE.match(text, paid.end())
        for institution in INSTITUTION.finditer(clause.group() if clause else ""):
            called = TAIL.sub("", TAIL.sub("", institution.group(1))).strip(" ,")
            bracket = institution.group(2) or ""
            if (
                not (NAMED.search(called) or KNOWN.search(called + bracket))
                or called.lower() in seen
                or len(seen) >= MOST
            ):
                continue
            seen.add(called.lower())
            yield {"name": called, "grants": GRANT.findall(bracket)}
