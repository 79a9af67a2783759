"""Keys: typed buckets in which descriptions of one work meet."""

from __future__ import annotations

from openseer.identify.normal import plain_arxiv, plain_doi, squeezed
from openseer.records.description import MatchFields

VERSION = 1
"""Grows when a key is made differently; older rows are enlisted anew then."""
TITLE_START = 40
"""Characters of the normalised title that a key holds."""


def doi_key(fields: MatchFields) -> str:
    """`doi:10.1145/276675.276685`"""
    doi = plain_doi(fields.doi)
    return f"doi:{doi}" if doi else ""


def arxiv_key(fields: MatchFields) -> str:
    """`arxiv:2403.01234`"""
    arxiv = plain_arxiv(fields.arxiv)
    return f"arxiv:{arxiv}" if arxiv else ""


def title_key(fields: MatchFields) -> str:
    """`title:syntacticclusteringoftheweb|broder`: start of the title and the first surname."""
    title = squeezed(fields.title)
    surname = squeezed(fields.authors[0][0]) if fields.authors else ""
    return f"title:{title[:TITLE_START]}|{surname}" if title else ""


KEYS = (doi_key, arxiv_key, title_key)


def keys_of(fields: MatchFields) -> list[str]:
    """Every key of a description; one that gives nothing to hold it by has none."""
    return [key for make in KEYS if (key := make(fields))]
