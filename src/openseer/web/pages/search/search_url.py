"""The address of a page of results: read without complaint, and written again with something changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, TypeVar
from urllib.parse import quote_plus, urlencode

from pydantic import BaseModel, Field, ValidatorFunctionWrapHandler, field_validator

from openseer.core.model.query import FACETS, FacetRequest, Filter, Sort
from openseer.search.service import SearchRequest
from openseer.storage.protocols.index import FacetValue
from openseer.web.params import filters_of, sort_named
from openseer.web.templating import LANGUAGES

HAS = {"pdf": "PDF", "no-pdf": "no PDF", "doi": "DOI", "arxiv": "arXiv"}
"""What a work may have, in words."""
SAME = ("text",)
"""What says the same as another value: whose PDF is here, whose text is."""
SHOWN = ("author", "venue", "topic", "type", "language", "has", "host")
"""Facets beside the results; years have a chart of their own."""
FEW, MANY = 6, 50
"""Values of a facet, and of one that a reader wants to see more of."""
MOST_FILTERS = 40
LONGEST_QUERY = 300
"""Characters of a query that are worth to be noted."""
Kind = TypeVar("Kind")


class SearchParameters(BaseModel):
    """The query string of the search page; what a reader typed into an address bar never gives an error."""

    q: str = ""
    page: int = 1
    size: int = 0
    sort: str = "relevance"
    full: bool = False
    low: str = ""
    high: str = ""
    filters: list[str] = Field(default=[], alias="filter")
    more: str = ""
    """A facet of which more values are wanted."""
    start: int = 0
    """The old name of a place among the results."""
    t: str = ""
    """The old name of what is looked for: doc, auth, table, algorithm."""
    feed: str = ""
    """The old name of a feed: rss or atom."""

    @field_validator("page", "size", "start", mode="wrap")
    @classmethod
    def _some_number(cls, value: object, handler: ValidatorFunctionWrapHandler) -> int:
        return max(0, min(100_000, _or_else(value, handler, 0)))

    @field_validator("full", mode="wrap")
    @classmethod
    def _some_switch(cls, value: object, handler: ValidatorFunctionWrapHandler) -> bool:
        return _or_else(value, handler, False)


def _or_else(value: object, handler: ValidatorFunctionWrapHandler, default: Kind) -> Kind:
    try:
        valid: Kind = handler(value)
    except ValueError:
        return default
    return valid


def year_in(text: str) -> int | None:
    """A year, or nothing for what is none."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 4 else None


@dataclass(frozen=True, slots=True)
class Chip:
    """A filter in force, and the address without it."""

    label: str
    link: str
    excluded: bool


@dataclass(frozen=True, slots=True)
class Value:
    """One value of a facet as it is shown: chosen or not, with the addresses that change that."""

    label: str
    count: int
    chosen: bool
    link: str
    without: str


