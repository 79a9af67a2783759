"""Words of the index itself: what a reader may be about to type, and what a misspelt word was meant to be."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING

import tantivy
from rapidfuzz.distance import OSA
from tantivy import Occur, Query

from openseer.core.model.query import FIELDS
from openseer.storage.protocols.index import Completion
from openseer.storage.tantivy import schema as fields
from openseer.storage.tantivy.tokenizers import folded

if TYPE_CHECKING:
    from openseer.storage.tantivy.snapshot import Snapshot

EXPANSIONS = 40
"""Words that the beginning of one may go on to."""
NEIGHBOURS = 4000
"""Words with the same first letter that a misspelt one is compared with, the most frequent."""
SHORTEST = 4
"""Letters of a word that may be misspelt."""
KNOWN = 3
"""Works that have a word which nobody misspelt."""
TIMES = 10
"""How much more frequent a word must be to be suggested in place of a known one."""
TITLE, ABSTRACT = fields.as_printed("title"), fields.as_printed("abstract")


def frequency(searcher: tantivy.Searcher, words: Sequence[str]) -> list[int]:
    """In how many works each word stands in title or abstract, without its ending."""
    return [max(searcher.doc_freq("title", word), searcher.doc_freq("abstract", word)) for word in words]


def spelled(searcher: tantivy.Searcher, word: str) -> str:
    """The likeliest known word within one wrong letter (two in long ones), or nothing."""
    tokens = folded(word)
    if len(tokens) != 1 or len(tokens[0]) < SHORTEST or not tokens[0].isalpha():
        return ""
    wrong = tokens[0]
    most = 1 if len(wrong) < 8 else 2
    often = _often(searcher, wrong)
    if often >= KNOWN:
        return ""
    best, chosen = (most + 1, 0), ""
    for candidate, count in _neighbours(searcher, wrong):
        distance = OSA.distance(wrong, candidate, score_cutoff=most)
        if distance <= most and (distance, -count) < best and count > TIMES * often and candidate != wrong:
            best, chosen = (distance, -count), candidate
    return chosen


def _often(searcher: tantivy.Searcher, word: str) -> int:
    return int(sum(searcher.doc_freq(field, word) for field in (TITLE, ABSTRACT, "authors")))


def _neighbours(searcher: tantivy.Searcher, word: str) -> Iterator[tuple[str, int]]:
    """The most frequent words with the same first letter, or with the second as the first."""
    for field in (TITLE, "authors"):
        for head in dict.fromkeys(word[:2]):
            yield from searcher.terms_with_prefix(field, head, limit=NEIGHBOURS)


def complete(state: Snapshot, typed: str, limit: int) -> list[Completion]:
    """Field names, people, venues and titles that go on like this, what it names whole first; with a wrong letter when
    nothing does. Behind a field only what may stand in it."""
    field, mark, value = typed.partition(":")
    if mark and field.strip().lower() in ("author", "venue", "title"):
        return list(islice(_of_field(state, field.strip().lower(), folded(value), limit), limit))
    words = folded(typed)
    if not words:
        return []
    names = [Completion("field", f"{name}:") for name in FIELDS if len(words) == 1 and name.startswith(words[0])]
    people = list(islice(_people(state, words, 3), 3))
    venues = list(_venues(state, words, 2))
    titles = _titles(state, words, limit)
    if not titles:
        titles = _titles(state, [spelled(state.searcher, one) or one for one in words], limit)
    whole = [one for one in (*venues, *people) if folded(one.text) == words]
    rest = [one for one in (*people, *venues, *names[:2]) if one not in whole]
    return [*whole, *titles[: max(1, limit - len(rest) - len(whole))], *rest][:limit]


def _of_field(state: Snapshot, field: str, words: list[str], limit: int) -> Iterator[Completion]:
    if not words:
        return iter(())
    if field == "title":
        return iter(_titles(state, words, limit))
    return _people(state, words, limit) if field == "author" else _venues(state, words, limit)


def _titles(state: Snapshot, words: list[str], limit: int) -> list[Completion]:
    """Works whose titles have these words, the last of them begun; the most cited first."""
    known = [Query.term_query(state.schema, TITLE, word) for word in words[:-1]]
    begun = state.searcher.terms_with_prefix(TITLE, words[-1], limit=EXPANSIONS)
    if not begun:
        return []
    last = state.translator.any_of(TITLE, [term for term, _ in begun])
    query = Query.boolean_query([(Occur.Must, one) for one in (*known, last)])
    hits = state.searcher.search(query, limit=limit, count=False, order_by_field="by_cited").hits
    works = (fields.work_of(state.searcher.doc(address)) for _, address in hits)
    return [Completion("title", work.title, work.id) for work in works]


def _people(state: Snapshot, words: list[str], each: int) -> Iterator[Completion]:
    """Names, given or family name first."""
    for order in (words, [words[-1], *words[:-1]] if len(words) > 1 else []):
        if order:
            known = state.searcher.terms_with_prefix("people", " ".join((order[0], *order[1:2]))[:60], limit=each)
            for key, _ in known:
                yield Completion("author", state.facets.label("author", key))


def _venues(state: Snapshot, words: list[str], each: int) -> Iterator[Completion]:
    for key, _ in state.searcher.terms_with_prefix("venues", " ".join(words), limit=each):
        yield Completion("venue", state.facets.label("venue", key))
