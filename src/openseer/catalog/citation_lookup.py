"""Lookup of pasted citations: parsed, blocked and matched like the references of papers."""

from __future__ import annotations

import re

from openseer.extract.references.parse_reference import parse_reference
from openseer.match.blocking_keys import keys_of
from openseer.match.descriptions import fields_of
from openseer.match.pairwise import log_odds_between
from openseer.storage.protocols.records import Records

MIN_WORDS, MAX_WORDS = 5, 120
"""Length of a citation."""
MAX_CHARACTERS = 2000
"""A longer text is no citation: it is parsed while a reader waits."""
NUMBER = re.compile(r"\b(1[5-9]|20)\d\d\b|\b\d+\s*\(\d+\)|\b\d+\s*[:,]\s*\d+")
"""A year, or volume and pages."""
MAX_CANDIDATES = 100
"""Works of one block, and descriptions, that are matched."""


def looks_like_citation(text: str) -> bool:
    """True if a query may be a citation: several words with a year or pages, and the punctuation of one."""
    if len(text) > MAX_CHARACTERS:
        return False
    words = text.split()
    return MIN_WORDS <= len(words) <= MAX_WORDS and bool(NUMBER.search(text)) and bool(re.search(r"\w[.,;:]\s", text))


def find_cited_work(records: Records, text: str) -> str:
    """The work that a citation names, or "" if the text is no citation or no work matches."""
    if not looks_like_citation(text):
        return ""
    fields = fields_of(parse_reference(text))
    if fields is None:
        return ""
    blocked = {work for key in keys_of(fields) for work in records.works_by_key(key)[:MAX_CANDIDATES]}
    candidates = [(root, one) for root, every in records.descriptions_of(blocked).items() for one in every][
        :MAX_CANDIDATES
    ]
    odds = log_odds_between([(fields, one.fields) for _, one in candidates]) if candidates else []
    ranked = sorted((-score, root) for score, (root, _) in zip(odds, candidates, strict=True) if score >= 0)
    return ranked[0][1] if ranked else ""