@dataclass(frozen=True, slots=True)
class View:
    """What a page of results shows: everything its address says."""

    q: str = ""
    page: int = 1
    size: int = 10
    sort: Sort = "relevance"
    full: bool = False
    low: int | None = None
    high: int | None = None
    filters: tuple[str, ...] = ()
    more: str = ""

    @classmethod
    def of(cls, asked: SearchParameters, size: int) -> View:
        """From an address, with the site's own size of a page."""
        size = min(100, asked.size or size)
        page = max(1, asked.page, asked.start // size + 1 if asked.start else 1)
        known = [one for one in asked.filters if _parted(one)][:MOST_FILTERS]
        low, high = year_in(asked.low), year_in(asked.high)
        if low is not None and high is not None and low > high:
            low, high = high, low
        return cls(
            asked.q, page, size, sort_named(asked.sort), asked.full, low, high,
            tuple(dict.fromkeys(known)), asked.more if asked.more in FACETS else "",
        )  # fmt: skip

    def asked(self) -> SearchRequest:
        """As a question, with everything counted."""
        counting = tuple(FacetRequest(one, MANY if one == self.more else FEW + 1) for one in SHOWN)
        return SearchRequest(
            self.q, self.page, self.size, self.sort, self.full, self.low, self.high, self._chosen(),
            (*counting, FacetRequest("year")),
        )  # fmt: skip

    def all_years(self) -> SearchRequest:
        """The same without its years, to count those that were left out."""
        return SearchRequest(
            self.q, 1, 1, "added", self.full, filters=self._chosen(), facets=(FacetRequest("year"),), plain=True
        )

    def _chosen(self) -> tuple[Filter, ...]:
        return filters_of(self.filters)

    def parameters(self) -> list[tuple[str, str]]:
        """The query string, with what differs from the default."""
        told = {"q": self.q, "low": self.low, "high": self.high, "more": self.more}
        pairs = [(name, str(value)) for name, value in told.items() if value not in ("", None)]
        pairs += [("sort", self.sort)] if self.sort != "relevance" else []
        pairs += [("full", "true")] if self.full else []
        pairs += [("size", str(self.size))] if self.size != 10 else []
        pairs += [("filter", one) for one in self.filters]
        return pairs + ([("page", str(self.page))] if self.page > 1 else [])

    def link(self, **changes: Any) -> str:
        """The address with something changed; the first page of it, unless a page is named."""
        pairs = replace(self, **{"page": 1, **changes}).parameters()
        return "/search?" + "&".join([f"{name}={_quoted(value)}" for name, value in pairs]) if pairs else "/search"

    def at(self, page: int) -> str:
        """Another page of the same."""
        return self.link(page=page)

    def clicked(self, number: int, work: str) -> str:
        """Where the browser tells that a result was opened: no cookie, no script; caches may keep the page."""
        place = (self.page - 1) * self.size + number
        return "/clicked?" + urlencode({"q": self.q[:LONGEST_QUERY], "work": work, "place": place})

    def programs(self, form: str) -> str:
        """The same question to the API, in a format for other programs."""
        years = [("yearStart", self.low), ("yearEnd", self.high)]
        pairs = [("q", self.q), ("sort", self.sort), *((name, str(value)) for name, value in years if value)]
        pairs += [("must_have_pdf", "true")] if self.full else []
        pairs += [("filter", one) for one in self.filters]
        return "/api/search?" + urlencode([*pairs, ("pageSize", "100"), ("format", form)])

    def feed(self, form: str) -> str:
        """The newest works that answer this question, as a feed."""
        kept = [pair for pair in self.parameters() if pair[0] not in ("page", "size", "more", "sort")]
        return f"/feeds/search.{form}?" + urlencode(kept)

    def chips(self, facets: Mapping[str, tuple[FacetValue, ...]]) -> Iterator[Chip]:
        """The filters in force."""
        if self.low is not None or self.high is not None:
            yield Chip(self._years(), self.link(low=None, high=None), False)
        if self.full:
            yield Chip("with full text", self.link(full=False), False)
        for one in self.filters:
            facet, value, excluded = _parted(one) or ("", "", False)
            label = next((bucket.label for bucket in facets.get(facet, ()) if bucket.value == value), value)
            rest = tuple(other for other in self.filters if other != one)
            yield Chip(f"{facet}: {shown(facet, value, label)}", self.link(filters=rest), excluded)

    def _years(self) -> str:
        if self.low and self.high:
            return f"{self.low} to {self.high}" if self.low != self.high else str(self.low)
        return f"from {self.low}" if self.low else f"up to {self.high}"

    def values(self, facet: str, buckets: tuple[FacetValue, ...]) -> Iterator[Value]:
        """The values of a facet, as links."""
        told = [one for one in buckets if facet != "has" or one.value not in SAME]
        for one in told[: MANY if self.more == facet else FEW]:
            name = f"{facet}:{one.value}"
            chosen = name in self.filters
            rest = tuple(other for other in self.filters if other not in (name, f"-{name}"))
            yield Value(
                shown(facet, one.value, one.label),
                one.count,
                chosen,
                self.link(filters=rest if chosen else (*rest, name)),
                self.link(filters=(*rest, f"-{name}")),
            )


@lru_cache(4096)
def _quoted(value: str) -> str:
    """A value in an address; a page of results has a hundred addresses of the same values."""
    return quote_plus(value)


def shown(facet: str, value: str, label: str) -> str:
    """A value of a facet in words."""
    names = {"language": LANGUAGES, "has": HAS}.get(facet, {})
    return names.get(value, label or value)


def _parted(text: str) -> tuple[str, str, bool] | None:
    """`author:broder a` or `-type:thesis` in its parts; None for what is no filter."""
    facet, mark, value = text.removeprefix("-").partition(":")
    return (facet, value, text.startswith("-")) if mark and value and facet in FACETS else None
