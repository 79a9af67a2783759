"""URL of a result page: tolerant parsing of its parameters, and links with changed parameters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, TypeVar
from urllib.parse import quote_plus, urlencode

from pydantic import BaseModel, Field, ValidatorFunctionWrapHandler, field_validator

from openseer.core.model.query import FACETS, HAS_VALUES, FacetRequest, Filter, Sort
from openseer.search.service import SearchRequest
from openseer.storage.protocols.index import FacetValue
from openseer.web.params import filters_of, sort_named
from openseer.web.templating import FORMAT_LABELS, LANGUAGES

HAS_LABELS = {
    "text": "full text",
    "no-text": "citation only",
    "pdf": "PDF",
    "no-pdf": "no PDF",
    "doubt": "probably not a paper",
    "doi": "DOI",
    "arxiv": "arXiv",
}
REDUNDANT_HAS = ("pdf", "no-pdf")
"""Values of the facet "has" that the facet "format" has too."""
FACETS_SHOWN = ("author", "venue", "topic", "type", "format", "language", "has", "host")
"""Facets beside the results; years have a chart."""
FACET_VALUES, MAX_FACET_VALUES = 6, 50
"""Values of a facet, and of one whose "more" link was followed."""
MAX_FILTERS = 40
MAX_LOGGED_CHARACTERS = 300
"""Length of a query in the click log."""
Parsed = TypeVar("Parsed")


class SearchParameters(BaseModel):
    """Query string of the result page; invalid values fall back to defaults instead of raising errors."""

    q: str = ""
    page: int = 1
    size: int = 0
    sort: str = "relevance"
    full: bool = False
    low: str = ""
    high: str = ""
    filters: list[str] = Field(default=[], alias="filter")
    more: str = ""
    """A facet to show with more values."""
    start: int = 0
    """Old parameter: offset of the first result."""
    t: str = ""
    """Old parameter: type of results (doc, auth, table, algorithm)."""
    feed: str = ""
    """Old parameter: rss or atom."""

    @field_validator("page", "size", "start", mode="wrap")
    @classmethod
    def _some_number(cls, value: object, handler: ValidatorFunctionWrapHandler) -> int:
        return max(0, min(100_000, _parse_or_default(value, handler, 0)))

    @field_validator("full", mode="wrap")
    @classmethod
    def _some_switch(cls, value: object, handler: ValidatorFunctionWrapHandler) -> bool:
        return _parse_or_default(value, handler, False)


def _parse_or_default(value: object, handler: ValidatorFunctionWrapHandler, default: Parsed) -> Parsed:
    try:
        valid: Parsed = handler(value)
    except ValueError:
        return default
    return valid


def parse_year(text: str) -> int | None:
    """A year of up to four digits, or None."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 4 else None


@dataclass(frozen=True, slots=True)
class ActiveFilter:
    """A filter in force, with the link that removes it."""

    label: str
    link: str
    excluded: bool


@dataclass(frozen=True, slots=True)
class FacetLink:
    """A facet value with the links that select and exclude it."""

    label: str
    count: int
    selected: bool
    link: str
    exclude_link: str


