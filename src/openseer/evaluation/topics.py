"""Topics and names over a library: topics should find papers with full text first, names the work that they name.

The queries are made from the library itself: topics from keywords and titles of its papers, names from titles, authors
and years of works that are only cited."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from openseer.catalog.search_context import search_context
from openseer.core.model.query import Everything, SearchQuery
from openseer.core.model.work import IndexedWork
from openseer.evaluation.known_item import mistyped
from openseer.search.query.parser import parse
from openseer.search.service import SearchRequest, SearchResult, search
from openseer.search.terms import STEM_IDS, words_of
from openseer.storage.open import open_library
from openseer.storage.protocols.index import Index

FIRST_RESULTS = 10
MAX_TOPICS, MAX_NAMES = 300, 600
MAX_WORKS = 5000
"""Works of each kind from which queries are made."""
MIN_FULL_TEXTS, MIN_CITED = 5, 4
"""Full texts, and works that are only cited, that a topic must match."""
TITLE_WORDS = 7
"""Title words of a name."""
MAX_TOPIC_WORDS = 4

Search = Callable[[str], Sequence[SearchResult]]
"""Query -> first results."""


@dataclass(frozen=True, slots=True)
class Topic:
    """A query for a topic."""

    text: str
    full_texts: int
    """Works with full text that match."""


@dataclass(frozen=True, slots=True)
class CitedName:
    """A query that names a work that is only cited."""

    text: str
    kind: str
    work: str
    """Its id."""
    title: str


def topics_of(index: Index, limit: int = MAX_TOPICS, seed: int = 1) -> list[Topic]:
    """Keywords and adjacent title words that match several full texts and several cited works."""
    full_texts = index.search(SearchQuery(Everything(), "added", limit=MAX_WORKS, full_text_only=True)).hits
    phrases = sorted({phrase for hit in full_texts for phrase in _phrases(hit.work)})
    random.Random(seed).shuffle(phrases)
    found: list[Topic] = []
    for phrase in phrases:
        topic, works = counted(index, phrase)
        if topic.full_texts >= MIN_FULL_TEXTS and works - topic.full_texts >= MIN_CITED:
            found.append(topic)
        if len(found) == limit:
            break
    return found


def counted(index: Index, text: str) -> tuple[Topic, int]:
    """A topic, and the number of works that match it."""
    tree = parse(text)
    return Topic(text, index.count(SearchQuery(tree, full_text_only=True))), index.count(SearchQuery(tree))


def _phrases(work: IndexedWork) -> Iterator[str]:
    for keyword in work.keywords:
        words = words_of(keyword)
        if 1 <= len(words) <= MAX_TOPIC_WORDS and not any(map(str.isdigit, words)):
            yield " ".join(words)
    words = words_of(work.title)
    for pair in pairwise(words):
        if all(STEM_IDS[word] and len(word) > 3 for word in pair):
            yield " ".join(pair)


def cited_names_of(index: Index, limit: int = MAX_NAMES, seed: int = 1) -> list[CitedName]:
    """Names of works that are only cited: parts of titles, some mistyped, whole titles, authors with year or title."""
    rng = random.Random(seed)
    hits = index.search(SearchQuery(Everything(), "citations", limit=MAX_WORKS)).hits
    works = [hit.work for hit in hits if hit.work.title and not hit.work.documents]
    rng.shuffle(works)
    named = (name for work in works if (name := _name(work, rng)))
    return [name for name, _ in zip(named, range(limit), strict=False)]


def _name(work: IndexedWork, rng: random.Random) -> CitedName | None:
    words, kind = work.title.split(), rng.random()
    families = [name.split()[-1] for name in work.authors if 1 < len(name.split()) < 4]
    content = [word for word in words_of(work.title) if STEM_IDS[word]]
    if kind < 0.6 and len(words) >= TITLE_WORDS:
        start = rng.randrange(len(words) - TITLE_WORDS + 1)
        text = " ".join(words[start : start + TITLE_WORDS])
        mistake = rng.random() < 0.2
        return _named(work, mistyped(text, rng) if mistake else text, "seven words" + ", mistyped" * mistake)
    if kind < 0.75 and len(words) > 3:
        return _named(work, work.title, "whole title")
    if kind < 0.85 and len(families) > 1 and work.year:
        return _named(work, f"{families[0]} {families[1]} {work.year}", "authors and year")
    if families and len(content) > 3:
        return _named(work, " ".join((families[0], *content[:3])), "author and title")
    return None


def _named(work: IndexedWork, text: str, kind: str) -> CitedName:
    return CitedName(text, kind, work.id, work.title)


def topic_scores(search_for: Search, topics: Iterable[Topic]) -> tuple[dict[str, float], list[str]]:
    """Full texts among the first ten results, of ten or of those that match, and topics whose first result is one."""
    shares, firsts, misses = [], [], []
    for topic in topics:
        full_texts = [bool(one.work.documents) for one in search_for(topic.text)[:FIRST_RESULTS]]
        shares.append(sum(full_texts) / max(1, min(FIRST_RESULTS, topic.full_texts)))
        firsts.append(full_texts[:1] == [True])
        if shares[-1] < 0.8 or not firsts[-1]:
            misses.append(f"{topic.text!r}: {sum(full_texts)} of {min(FIRST_RESULTS, topic.full_texts)}")
    return {"topics: full text": _per_cent(shares), "topics: first is full text": _per_cent(firsts)}, misses


def name_scores(search_for: Search, names: Iterable[CitedName]) -> tuple[dict[str, float], list[str]]:
    """Share of the names whose work is the first result, by kind."""
    found: dict[str, list[bool]] = {}
    misses = []
    for name in names:
        first = search_for(name.text)[:1]
        right = any(one.work.id == name.work or one.work.title.lower() == name.title.lower() for one in first)
        found.setdefault(name.kind, []).append(right)
        if not right:
            misses.append(f"{name.text!r} of {name.title!r} -> {first[0].work.title if first else 'nothing'!r}")
    return {f"names: {kind}": _per_cent(each) for kind, each in sorted(found.items())}, misses


def _per_cent(values: Sequence[float]) -> float:
    return 100 * sum(values) / max(1, len(values))


def topics_and_names(data: Path) -> tuple[int, dict[str, float], list[str]]:
    """Number of queries, scores in per cent and misses of a library, ranked as the service ranks."""
    with open_library(data) as library:
        context = search_context(library)
        topics, names = topics_of(context.index), cited_names_of(context.index)

        def search_for(text: str) -> Sequence[SearchResult]:
            return search(context, SearchRequest(text)).results

        of_topics, missed_topics = topic_scores(search_for, topics)
        of_names, missed_names = name_scores(search_for, names)
    return len(topics) + len(names), of_topics | of_names, missed_topics + missed_names
