"""What a search of a library reads; and which work a pasted citation names: it is taken apart, looked up and judged, as
the reference of a paper is."""

from __future__ import annotations

import re

from openseer.extract.references.parse_reference import parse_reference
from openseer.match.blocking_keys import keys_of
from openseer.match.descriptions import fields_of
from openseer.match.pairwise import log_odds_between
from openseer.search.context import SearchContext
from openseer.search.embeddings.encoder import load_encoder
from openseer.search.ranking.linear_model import trained_reranker
from openseer.storage.open import Library
from openseer.storage.protocols.index import Index
from openseer.storage.protocols.records import Records
from openseer.storage.protocols.sessions import ResultSnapshots

SHORTEST, LONGEST = 5, 120
"""Words of a citation."""
NUMBER = re.compile(r"\b(1[5-9]|20)\d\d\b|\b\d+\s*\(\d+\)|\b\d+\s*[:,]\s*\d+")
"""A year, or volume and pages."""
MOST = 100
"""Works that are looked at."""


def search_context(
    library: Library, snapshots: ResultSnapshots | None = None, index: Index | None = None
) -> SearchContext:
    """Index and records of a library, with the weights it has learned and, where they are installed, vectors."""
    encoder = load_encoder() if library.settings.index.embeddings else None
    weights = library.ranker_weights
    return SearchContext(
        index or library.open_index(),
        library.records,
        works_named_by,
        lambda: trained_reranker(weights),
        snapshots,
        encoder,
    )


def looks_like_citation(text: str) -> bool:
    """Whether a query may be a citation: several words with a year or pages, and the points and commas of one."""
    words = text.split()
    return SHORTEST <= len(words) <= LONGEST and bool(NUMBER.search(text)) and bool(re.search(r"\w[.,;:]\s", text))


def works_named_by(records: Records, text: str) -> str:
    """The work, or "" when the text is no citation or names nothing that is here."""
    if not looks_like_citation(text):
        return ""
    fields = fields_of(parse_reference(text))
    if fields is None:
        return ""
    standing = {work for key in keys_of(fields) for work in records.works_by_key(key)[:MOST]}
    known = [
        (root, one) for root, every in records.descriptions_of(records.public_works(standing)).items() for one in every
    ][:MOST]
    odds = log_odds_between([(fields, one.fields) for _, one in known]) if known else []
    ranked = sorted((-chance, root) for chance, (root, _) in zip(odds, known, strict=True) if chance >= 0)
    return ranked[0][1] if ranked else ""