@dataclass(frozen=True, slots=True)
class SearchUrl:
    """Valid parameters of a result page."""

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
    def of(cls, parameters: SearchParameters, size: int) -> SearchUrl:
        """From a query string, with the site's default page size."""
        size = min(100, parameters.size or size)
        page = max(1, parameters.page, parameters.start // size + 1 if parameters.start else 1)
        valid = [one for one in parameters.filters if _split_filter(one)][:MAX_FILTERS]
        low, high = parse_year(parameters.low), parse_year(parameters.high)
        if low is not None and high is not None and low > high:
            low, high = high, low
        return cls(
            parameters.q, page, size, sort_named(parameters.sort), parameters.full, low, high,
            tuple(dict.fromkeys(valid)), parameters.more if parameters.more in FACETS else "",
        )  # fmt: skip

    def search_request(self) -> SearchRequest:
        """The search with all facets."""
        facets = [FacetRequest(one, MAX_FACET_VALUES if one == self.more else FACET_VALUES + 1) for one in FACETS_SHOWN]
        return SearchRequest(
            self.q, self.page, self.size, self.sort, self.full, self.low, self.high, self._filters(),
            (*facets, FacetRequest("year")),
        )  # fmt: skip

    def years_request(self) -> SearchRequest:
        """The search without its range of years, for the chart of all years."""
        return SearchRequest(
            self.q, 1, 1, "added", self.full, filters=self._filters(), facets=(FacetRequest("year"),), plain=True
        )

    def _filters(self) -> tuple[Filter, ...]:
        return filters_of(self.filters)

    def parameters(self) -> list[tuple[str, str]]:
        """Query string as pairs, without defaults."""
        texts = {"q": self.q, "low": self.low, "high": self.high, "more": self.more}
        pairs = [(name, str(value)) for name, value in texts.items() if value not in ("", None)]
        pairs += [("sort", self.sort)] if self.sort != "relevance" else []
        pairs += [("full", "true")] if self.full else []
        pairs += [("size", str(self.size))] if self.size != 10 else []
        pairs += [("filter", one) for one in self.filters]
        return pairs + ([("page", str(self.page))] if self.page > 1 else [])

    def link(self, **changes: Any) -> str:
        """URL with changed parameters; its first page unless `page` is given."""
        pairs = replace(self, **{"page": 1, **changes}).parameters()
        return "/search?" + "&".join([f"{name}={_quoted(value)}" for name, value in pairs]) if pairs else "/search"

    def page_link(self, page: int) -> str:
        """URL of another page."""
        return self.link(page=page)

    def click_url(self, number: int, work: str) -> str:
        """URL that the browser pings when a result is opened; needs no cookie or script."""
        position = (self.page - 1) * self.size + number
        return "/clicked?" + urlencode({"q": self.q[:MAX_LOGGED_CHARACTERS], "work": work, "place": position})

    def api_url(self, form: str) -> str:
        """API URL of the first 100 results in an export format."""
        years = [("yearStart", self.low), ("yearEnd", self.high)]
        pairs = [("q", self.q), ("sort", self.sort), *((name, str(value)) for name, value in years if value)]
        pairs += [("must_have_pdf", "true")] if self.full else []
        pairs += [("filter", one) for one in self.filters]
        return "/api/search?" + urlencode([*pairs, ("pageSize", "100"), ("format", form)])

    def feed_url(self, form: str) -> str:
        """URL of the feed of new results."""
        pairs = [pair for pair in self.parameters() if pair[0] not in ("page", "size", "more", "sort")]
        return f"/feeds/search.{form}?" + urlencode(pairs)

    def active_filters(self, facets: Mapping[str, tuple[FacetValue, ...]]) -> Iterator[ActiveFilter]:
        """Filters in force; `facets` gives the labels of their values."""
        if self.low is not None or self.high is not None:
            yield ActiveFilter(self._years_label(), self.link(low=None, high=None), False)
        for one in self.filters:
            facet, value, excluded = _split_filter(one) or ("", "", False)
            label = next((known.label for known in facets.get(facet, ()) if known.value == value), value)
            others = tuple(other for other in self.filters if other != one)
            yield ActiveFilter(f"{facet}: {value_label(facet, value, label)}", self.link(filters=others), excluded)

    def _years_label(self) -> str:
        if self.low and self.high:
            return f"{self.low} to {self.high}" if self.low != self.high else str(self.low)
        return f"from {self.low}" if self.low else f"up to {self.high}"

    def facet_links(self, facet: str, values: tuple[FacetValue, ...]) -> Iterator[FacetLink]:
        """Values of a facet as links."""
        distinct = [one for one in values if facet != "has" or one.value not in REDUNDANT_HAS]
        for one in distinct[: MAX_FACET_VALUES if self.more == facet else FACET_VALUES]:
            name = f"{facet}:{one.value}"
            selected = name in self.filters
            others = tuple(other for other in self.filters if other not in (name, f"-{name}"))
            yield FacetLink(
                value_label(facet, one.value, one.label),
                one.count,
                selected,
                self.link(filters=others if selected else (*others, name)),
                self.link(filters=(*others, f"-{name}")),
            )


@lru_cache(4096)
def _quoted(value: str) -> str:
    """URL-quoted value, cached: a result page has a hundred links with the same values."""
    return quote_plus(value)


def value_label(facet: str, value: str, label: str) -> str:
    """Label of a facet value."""
    names = {"language": LANGUAGES, "has": HAS_LABELS, "format": FORMAT_LABELS}.get(facet, {})
    return names.get(value, label or value)


def _split_filter(text: str) -> tuple[str, str, bool] | None:
    """Facet, value and exclusion of `author:broder a` or `-type:thesis`; None if it is not a filter."""
    facet, colon, value = text.removeprefix("-").partition(":")
    is_valid = colon and value and facet in FACETS and (facet != "year" or parse_year(value) is not None)
    is_valid = is_valid and (facet != "has" or value.lower() in HAS_VALUES)
    return (facet, value, text.startswith("-")) if is_valid else None
