"""Whatever is typed: no error, bounded work, and always told how it was understood."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator

import pytest

from openseer.core.model.query import FACETS, FacetRequest
from openseer.search.context import SearchContext
from openseer.search.service import SearchRequest, search
from openseer.storage.open import open_library

PIECES = (
    '"', "(", ")", "[", "]", "{", "}", "-", "+", "*", "?", "~", "^", ":", "=", "AND", "OR", "NOT", "&&", "||", "TO",
    "title:", "author:", "year:", "cited:", "text:", "citations(", "references(", "similar(", "coupled(", "cocited(",
    "year:2000-", "year:-", "cited:>", "a*", "*", "*a", "co*", "crawling", "the", "of", "né", "数字图书馆", "ß", "ﬁ",
    "\u202e", "\u0000", "\x1b[31m", "\ud800", "😀", "\u0301", "10.1145/", "arXiv:", ".*", "(a|b)+", "[a-z]{9}", "\\",
    "/", "'; DROP TABLE work; --", "<script>", "%00", "{{7*7}}", "${x}", "0" * 60, "é" * 300, "w000000000000",
)  # fmt: skip


def hostile(count: int, seed: int) -> Iterator[str]:
    chance = random.Random(seed)
    for number in range(count):
        match number % 5:
            case 0:
                yield " ".join(chance.choices(PIECES, k=chance.randint(1, 30)))
            case 1:
                yield "".join(chance.choices(PIECES, k=chance.randint(1, 60)))
            case 2:
                yield "(" * (depth := chance.randint(50, 150)) + chance.choice(PIECES) + ")" * chance.randint(0, depth)
            case 3:
                yield "".join(chr(chance.choice((chance.randrange(0x20), chance.randrange(0x3000)))) for _ in range(80))
            case _:
                yield (chance.choice(PIECES) + " ") * chance.randint(100, 3000)


@pytest.fixture(scope="module")
def context(sample_data):
    with open_library(sample_data) as library:
        yield SearchContext(library.open_index(), library.records)


def check(context: SearchContext, count: int, seed: int) -> float:
    slowest = 0.0
    for query in hostile(count, seed):
        began = time.thread_time()
        response = search(context, SearchRequest(query, facets=(FacetRequest(FACETS[count % len(FACETS)]),)))
        slowest = max(slowest, time.thread_time() - began)
        assert response.understood, repr(query)
        assert response.total >= len(response.results)
    return slowest


def test_no_hostile_query_is_an_error_or_takes_long(context):
    seed = random.randrange(10**6)
    slowest = check(context, 300, seed)
    print(f"seed {seed}; the slowest took {1000 * slowest:.0f} ms of CPU")


@pytest.mark.proof
def test_nor_are_five_thousand(context):
    seed = random.randrange(10**6)
    slowest = check(context, 5000, seed)
    print(f"seed {seed}; the slowest took {1000 * slowest:.0f} ms of CPU")
    assert slowest < 1.0


def test_a_citation_made_of_hyphens_is_answered_at_once(context):
    query = "Ab-" * 310 + "!. Title of a work in a journal, 2001."
    search(context, SearchRequest(query))  # loads the model of references
    began = time.thread_time()
    search(context, SearchRequest(query.replace("Title", "Another title")))
    assert time.thread_time() - began < 0.5
