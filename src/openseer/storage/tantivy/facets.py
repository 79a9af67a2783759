"""Facet counts of a query: authors, venues, years and other fields."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Iterable
from typing import Any

import orjson
import tantivy

from openseer.core.model.query import OTHER, FacetRequest, SearchQuery
from openseer.storage.protocols.index import FacetValue
from openseer.storage.tantivy.schema import exact_value
from openseer.storage.tantivy.translate import FACET_FIELDS, Translator

MAX_VALUES = 1000
"""Values of one facet; also the number of years, which are all counted."""
MIN_SEGMENT_VALUES = 3000
"""Values counted in each segment: with 60, a third of the counts were wrong in an index of a million works."""
INTERNAL_VALUES = ("", "embedding", "recorded")
"""Internal values of the field `has`, which are not shown."""
LABEL_CACHE_SIZE = 4096
"""Cached labels."""


class FacetCounter:
    """Facet counts of one snapshot of the index."""

    def __init__(self, schema: tantivy.Schema, searcher: tantivy.Searcher, translator: Translator) -> None:
        self._schema, self._searcher, self._translator = schema, searcher, translator
        self._labels: OrderedDict[tuple[str, str], str] = OrderedDict()

    def count(self, query: SearchQuery) -> dict[str, tuple[FacetValue, ...]]:
        """Values of each facet, counted without its own filter, so that further values can be selected."""
        filtered = {one.facet for one in query.filters if not one.exclude}
        unfiltered = [one for one in query.facets if one.facet not in filtered]
        found = self._aggregate(query, unfiltered) if unfiltered else {}
        for one in query.facets:
            if one.facet in filtered:
                found |= self._aggregate(query, [one], without=one.facet)
        return {one.facet: found[one.facet] for one in query.facets}

    def _aggregate(
        self, query: SearchQuery, requests: Iterable[FacetRequest], without: str = ""
    ) -> dict[str, tuple[FacetValue, ...]]:
        aggregations = {one.facet: {"terms": _terms_aggregation(one)} for one in requests}
        found: dict[str, Any] = self._searcher.aggregate(self._translator.translate(query, without), aggregations)
        return {facet: self._buckets(facet, values["buckets"]) for facet, values in found.items()}

    def _buckets(self, facet: str, buckets: list[dict[str, Any]]) -> tuple[FacetValue, ...]:
        if facet == "year":
            years = (FacetValue(str(int(one["key"])), one["doc_count"], str(int(one["key"]))) for one in buckets)
            return tuple(sorted(years, key=lambda one: int(one.value)))
        counts = [(str(one["key"]), int(one["doc_count"])) for one in buckets if one["key"] not in INTERNAL_VALUES]
        return tuple(FacetValue(value, count, self.label(facet, value)) for value, count in counts)

    def label(self, facet: str, value: str) -> str:
        """A value for display: a name or venue as printed in the most cited work that has it."""
        if facet not in FACET_FIELDS:
            return value
        cached = self._labels.get((facet, value))
        if cached is None:
            cached = self._labels[facet, value] = self._printed_label(facet, value)
            if len(self._labels) > LABEL_CACHE_SIZE:
                self._labels.popitem(last=False)
        return cached

    def _printed_label(self, facet: str, value: str) -> str:
        exact = self._translator.exact(FACET_FIELDS[facet], value)
        hits = self._searcher.search(exact, limit=1, count=False, order_by_field="by_cited").hits
        if not hits:
            return value
        card = orjson.loads(self._searcher.doc(hits[0][1]).get_first("card") or b"{}")
        if facet == "venue":
            return str(card["venue"]) if exact_value(card.get("venue", "")) == value else value
        names = zip(card.get("people", ()), card.get("authors", ()), strict=False)
        return next((str(name) for key, name in names if key == value), value)


def _terms_aggregation(one: FacetRequest) -> dict[str, Any]:
    size = MAX_VALUES if one.facet == "year" else max(1, min(MAX_VALUES, one.size))
    terms: dict[str, Any] = {
        "field": FACET_FIELDS.get(one.facet, one.facet),
        "size": size,
        "segment_size": max(MIN_SEGMENT_VALUES, 4 * size),
    }
    if one.containing and one.facet != "year":
        terms["include"] = f".*{re.escape(_normalised(one.facet, one.containing))}.*"
    if one.beginning:
        terms["include"] = "[^a-z].*" if one.beginning == OTHER else f"{re.escape(one.beginning)}.*"
    return terms


def _normalised(facet: str, text: str) -> str:
    """A search string normalised like the stored values; of a name its longest word, since names are inverted."""
    if facet == "author":
        return max(exact_value(text).split(), key=len, default="")
    return exact_value(text) if facet == "venue" else text.lower()
