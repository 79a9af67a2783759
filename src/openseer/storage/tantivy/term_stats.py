"""Term statistics of an index: languages of its texts and IDF of its terms, reused while the index changes little."""

from __future__ import annotations

import math
from collections.abc import Iterator

import tantivy
from tantivy import Query

MAX_LANGUAGES = 6
"""Most frequent languages of the index by which query words are stemmed."""
MAX_CHANGE = 0.01
"""Share of works that may be added or removed before statistics are computed again: that takes as long as several
searches, and during ingest there is a new snapshot every second."""
CACHE_SIZE = 100_000
"""Cached IDF values."""
MAX_SHARE, CHEAP_WORKS, MIN_LIMIT = 0.02, 3000, 100
"""Terms in a larger share of the works are ignored. In small libraries the limit is higher: `CHEAP_WORKS`, but at most
half of the works (the query is cheap, and terms of a single subject are common), and never below `MIN_LIMIT`."""


class TermStats:
    """Statistics of an index, computed on first use."""

    def __init__(self, works: int) -> None:
        self._works = works
        self._max_frequency = max(MAX_SHARE * works, min(CHEAP_WORKS, works / 2), MIN_LIMIT)
        self._languages: tuple[str, ...] | None = None
        self._idf: dict[str, float] = {}

    def fits(self, works: int) -> bool:
        """True if the statistics still fit an index of so many works."""
        return abs(works - self._works) <= MAX_CHANGE * self._works

    def languages(self, searcher: tantivy.Searcher) -> tuple[str, ...]:
        """Languages of the texts, most frequent first, without English."""
        if self._languages is None:
            self._languages = tuple(_languages(searcher))[:MAX_LANGUAGES]
        return self._languages

    def idf(self, searcher: tantivy.Searcher, token: str) -> float:
        """IDF of a term in titles or abstracts; 0 if fewer than two or too many works have it."""
        idf = self._idf.get(token)
        if idf is None:
            if len(self._idf) >= CACHE_SIZE:
                self._idf.clear()
            frequency = max(searcher.doc_freq("title", token), searcher.doc_freq("abstract", token))
            idf = math.log(1 + searcher.num_docs / frequency) if 1 < frequency <= self._max_frequency else 0.0
            self._idf[token] = idf
        return idf


def _languages(searcher: tantivy.Searcher) -> Iterator[str]:
    aggregation = {"languages": {"terms": {"field": "language", "size": MAX_LANGUAGES + 2}}}
    for bucket in searcher.aggregate(Query.all_query(), aggregation)["languages"]["buckets"]:
        if bucket["key"] not in ("", "en"):
            yield str(bucket["key"])
