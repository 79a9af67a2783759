"""Synthetic papers: extractions made of the words of real records, to benchmark writing and indexing.

Paper number n is always the same. It cites works of a common pool, a few of them very often and in several spellings,
and some that no other paper cites; the papers are part of the pool, so that citations resolve to them.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import orjson

from openseer.core.model.extraction import Author, Context, Extraction, Name, Reference, ScholarlyVerdict, Section
from openseer.evaluation import samples
from openseer.evaluation.jsonl import rows_of
from openseer.ingest.results import encode
from openseer.ingest.worker_jobs import extracted

REFERENCES, UNIQUE_REFERENCES = 35, 10
"""References of a paper, and those that no other paper cites."""
WORDS = 5_600
"""Words of a text of ten pages."""
TYPO_SHARE = 0.04
"""Share of references with a typo."""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Words of which synthetic papers are made."""

    titles: tuple[tuple[str, ...], ...]
    words: tuple[str, ...]
    """All words of the titles, with repetitions, so that frequent ones are drawn often."""
    names: tuple[tuple[str, str], ...]
    venues: tuple[str, ...]
    abstracts: tuple[str, ...]


@cache
def load_vocabulary(base: str) -> Vocabulary:
    """Vocabulary of a file of records, by default of the sample papers."""
    rows: Sequence[dict[str, Any]] = list(rows_of(Path(base)) if base else map(samples.gold, samples.names()))
    titles = tuple(tuple(str(row["title"]).split()) for row in rows if len(str(row.get("title") or "").split()) > 3)
    names = {str(name).rpartition(" ") for row in rows for name in row.get("authors") or ()}
    return Vocabulary(
        titles,
        tuple(word for title in titles for word in title),
        tuple(sorted((given, family) for given, _, family in names if given and family)),
        tuple(sorted({str(row["venue"]) for row in rows if row.get("venue")})) or ("Journal of Samples",),
        tuple(str(row["abstract"]) for row in rows if row.get("abstract")) or ("Nothing is said.",),
    )


@dataclass(frozen=True, slots=True)
class SyntheticWork:
    """A work of the pool, independent of how it is cited."""

    title: str
    authors: tuple[Name, ...]
    venue: str
    year: int


def synthetic_work(number: int, vocabulary: Vocabulary) -> SyntheticWork:
    """A work of the pool, with length and word frequencies of real titles.

    Beyond the number of real titles, two works are no more similar than two real ones."""
    random_source = random.Random(number)
    title = list(vocabulary.titles[number % len(vocabulary.titles)])
    kept_words = max(2, len(title) // 2) if number < len(vocabulary.titles) else 0
    for at in random_source.sample(range(len(title)), len(title) - kept_words):
        title[at] = random_source.choice(vocabulary.words)
    names = (random_source.choice(vocabulary.names) for _ in range(random_source.randint(1, 5)))
    authors = tuple(Name(f"{given} {family}", given, family) for given, family in names)
    return SyntheticWork(
        " ".join(title), authors, random_source.choice(vocabulary.venues), random_source.randint(1960, 2026)
    )


def synthetic_paper(number: int, total: int, vocabulary: Vocabulary, entries: int = REFERENCES) -> Extraction:
    """One of `total` synthetic papers."""
    random_source = random.Random(-1 - number)
    work = synthetic_work(number, vocabulary)
    cited = [int(2 * total * random_source.random() ** 3) for _ in range(max(2, entries - UNIQUE_REFERENCES))]
    unique = [(3 + number) * 10**9 + position for position in range(min(UNIQUE_REFERENCES, entries - 2))]
    references = tuple(
        _reference(synthetic_work(one, vocabulary), random_source)
        for one in dict.fromkeys([*cited, *unique])
        if one != number
    )
    text = " ".join([work.title, *(one.name for one in work.authors), *_prose(random_source, vocabulary)])
    return Extraction(
        file=f"{number}.pdf",
        sha1=sha1_of(number),
        mime="application/pdf",
        pages=10,
        words=WORDS,
        language="en",
        title=work.title,
        authors=tuple(Author(one.name, one.given, one.family) for one in work.authors),
        abstract=random_source.choice(vocabulary.abstracts),
        keywords=tuple(" ".join(vocabulary.titles[random_source.randrange(1000)][1:3]) for _ in range(3)),
        venue=work.venue,
        year=work.year,
        references=references,
        sections=(Section("1 Introduction", 1),),
        academic=ScholarlyVerdict(verdict=True, type="article", probability=0.99),
        text=text,
    )


def _prose(random_source: random.Random, vocabulary: Vocabulary) -> list[str]:
    """Words with the frequencies of the titles."""
    words: list[str] = []
    while len(words) < WORDS:
        words += random_source.choice(vocabulary.titles)
    return words[:WORDS]


def _reference(work: SyntheticWork, random_source: random.Random) -> Reference:
    """A work as a reference: names in full or abbreviated, with or without venue, sometimes with a typo."""
    abbreviated = random_source.random() < 0.5
    authors = tuple(Name(f"{one.given[:1]}. {one.family}", f"{one.given[:1]}.", one.family) for one in work.authors)
    authors = authors if abbreviated else work.authors
    title = work.title
    if random_source.random() < TYPO_SHARE:
        at = random_source.randrange(len(title))
        title = title[:at] + title[at : at + 1] * 2 + title[at + 1 :]
    venue = work.venue if random_source.random() < 0.7 else ""
    raw = f"{', '.join(one.name for one in authors)}. {title}. {venue} {work.year}."
    topic = title.partition(":")[0].lower()
    contexts = (Context(f"{authors[0].family} showed this for {topic}, and it is used here [1].", printed="[1]"),)
    return Reference(raw=raw, title=title, authors=authors, venue=venue, year=work.year, contexts=contexts)


def sha1_of(number: int) -> str:
    """SHA-1 id of a synthetic document, which has no file."""
    return hashlib.sha1(f"synthetic {number}".encode(), usedforsecurity=False).hexdigest()


def make_paper(job: bytes) -> Sequence[bytes]:
    """Worker function: number of a paper in, result parts of its extraction out."""
    request: dict[str, Any] = orjson.loads(job)
    made = synthetic_paper(request["number"], request["total"], load_vocabulary(request["base"]), request["references"])
    return encode(extracted(made))
