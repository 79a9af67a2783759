"""Query parameters that REST routes and pages share: sort orders, filters, facet counts, parts of result lists."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Annotated, Literal, get_args

from fastapi import Depends, Path, Query
from pydantic import BeforeValidator, Field
from pydantic.json_schema import SkipJsonSchema

from openseer.core.errors import BadRequest
from openseer.core.model.query import FACETS, HAS_VALUES, SORTS, FacetRequest, Filter, Sort
from openseer.core.text.name_strings import person_key
from openseer.core.text.person_names import split_name

READ_METHODS = ["GET", "HEAD"]
"""Methods of a page that changes nothing."""
FILTER_SEPARATOR = re.compile(r",(?=-?[a-z_.]+:)")
"""A comma between two filters; a comma before a blank belongs to a value."""
FACET_KEY = re.compile(r"\S+( \S)?")
"""A key of the author facet: family name and initial."""
MAX_OFFSET = 100_000_000
MAX_FACET_VALUES = 100
SORT_NAMES: dict[str, Sort] = {
    **{sort: sort for sort in SORTS},
    "rlv": "relevance", "rel": "relevance", "cite": "citations", "date": "newest", "ascdate": "oldest",
    "recent": "added", "year:desc": "newest", "year:asc": "oldest", "cited_by_count:desc": "citations",
    "citCount": "citations", "yearDesc": "newest", "yearAsc": "oldest",
}  # fmt: skip
"""Our names of sort orders and those of the old CiteSeerX and of similar services -> ours."""
ALGORITHMS = {
    "co-citation": "cocitation", "cocitation": "cocitation", "cc": "cocitation",
    "active bibliography": "coupling", "coupling": "coupling", "ab": "coupling",
    "text": "text", "sc": "text", "more like this": "text", "authors": "authors", "all": "all",
}  # fmt: skip
"""Our names of kinds of similarity, the published and the old ones -> ours; in lower case."""


def _canonical(names: Mapping[str, str]) -> BeforeValidator:
    """A validator that replaces a synonym of a value; unknown values are left for the declared type to refuse."""
    return BeforeValidator(lambda value: names.get(value, names.get(str(value).lower(), value)))


SortName = Annotated[
    Sort,
    _canonical(SORT_NAMES),
    Query(
        description="Order. Synonyms of the values: citCount, cite, cited_by_count:desc; yearDesc, date, year:desc;"
        " yearAsc, ascdate, year:asc; recent; rlv, rel"
    ),
]
Algorithm = Annotated[
    Literal["all", "text", "cocitation", "coupling", "authors"],
    _canonical(ALGORITHMS),
    Query(description="Kind of similarity. Synonyms of the values: Co-Citation, cc; Active Bibliography, ab; sc"),
]
Absent = SkipJsonSchema[None]
"""A parameter that is not given; described without null, and without a default that generated clients would send."""
PageNumber = Annotated[
    Annotated[int, Field(ge=1, le=1_000_000)] | Absent, Query(description="Page, counted from 1, the default")
]
PageSize = Annotated[int, Query(alias="pageSize", ge=1, le=100, description="Results on a page")]
Offset = Annotated[
    Annotated[int, Field(ge=0, le=MAX_OFFSET)] | Absent,
    Query(description="Number of results to skip, instead of a page"),
]
WorkId = Annotated[
    str,
    Query(alias="id", min_length=1, max_length=500, description="Work id, SHA-1 of a file, DOI or arXiv id",
          examples=["w0123456789ab"]),
]  # fmt: skip
WorkInPath = Annotated[
    str, Path(max_length=500, description="Work id, SHA-1 of a file, DOI or arXiv id", examples=["w0123456789ab"])
]
Limit = Annotated[int, Query(ge=1, le=50, description="Maximum number of results")]
Fields = Annotated[
    str,
    Query(max_length=1000, description="Keys of each work, comma-separated; ids always stay", examples=["title,year"]),
]
FormatName = Annotated[
    Literal["json", "xml", "bibtex", "ris", "refer", "csl", "atom", "rss"],
    Query(alias="format", description="Format of the works"),
]
FacetName = Literal["author", "venue", "year", "type", "language", "topic", "format", "has", "host"]
assert set(get_args(FacetName)) == set(FACETS)


@dataclass(frozen=True, slots=True)
class Paging:
    """The requested part of a result list."""

    start: int
    """Number of results before it."""
    size: int


async def _paging(page: PageNumber = None, page_size: PageSize = 10, offset: Offset = None) -> Paging:
    return Paging(offset or ((page or 1) - 1) * page_size, page_size)


PagingDep = Annotated[Paging, Depends(_paging)]
YEAR, FACET_SIZE = re.compile(r"[0-9]{1,4}"), re.compile(r"[0-9]{1,9}")


def sort_named(name: str) -> Sort:
    """A sort order by any of its names; an unknown name is relevance. For pages and published forms."""
    return SORT_NAMES.get(name, "relevance")


def nearest(name: str, known: Iterable[str]) -> str:
    """The known name that is spelled most like another one, or "".

    >>> nearest("citation", ["relevance", "citations"]), nearest("year_start", ["yearStart"]), nearest("bogus", ["q"])
    ('citations', 'yearStart', '')
    """
    by_letters = {without_style(one): one for one in known}
    found = get_close_matches(without_style(name), by_letters, n=1, cutoff=0.6)
    return by_letters[found[0]] if found else ""


def without_style(name: str) -> str:
    """A parameter name in lower case, without hyphens and underscores; names that are equal then are the same."""
    return name.replace("-", "").replace("_", "").lower()


def hint_at(name: str, known: Sequence[str], all_are: str, synonyms: Sequence[str] = ()) -> str:
    """A hint with the nearest known name or synonym, and the list of all known names."""
    near = nearest(name, [*known, *synonyms])
    return f"{f'Did you mean {near}? ' if near else ''}{all_are} {', '.join(known)}."


def field_names(fields: str, keys: Collection[str]) -> frozenset[str]:
    """Parse `fields`: the requested keys of a work with its ids; empty for all keys."""
    names = [one.strip() for one in fields.split(",") if one.strip()]
    for one in names:
        if one not in keys:
            raise BadRequest(f"Unknown field: {one[:60]}.", hint_at(one, sorted(keys), "Fields are"))
    return frozenset({*names, "id", "cluster_id"}) if names else frozenset()


def separated(filters: Iterable[str]) -> list[str]:
    """Filters that were separated by commas, one by one.

    >>> separated(["type:article,year:1999", "venue:Library, Archive"])
    ['type:article', 'year:1999', 'venue:Library, Archive']
    """
    return [one for several in filters for one in FILTER_SEPARATOR.split(several)]


def filters_of(values: Iterable[str]) -> tuple[Filter, ...]:
    """Parse filters like `author:broder a` and `-type:thesis`; values of one facet are alternatives."""
    values_of: dict[tuple[str, bool], list[str]] = {}
    for one in values:
        name, colon, value = one.lstrip("-").partition(":")
        if not colon or name not in FACETS or not value or (name == "year" and not YEAR.fullmatch(value)):
            raise BadRequest(f"Unknown filter: {one[:60]}.", hint_at(name, FACETS, "Write FACET:VALUE; facets are"))
        if name == "has" and value.lower() not in HAS_VALUES:
            raise BadRequest(f"Unknown filter: {one[:60]}.", hint_at(value, HAS_VALUES, "Values of has are"))
        key = value if name == "venue" else author_key(value) if name == "author" else value.lower()
        values_of.setdefault((name, one.startswith("-")), []).append(key)
    return tuple(Filter(name, tuple(values), exclude) for (name, exclude), values in values_of.items())


def author_key(value: str) -> str:
    """The key of the author facet for a name as printed; a key stays.

    >>> author_key("Wei Chen"), author_key("chen w"), author_key("Chen, Wei"), author_key("aristotle")
    ('chen w', 'chen w', 'chen w', 'aristotle')
    """
    if value == value.lower() and FACET_KEY.fullmatch(value):
        return value
    name = split_name(value)
    return person_key(name.family or value, name.given)


def facet_requests_of(text: str) -> tuple[FacetRequest, ...]:
    """Parse `author,venue:20,topic:10:neural`: facets with the number of values and the text these must contain."""
    requests = []
    for part in filter(None, (one.strip() for one in text.split(","))):
        name, _, rest = part.partition(":")
        size, _, containing = rest.partition(":")
        if name not in FACETS or (size and not FACET_SIZE.fullmatch(size)):
            hint = hint_at(name, FACETS, "author:20 returns twenty values. Facets are")
            raise BadRequest(f"Unknown facet: {part[:60]}.", hint)
        requests.append(FacetRequest(name, min(MAX_FACET_VALUES, int(size or 10)), containing))
    return tuple(requests)
