"""Search with a result cache that is invalidated when the index or the ranking weights change."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict

from openseer.search.context import SearchContext
from openseer.search.ranking.linear_model import Reranker
from openseer.search.service import SearchRequest, SearchResponse, search

CACHE_SECONDS = 600.0
"""Lifetime of a cached response."""


class CachedSearch:
    """Search of one library with a bounded cache of responses, oldest out first; thread-safe."""

    def __init__(self, context: SearchContext, cache_size: int = 256) -> None:
        self._context, self._cache_size = context, cache_size
        self._lock = threading.Lock()
        self._responses: OrderedDict[tuple[str, Reranker, SearchRequest], tuple[float, SearchResponse]] = OrderedDict()

    def search(self, request: SearchRequest) -> SearchResponse:
        """The cached or a new response; requests with a cursor are never cached."""
        if not self._cache_size or request.cursor:
            return search(self._context, request)
        key = (self._context.index.generation, self._context.reranker(), request)
        with self._lock:
            cached = self._responses.get(key)
        if cached and cached[0] > time.monotonic():
            return cached[1]
        response = search(self._context, request)
        with self._lock:
            self._responses[key] = (time.monotonic() + CACHE_SECONDS, response)
            while len(self._responses) > self._cache_size:
                self._responses.popitem(last=False)
        return response
