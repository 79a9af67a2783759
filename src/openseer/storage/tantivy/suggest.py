"""Autocomplete and spelling correction from the terms of the index."""

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

MAX_COMPLETIONS = 40
"""Terms that complete a prefix."""
MAX_COMPARED = 4000
"""Most frequent terms with the same first letter that a misspelt word is compared with."""
MIN_LENGTH = 4
"""Minimum length of a word that is corrected."""
MIN_KNOWN_WORKS = 3
"""Works from which on a word counts as correctly spelt."""
MIN_FREQUENCY_RATIO = 10
"""How many times more frequent than the typed word a correction must be."""
TITLE, ABSTRACT = fields.printed_field("title"), fields.printed_field("abstract")


def document_frequencies(searcher: tantivy.Searcher, words: Sequence[str]) -> list[int]:
    """Number of works with each stem in title or abstract."""
    return [max(searcher.doc_freq("title", word), searcher.doc_freq("abstract", word)) for word in words]


def correct_spelling(searcher: tantivy.Searcher, word: str) -> str:
    """The closest frequent word within one edit (two for long words), or ""."""
    tokens = folded(word)
    if len(tokens) != 1 or len(tokens[0]) < MIN_LENGTH or not tokens[0].isalpha():
        return ""
    typed = tokens[0]
    max_distance = 1 if len(typed) < 8 else 2
    frequency = _printed_frequency(searcher, typed)
    if frequency >= MIN_KNOWN_WORKS:
        return ""
    best, best_word = (max_distance + 1, 0), ""
    for candidate, count in _similar_words(searcher, typed):
        distance = OSA.distance(typed, candidate, score_cutoff=max_distance)
        if (
            distance <= max_distance
            and (distance, -count) < best
            and count > MIN_FREQUENCY_RATIO * frequency
            and candidate != typed
        ):
            best, best_word = (distance, -count), candidate
    return best_word


def _printed_frequency(searcher: tantivy.Searcher, word: str) -> int:
    return int(sum(searcher.doc_freq(field, word) for field in (TITLE, ABSTRACT, "authors")))


def _similar_words(searcher: tantivy.Searcher, word: str) -> Iterator[tuple[str, int]]:
    """Most frequent words with the same first letter, or whose first letter is the second of this one."""
    for field in (TITLE, "authors"):
        for letter in dict.fromkeys(word[:2]):
            yield from searcher.terms_with_prefix(field, letter, limit=MAX_COMPARED)


def complete(snapshot: Snapshot, typed: str, limit: int) -> list[Completion]:
    """Field names, people, venues and titles that complete the typed text, exact matches first.

    If no title matches, the spelling is corrected. After a field name only values of this field are offered."""
    field, colon, value = typed.partition(":")
    if colon and field.strip().lower() in ("author", "venue", "title"):
        return list(islice(_of_field(snapshot, field.strip().lower(), folded(value), limit), limit))
    words = folded(typed)
    if not words:
        return []
    names = [Completion("field", f"{name}:") for name in FIELDS if len(words) == 1 and name.startswith(words[0])]
    people = list(islice(_people(snapshot, words, 3), 3))
    venues = list(_venues(snapshot, words, 2))
    titles = _titles(snapshot, words, limit)
    if not titles:
        titles = _titles(snapshot, [correct_spelling(snapshot.searcher, one) or one for one in words], limit)
    exact = [one for one in (*venues, *people) if folded(one.text) == words]
    rest = [one for one in (*people, *venues, *names[:2]) if one not in exact]
    return [*exact, *titles[: max(1, limit - len(rest) - len(exact))], *rest][:limit]


def _of_field(snapshot: Snapshot, field: str, words: list[str], limit: int) -> Iterator[Completion]:
    if not words:
        return iter(())
    if field == "title":
        return iter(_titles(snapshot, words, limit))
    return _people(snapshot, words, limit) if field == "author" else _venues(snapshot, words, limit)


def _titles(snapshot: Snapshot, words: list[str], limit: int) -> list[Completion]:
    """Works whose titles have these words, the last as a prefix; most cited first."""
    terms = [Query.term_query(snapshot.schema, TITLE, word) for word in words[:-1]]
    completions = snapshot.searcher.terms_with_prefix(TITLE, words[-1], limit=MAX_COMPLETIONS)
    if not completions:
        return []
    last = snapshot.translator.any_of(TITLE, [term for term, _ in completions])
    query = Query.boolean_query([(Occur.Must, one) for one in (*terms, last)])
    hits = snapshot.searcher.search(query, limit=limit, count=False, order_by_field="by_cited").hits
    works = (fields.work_of(snapshot.searcher.doc(address)) for _, address in hits)
    return [Completion("title", work.title, work.id) for work in works]


def _people(snapshot: Snapshot, words: list[str], limit: int) -> Iterator[Completion]:
    """Author names, given or family name first."""
    for order in (words, [words[-1], *words[:-1]] if len(words) > 1 else []):
        if order:
            terms = snapshot.searcher.terms_with_prefix("people", " ".join((order[0], *order[1:2]))[:60], limit=limit)
            for key, _ in terms:
                yield Completion("author", snapshot.facets.label("author", key))


def _venues(snapshot: Snapshot, words: list[str], limit: int) -> Iterator[Completion]:
    for key, _ in snapshot.searcher.terms_with_prefix("venues", " ".join(words), limit=limit):
        yield Completion("venue", snapshot.facets.label("venue", key))
