"""What an index is like, and stays while it changes little: the languages of its texts, how rare its words are."""

from __future__ import annotations

import math
from collections.abc import Iterator

import tantivy
from tantivy import Query

MOST_LANGUAGES = 6
"""Languages whose endings a query word is tried with, the most frequent of the index."""
CHANGE = 0.01
"""Share of the works that may have come or gone before the index is looked at anew: a look takes as long as some
searches, and while papers come in there is a new state every second."""
KEPT = 100_000
"""Words whose rarity is remembered."""
COMMON, CHEAP, FEW = 0.02, 3000, 100
"""A word that a larger share of the works has tells too little of what one is about to be worth asking for; unless so
many, and not half of them, have it (asking costs nothing then, and in a library of one field the words of the field are
common), or only a few."""


class TermStats:
    """Found out when first asked for."""

    def __init__(self, works: int) -> None:
        self._works = works
        self._most = max(COMMON * works, min(CHEAP, works / 2), FEW)
        self._languages: tuple[str, ...] | None = None
        self._rarities: dict[str, float] = {}

    def hold(self, works: int) -> bool:
        """Whether they still speak for an index of so many works."""
        return abs(works - self._works) <= CHANGE * self._works

    def languages(self, searcher: tantivy.Searcher) -> tuple[str, ...]:
        """Of the texts, the most frequent first, English left out."""
        if self._languages is None:
            self._languages = tuple(_languages(searcher))[:MOST_LANGUAGES]
        return self._languages

    def rarity(self, searcher: tantivy.Searcher, token: str) -> float:
        """How much a word of a title or abstract tells; nothing, when no second work has it or too many have."""
        known = self._rarities.get(token)
        if known is None:
            if len(self._rarities) >= KEPT:
                self._rarities.clear()
            often = max(searcher.doc_freq("title", token), searcher.doc_freq("abstract", token))
            known = math.log(1 + searcher.num_docs / often) if 1 < often <= self._most else 0.0
            self._rarities[token] = known
        return known


def _languages(searcher: tantivy.Searcher) -> Iterator[str]:
    counted = {"languages": {"terms": {"field": "language", "size": MOST_LANGUAGES + 2}}}
    for bucket in searcher.aggregate(Query.all_query(), counted)["languages"]["buckets"]:
        if bucket["key"] not in ("", "en"):
            yield str(bucket["key"])
