"""Query parameters that REST routes and pages share: sort orders, filters, facet counts, page sizes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Literal

from fastapi import Query

from openseer.core.errors import BadRequest
from openseer.core.model.query import FACETS, SORTS, FacetRequest, Filter, Sort

Page = Annotated[int, Query(ge=1, le=1_000_000, examples=[1])]
PageSize = Annotated[int, Query(alias="pageSize", ge=1, le=100, examples=[10])]
Fields = Annotated[
    str, Query(max_length=1000, description="Only these keys of each work, by commas", examples=["title,year"])
]
FormatName = Annotated[
    Literal["json", "xml", "bibtex", "ris", "refer", "csl", "atom", "rss"],
    Query(alias="format", description="How works are written"),
]


SORT_NAMES: dict[str, Sort] = {
    **{sort: sort for sort in SORTS},
    "rlv": "relevance", "rel": "relevance", "cite": "citations", "date": "newest", "ascdate": "oldest",
    "recent": "added", "year:desc": "newest", "year:asc": "oldest", "cited_by_count:desc": "citations",
    "citCount": "citations", "yearDesc": "newest", "yearAsc": "oldest",
}  # fmt: skip
"""Our names of orders, and those that the old CiteSeerX and peers have -> ours."""
MOST_COUNTED = 100


def sort_named(name: str) -> Sort:
    """An order by any of its names; what is none is relevance."""
    return SORT_NAMES.get(name, "relevance")


def filters_of(values: Iterable[str]) -> tuple[Filter, ...]:
    """`author:broder a`, `-type:thesis`; those of one facet are alternatives."""
    chosen: dict[tuple[str, bool], list[str]] = {}
    for one in values:
        name, mark, value = one.lstrip("-").partition(":")
        if not mark or name not in FACETS or not value or (name == "year" and not value.isdecimal()):
            raise BadRequest(f"{one[:60]} is no filter.", f"Write FACET:VALUE, with a facet of {', '.join(FACETS)}.")
        chosen.setdefault((name, one.startswith("-")), []).append(value)
    return tuple(Filter(name, tuple(values), exclude) for (name, exclude), values in chosen.items())


def counting_of(text: str) -> tuple[FacetRequest, ...]:
    """`author,venue:20,topic:10:neural`: facets with the number of values and what these must contain."""
    wanted = []
    for part in filter(None, (one.strip() for one in text.split(","))):
        name, _, rest = part.partition(":")
        size, _, containing = rest.partition(":")
        if name not in FACETS or (size and not size.isdecimal()):
            raise BadRequest(f"{part[:60]} is no facet.", f"Facets are {', '.join(FACETS)}; author:20 counts twenty.")
        wanted.append(FacetRequest(name, min(MOST_COUNTED, int(size or 10)), containing))
    return tuple(wanted)
