"""Counting what was found by its authors, venues, years ..."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Iterable
from typing import Any

import orjson
import tantivy

from openseer.core.model.query import OTHER, FacetRequest, SearchQuery
from openseer.storage.protocols.index import FacetValue
from openseer.storage.tantivy.schema import whole
from openseer.storage.tantivy.translate import FACET_FIELDS, Translator

MOST = 1000
"""Values of one facet; of years all that there are."""
COUNTED = 3000
"""Values counted in each part of an index: of a million works a third of the counts were wrong with sixty of them."""
OURS = ("", "embedding", "recorded")
"""What is marked for ourselves, and counted for nobody."""
KEPT = 4096
"""Labels that are remembered."""


class Facets:
    """Counts for one state of the index."""

    def __init__(self, schema: tantivy.Schema, searcher: tantivy.Searcher, translator: Translator) -> None:
        self._schema, self._searcher, self._translator = schema, searcher, translator
        self._labels: OrderedDict[tuple[str, str], str] = OrderedDict()

    def counted(self, question: SearchQuery) -> dict[str, tuple[FacetValue, ...]]:
        """Each facet among what all the other facets' filters leave, so that more of its values can be chosen."""
        filtered = {one.facet for one in question.filters if not one.exclude}
        together = [one for one in question.facets if one.facet not in filtered]
        found = self._count(question, together) if together else {}
        for one in question.facets:
            if one.facet in filtered:
                found |= self._count(question, [one], without=one.facet)
        return {one.facet: found[one.facet] for one in question.facets}

    def _count(
        self, question: SearchQuery, counting: Iterable[FacetRequest], without: str = ""
    ) -> dict[str, tuple[FacetValue, ...]]:
        asked = {one.facet: {"terms": _terms(one)} for one in counting}
        found: dict[str, Any] = self._searcher.aggregate(self._translator.query(question, without), asked)
        return {facet: self._buckets(facet, values["buckets"]) for facet, values in found.items()}

    def _buckets(self, facet: str, buckets: list[dict[str, Any]]) -> tuple[FacetValue, ...]:
        if facet == "year":
            years = (FacetValue(str(int(one["key"])), one["doc_count"], str(int(one["key"]))) for one in buckets)
            return tuple(sorted(years, key=lambda one: int(one.value)))
        named = [(str(one["key"]), int(one["doc_count"])) for one in buckets if one["key"] not in OURS]
        return tuple(FacetValue(value, count, self.label(facet, value)) for value, count in named)

    def label(self, facet: str, value: str) -> str:
        """A value as readers know it: a name or venue as it is printed in the most cited work that has it."""
        if facet not in FACET_FIELDS:
            return value
        known = self._labels.get((facet, value))
        if known is None:
            known = self._labels[facet, value] = self._printed(facet, value)
            if len(self._labels) > KEPT:
                self._labels.popitem(last=False)
        return known

    def _printed(self, facet: str, value: str) -> str:
        query = self._translator.exactly(FACET_FIELDS[facet], value)
        hits = self._searcher.search(query, limit=1, count=False, order_by_field="by_cited").hits
        if not hits:
            return value
        card = orjson.loads(self._searcher.doc(hits[0][1]).get_first("card") or b"{}")
        if facet == "venue":
            return str(card["venue"]) if whole(card.get("venue", "")) == value else value
        named = zip(card.get("people", ()), card.get("authors", ()), strict=False)
        return next((str(name) for key, name in named if key == value), value)


def _terms(one: FacetRequest) -> dict[str, Any]:
    size = MOST if one.facet == "year" else max(1, min(MOST, one.size))
    terms: dict[str, Any] = {
        "field": FACET_FIELDS.get(one.facet, one.facet),
        "size": size,
        "segment_size": max(COUNTED, 4 * size),
    }
    if one.containing and one.facet != "year":
        terms["include"] = f".*{re.escape(_sought(one.facet, one.containing))}.*"
    if one.beginning:
        terms["include"] = "[^a-z].*" if one.beginning == OTHER else f"{re.escape(one.beginning)}.*"
    return terms


def _sought(facet: str, text: str) -> str:
    """A piece of a value as values are kept: of a printed name its longest word, since these are turned round."""
    if facet == "author":
        return max(whole(text).split(), key=len, default="")
    return whole(text) if facet == "venue" else text.lower()
