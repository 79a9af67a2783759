"""Dependencies of a search: index, records, re-ranker weights, encoder, result snapshots."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from openseer.search.embeddings.encoder import Encoder
from openseer.search.ranking.linear_model import Reranker, load_reranker
from openseer.storage.protocols.index import Index
from openseer.storage.protocols.records import Records
from openseer.storage.protocols.sessions import ResultSnapshots


@dataclass(frozen=True, slots=True)
class SearchContext:
    """Everything a search reads."""

    index: Index
    records: Records
    find_cited: Callable[[Records, str], str] = lambda records, text: ""
    """Returns the id of the work that a pasted citation names, or ""."""
    reranker: Callable[[], Reranker] = load_reranker
    """Returns the current weights of the ranking features."""
    snapshots: ResultSnapshots | None = None
    """Store of result snapshots for cursors; None: cursors only count offsets."""
    encoder: Encoder | None = None
    """Text encoder; None: ranking by words alone."""
