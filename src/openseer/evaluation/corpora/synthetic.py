"""Synthetic papers: extractions made out of the words of real records, to load what comes after reading.

Paper number n is the same for everybody who asks. It cites works of a common stock, a few of them very often and in
several spellings, and some that nobody else cites; papers are part of the stock, so that citations find them.
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

REFERENCES, FRESH = 35, 10
"""Entries of a paper, and how many of them nobody else cites."""
WORDS = 5_600
"""Words of a text of ten pages."""
TYPO = 0.04
"""Share of the references with a letter too many."""


@dataclass(frozen=True, slots=True)
class Stock:
    """The words that synthetic papers are made of."""

    titles: tuple[tuple[str, ...], ...]
    words: tuple[str, ...]
    """As they run through the titles, so that a common one is drawn often."""
    names: tuple[tuple[str, str], ...]
    venues: tuple[str, ...]
    abstracts: tuple[str, ...]


@cache
def stock_of(base: str) -> Stock:
    """The words of a file of records, or of the sample papers."""
    rows: Sequence[dict[str, Any]] = list(rows_of(Path(base)) if base else map(samples.gold, samples.names()))
    titles = tuple(tuple(str(row["title"]).split()) for row in rows if len(str(row.get("title") or "").split()) > 3)
    names = {str(name).rpartition(" ") for row in rows for name in row.get("authors") or ()}
    return Stock(
        titles,
        tuple(word for title in titles for word in title),
        tuple(sorted((given, family) for given, _, family in names if given and family)),
        tuple(sorted({str(row["venue"]) for row in rows if row.get("venue")})) or ("Journal of Samples",),
        tuple(str(row["abstract"]) for row in rows if row.get("abstract")) or ("Nothing is said.",),
    )


@dataclass(frozen=True, slots=True)
class Work:
    """What a work of the stock is, however it is cited."""

    title: str
    authors: tuple[Name, ...]
    venue: str
    year: int


def work_number(number: int, stock: Stock) -> Work:
    """A work of the stock: a title as long as a real one, of words as common and as rare. Beyond the number of real
    titles two of them are no more alike than two real ones."""
    chance = random.Random(number)
    title = list(stock.titles[number % len(stock.titles)])
    kept = max(2, len(title) // 2) if number < len(stock.titles) else 0
    for at in chance.sample(range(len(title)), len(title) - kept):
        title[at] = chance.choice(stock.words)
    names = (chance.choice(stock.names) for _ in range(chance.randint(1, 5)))
    authors = tuple(Name(f"{given} {family}", given, family) for given, family in names)
    return Work(" ".join(title), authors, chance.choice(stock.venues), chance.randint(1960, 2026))


def paper(number: int, total: int, stock: Stock, entries: int = REFERENCES) -> Extraction:
    """One of `total` papers."""
    chance = random.Random(-1 - number)
    own = work_number(number, stock)
    cited = [int(2 * total * chance.random() ** 3) for _ in range(max(2, entries - FRESH))]
    fresh = [(3 + number) * 10**9 + place for place in range(min(FRESH, entries - 2))]
    references = tuple(
        _entry(work_number(one, stock), chance) for one in dict.fromkeys([*cited, *fresh]) if one != number
    )
    text = " ".join([own.title, *(one.name for one in own.authors), *_prose(chance, stock)])
    return Extraction(
        file=f"{number}.pdf",
        sha1=sha1_of(number),
        mime="application/pdf",
        pages=10,
        words=WORDS,
        language="en",
        title=own.title,
        authors=tuple(Author(one.name, one.given, one.family) for one in own.authors),
        abstract=chance.choice(stock.abstracts),
        keywords=tuple(" ".join(stock.titles[chance.randrange(1000)][1:3]) for _ in range(3)),
        venue=own.venue,
        year=own.year,
        references=references,
        sections=(Section("1 Introduction", 1),),
        academic=ScholarlyVerdict(verdict=True, type="article", probability=0.99),
        text=text,
    )


def _prose(chance: random.Random, stock: Stock) -> list[str]:
    """Words as common and as rare as in the titles of the stock."""
    words: list[str] = []
    while len(words) < WORDS:
        words += chance.choice(stock.titles)
    return words[:WORDS]


def _entry(work: Work, chance: random.Random) -> Reference:
    """A work as somebody prints it: names in full or not, the venue told or not, a letter too many."""
    short = chance.random() < 0.5
    authors = tuple(Name(f"{one.given[:1]}. {one.family}", f"{one.given[:1]}.", one.family) for one in work.authors)
    authors = authors if short else work.authors
    title = work.title
    if chance.random() < TYPO:
        at = chance.randrange(len(title))
        title = title[:at] + title[at : at + 1] * 2 + title[at + 1 :]
    venue = work.venue if chance.random() < 0.7 else ""
    raw = f"{', '.join(one.name for one in authors)}. {title}. {venue} {work.year}."
    said = title.partition(":")[0].lower()
    contexts = (Context(f"{authors[0].family} showed this for {said}, and it is used here [1].", printed="[1]"),)
    return Reference(raw=raw, title=title, authors=authors, venue=venue, year=work.year, contexts=contexts)


def sha1_of(number: int) -> str:
    """The name of a synthetic document; there are no bytes behind it."""
    return hashlib.sha1(f"synthetic {number}".encode(), usedforsecurity=False).hexdigest()


def make_paper(job: bytes) -> Sequence[bytes]:
    """Worker's part: a number in, what reading a paper gives out."""
    order: dict[str, Any] = orjson.loads(job)
    made = paper(order["number"], order["total"], stock_of(order["base"]), order["references"])
    return encode(extracted(made))
