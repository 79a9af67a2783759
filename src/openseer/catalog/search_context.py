"""The search context of a library: index, records, ranking weights and encoder put together."""

from __future__ import annotations

from openseer.catalog.citation_lookup import find_cited_work
from openseer.search.context import SearchContext
from openseer.search.embeddings.encoder import load_encoder
from openseer.search.ranking.linear_model import trained_reranker
from openseer.storage.open import Library
from openseer.storage.protocols.index import Index
from openseer.storage.protocols.sessions import ResultSnapshots


def search_context(
    library: Library, snapshots: ResultSnapshots | None = None, index: Index | None = None
) -> SearchContext:
    """All that search needs of a library; with its trained weights and the encoder, if there are any."""
    encoder = load_encoder() if library.settings.index.embeddings else None
    weights = library.ranker_weights
    return SearchContext(
        index or library.open_index(),
        library.records,
        find_cited_work,
        lambda: trained_reranker(weights),
        snapshots,
        encoder,
    )
