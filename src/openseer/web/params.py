"""Query parameters that REST routes and pages share: sort orders, filters, facet counts, page sizes."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Annotated, Literal

from fastapi import Query

from openseer.core.errors import BadRequest
from openseer.core.model.query import FACETS, SORTS, FacetRequest, Filter, Sort

READ_METHODS = ["GET", "HEAD"]
"""Methods of a page that changes nothing."""
Page = Annotated[int, Query(ge=1, le=1_000_000, examples=[1])]
PageSize = Annotated[int, Query(alias="pageSize", ge=1, le=100, examples=[10])]
Fields = Annotated[
    str, Query(max_length=1000, description="Keys of each work, comma-separated", examples=["title,year"])
]
FormatName = Annotated[
    Literal["json", "xml", "bibtex", "ris", "refer", "csl", "atom", "rss"],
    Query(alias="format", description="Format of the works"),
]


SORT_NAMES: dict[str, Sort] = {
    **{sort: sort for sort in SORTS},
    "rlv": "relevance", "rel": "relevance", "cite": "citations", "date": "newest", "ascdate": "oldest",
    "recent": "added", "year:desc": "newest", "year:asc": "oldest", "cited_by_count:desc": "citations",
    "citCount": "citations", "yearDesc": "newest", "yearAsc": "oldest",
}  # fmt: skip
"""Our names of sort orders and those of the old CiteSeerX and of similar services -> ours."""
MAX_FACET_VALUES = 100
YEAR, FACET_SIZE = re.compile(r"[0-9]{1,4}"), re.compile(r"[0-9]{1,9}")


def sort_named(name: str) -> Sort:
    """A sort order by any of its names; an unknown name is relevance."""
    return SORT_NAMES.get(name, "relevance")


def filters_of(values: Iterable[str]) -> tuple[Filter, ...]:
    """Parse filters like `author:broder a` and `-type:thesis`; values of one facet are alternatives."""
    values_of: dict[tuple[str, bool], list[str]] = {}
    for one in values:
        name, colon, value = one.lstrip("-").partition(":")
        if not colon or name not in FACETS or not value or (name == "year" and not YEAR.fullmatch(value)):
            raise BadRequest(f"Unknown filter: {one[:60]}.", f"Write FACET:VALUE; facets are {', '.join(FACETS)}.")
        values_of.setdefault((name, one.startswith("-")), []).append(value)
    return tuple(Filter(name, tuple(values), exclude) for (name, exclude), values in values_of.items())


def facet_requests_of(text: str) -> tuple[FacetRequest, ...]:
    """Parse `author,venue:20,topic:10:neural`: facets with the number of values and the text these must contain."""
    requests = []
    for part in filter(None, (one.strip() for one in text.split(","))):
        name, _, rest = part.partition(":")
        size, _, containing = rest.partition(":")
        if name not in FACETS or (size and not FACET_SIZE.fullmatch(size)):
            raise BadRequest(
                f"Unknown facet: {part[:60]}.", f"Facets are {', '.join(FACETS)}; author:20 returns twenty values."
            )
        requests.append(FacetRequest(name, min(MAX_FACET_VALUES, int(size or 10)), containing))
    return tuple(requests)
