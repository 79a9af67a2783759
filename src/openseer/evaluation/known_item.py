"""Is what somebody looks for found first? Known titles, and citations pasted into the search box."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import orjson

from openseer.catalog.citation_lookup import search_context
from openseer.catalog.indexing.synchronizer import reindex
from openseer.core.errors import BadRequest
from openseer.core.model.description import MatchFields
from openseer.evaluation.jsonl import rows_of
from openseer.evaluation.metrics.gold_records import match_fields, string_record
from openseer.ingest.bibliographies import import_bibliographies
from openseer.search.result_cache import CachedSearch
from openseer.search.service import SearchRequest
from openseer.storage.open import open_library

QUESTIONS = 1000
"""Asked at the most, evenly spread over the records."""
PIECE = 6
"""Words of a title that are remembered."""
LETTERS = "abcdefghijklmnopqrstuvwxyz"

Ask = Callable[[str], list[str]]
"""A query in, the titles of the first results out, squeezed."""


@contextmanager
def _library_of(records: Sequence[MatchFields]) -> Iterator[Ask]:
    """A library of records, as a librarian would import them."""
    with TemporaryDirectory(prefix="openseer-finding-") as folder:
        list_file = Path(folder) / "records.json"
        list_file.write_bytes(orjson.dumps([_csl(one, number) for number, one in enumerate(records)]))
        with open_library(Path(folder) / "library", create=True) as library:
            import_bibliographies(library, [list_file])
            reindex(library)
            cached_search = CachedSearch(search_context(library), cache_size=0)
            yield lambda query: [_plain(one.work.title) for one in cached_search.search(SearchRequest(query)).results]


def _csl(fields: MatchFields, number: int) -> dict[str, Any]:
    told = {
        "id": str(number),
        "type": "article-journal",
        "title": fields.title,
        "author": [{"family": family, "given": given} for family, given in fields.authors],
        "container-title": fields.venue,
        "issued": {"date-parts": [[fields.year]]} if fields.year else None,
        "volume": fields.volume,
        "page": fields.pages,
    }
    return {name: value for name, value in told.items() if value}


def _plain(title: str) -> str:
    return "".join(letter for letter in title.lower() if letter.isalnum())


def _spread(rows: list[dict[str, Any]]) -> list[tuple[int, dict[str, Any]]]:
    step = max(1, len(rows) // QUESTIONS)
    return list(enumerate(rows))[::step][:QUESTIONS]


def known_item(file: Path) -> tuple[int, dict[str, float], list[str]]:
    """A piece of a title, half of them with one typo: its record among the first three, in per cent."""
    rows = list(rows_of(file))
    records = [match_fields(one) for one in rows]
    if not records:
        raise BadRequest(f"There is no record in {file}.", "JSON Lines with title, authors, venue, year.")
    chance = random.Random(1)
    first = third = asked = 0
    misses = []
    with _library_of(records) as ask:
        for number, row in _spread(rows):
            words = str(row.get("title") or "").split()
            if len(words) < PIECE:
                continue
            start = chance.randrange(len(words) - PIECE + 1)
            query = " ".join(words[start : start + PIECE])
            query = mistyped(query, chance) if number % 2 else query
            places = ask(query)[:3]
            wanted = _plain(str(row["title"]))
            asked, first, third = asked + 1, first + (places[:1] == [wanted]), third + (wanted in places)
            if wanted not in places:
                misses.append(f"{query!r} of {row['title']!r}")
    return asked, {"rank 1": 100 * first / max(1, asked), "rank 1-3": 100 * third / max(1, asked)}, misses


def mistyped(text: str, chance: random.Random) -> str:
    """One letter of a longer word left out, doubled, swapped or replaced."""
    places = [at for at in range(1, len(text) - 1) if text[at - 1 : at + 2].isalpha()]
    if not places:
        return text
    at = chance.choice(places)
    return chance.choice(
        (
            text[:at] + text[at + 1 :],
            text[:at] + text[at] + text[at:],
            text[:at] + text[at + 1] + text[at] + text[at + 2 :],
            text[:at] + chance.choice(LETTERS) + text[at + 1 :],
        )
    )


def pasted(file: Path) -> tuple[int, dict[str, float], list[str]]:
    """Citation strings pasted into the search box: the record of the same line first, in per cent."""
    rows = list(rows_of(file))
    right = asked = 0
    misses = []
    with _library_of([string_record(one) for one in rows]) as ask:
        for _, row in _spread(rows):
            found = ask(str(row["reference"]))
            asked, hit = asked + 1, found[:1] == [_plain(str(row.get("atitle") or ""))]
            right += hit
            if not hit:
                misses.append(f"{row['reference'][:150]!r} -> {found[:1]}")
    return asked, {"rank 1": 100 * right / max(1, asked)}, misses
