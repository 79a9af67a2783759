"""Known-item search: parts of titles, and citations pasted into the search box."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import orjson

from openseer.catalog.indexing.synchronizer import reindex
from openseer.catalog.search_context import search_context
from openseer.core.errors import BadRequest
from openseer.core.model.description import MatchFields
from openseer.evaluation.jsonl import rows_of
from openseer.evaluation.metrics.gold_records import match_fields, string_record
from openseer.ingest.bibliographies import import_bibliographies
from openseer.search.result_cache import CachedSearch
from openseer.search.service import SearchRequest
from openseer.storage.open import open_library

MAX_QUERIES = 1000
"""Maximum number of queries, evenly spread over the records."""
TITLE_WORDS = 6
"""Words of a title in a query."""
LETTERS = "abcdefghijklmnopqrstuvwxyz"

Search = Callable[[str], list[str]]
"""Query -> normalised titles of the first results."""


@contextmanager
def _library_of(records: Sequence[MatchFields]) -> Iterator[Search]:
    """Search function of a temporary library with these records, imported as CSL-JSON."""
    with TemporaryDirectory(prefix="openseer-finding-") as folder:
        list_file = Path(folder) / "records.json"
        list_file.write_bytes(orjson.dumps([_csl(one, number) for number, one in enumerate(records)]))
        with open_library(Path(folder) / "library", create=True) as library:
            import_bibliographies(library, [list_file])
            reindex(library)
            cached_search = CachedSearch(search_context(library), cache_size=0)
            yield lambda query: [
                _normalised(one.work.title) for one in cached_search.search(SearchRequest(query)).results
            ]


def _csl(fields: MatchFields, number: int) -> dict[str, Any]:
    values = {
        "id": str(number),
        "type": "article-journal",
        "title": fields.title,
        "author": [{"family": family, "given": given} for family, given in fields.authors],
        "container-title": fields.venue,
        "issued": {"date-parts": [[fields.year]]} if fields.year else None,
        "volume": fields.volume,
        "page": fields.pages,
    }
    return {name: value for name, value in values.items() if value}


def _normalised(title: str) -> str:
    return "".join(letter for letter in title.lower() if letter.isalnum())


def _sampled(rows: list[dict[str, Any]]) -> list[tuple[int, dict[str, Any]]]:
    step = max(1, len(rows) // MAX_QUERIES)
    return list(enumerate(rows))[::step][:MAX_QUERIES]


def known_item(file: Path) -> tuple[int, dict[str, float], list[str]]:
    """Share of title parts, every second with a typo, whose record is among the first three results, in per cent."""
    rows = list(rows_of(file))
    records = [match_fields(one) for one in rows]
    if not records:
        raise BadRequest(f"{file} has no records.", "JSON Lines with title, authors, venue, year.")
    random_source = random.Random(1)
    at_first = in_first_three = queries = 0
    misses = []
    with _library_of(records) as search:
        for number, row in _sampled(rows):
            words = str(row.get("title") or "").split()
            if len(words) < TITLE_WORDS:
                continue
            start = random_source.randrange(len(words) - TITLE_WORDS + 1)
            query = " ".join(words[start : start + TITLE_WORDS])
            query = mistyped(query, random_source) if number % 2 else query
            titles = search(query)[:3]
            title = _normalised(str(row["title"]))
            queries, at_first, in_first_three = (
                queries + 1,
                at_first + (titles[:1] == [title]),
                in_first_three + (title in titles),
            )
            if title not in titles:
                misses.append(f"{query!r} of {row['title']!r}")
    return (
        queries,
        {"rank 1": 100 * at_first / max(1, queries), "rank 1-3": 100 * in_first_three / max(1, queries)},
        misses,
    )


def mistyped(text: str, random_source: random.Random) -> str:
    """A text with one typo: a letter deleted, doubled, swapped or replaced."""
    positions = [at for at in range(1, len(text) - 1) if text[at - 1 : at + 2].isalpha()]
    if not positions:
        return text
    at = random_source.choice(positions)
    return random_source.choice(
        (
            text[:at] + text[at + 1 :],
            text[:at] + text[at] + text[at:],
            text[:at] + text[at + 1] + text[at] + text[at + 2 :],
            text[:at] + random_source.choice(LETTERS) + text[at + 1 :],
        )
    )


def pasted_citations(file: Path) -> tuple[int, dict[str, float], list[str]]:
    """Share of pasted citation strings whose record is the first result, in per cent."""
    rows = list(rows_of(file))
    correct = queries = 0
    misses = []
    with _library_of([string_record(one) for one in rows]) as search:
        for _, row in _sampled(rows):
            found = search(str(row["reference"]))
            queries, hit = queries + 1, found[:1] == [_normalised(str(row.get("atitle") or ""))]
            correct += hit
            if not hit:
                misses.append(f"{row['reference'][:150]!r} -> {found[:1]}")
    return queries, {"rank 1": 100 * correct / max(1, queries)}, misses
