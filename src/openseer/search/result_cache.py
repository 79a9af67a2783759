"""The desk where questions are answered: and from memory when nothing changed."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict

from openseer.search.ranking.linear_model import Reranker
from openseer.search.service import SearchRequest, SearchResponse, search
from openseer.search.similar import SearchContext

KEPT_SECONDS = 600.0
"""How long an answer is remembered, while the index stays as it is."""


class CachedSearch:
    """Answers questions of one library; safe to be used by several threads."""

    def __init__(self, holdings: SearchContext, kept: int = 256) -> None:
        self._holdings, self._most = holdings, kept
        self._lock = threading.Lock()
        self._answers: OrderedDict[tuple[str, Reranker, SearchRequest], tuple[float, SearchResponse]] = OrderedDict()

    def search(self, asked: SearchRequest) -> SearchResponse:
        """The answer to a question; the same one for ten minutes, unless the index or the weights have
        changed. Who walks through a list has a list of their own."""
        if not self._most or asked.cursor:
            return search(self._holdings, asked)
        key = (self._holdings.index.generation, self._holdings.reranker(), asked)
        with self._lock:
            found = self._answers.get(key)
        if found and found[0] > time.monotonic():
            return found[1]
        answered = search(self._holdings, asked)
        with self._lock:
            self._answers[key] = (time.monotonic() + KEPT_SECONDS, answered)
            while len(self._answers) > self._most:
                self._answers.popitem(last=False)
        return answered
