"""From a reader's question to an answer: parsed, asked, and each result with its snippet."""

from __future__ import annotations

import time
from dataclasses import dataclass

from openseer.library.stores import Index
from openseer.queries import All, Everything, Node, Question, Range, Sort
from openseer.records.work import IndexedWork
from openseer.search.query import parse, understood, words_in
from openseer.search.snippets import Piece, Snippet, mark, snippet


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as it comes from a form, a route or the command line."""

    query: str = ""
    page: int = 1
    page_size: int = 10
    sort: Sort = "relevance"
    full_text_only: bool = False
    year_from: int | None = None
    year_to: int | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """One work of an answer, as it is shown."""

    work: IndexedWork
    score: float
    title: tuple[Piece, ...]
    snippet: Snippet | None
    """From the text, or from the abstract."""


@dataclass(frozen=True, slots=True)
class Answered:
    """What came of a question."""

    total: int
    results: tuple[Result, ...]
    understood: str
    took_ms: float


def ask(index: Index, asked: Asked) -> Answered:
    """Answer a question; any text is one."""
    started = time.perf_counter()
    tree = _within_years(parse(asked.query), asked.year_from, asked.year_to)
    words = tuple(dict.fromkeys(words_in(tree)))
    size = max(1, min(100, asked.page_size))
    offset = (max(1, min(asked.page, 1_000_000)) - 1) * size
    found = index.search(Question(tree, asked.sort, offset, size, asked.full_text_only))
    results = tuple(_result(hit.work, hit.score, words) for hit in found.hits)
    return Answered(found.total, results, understood(tree), (time.perf_counter() - started) * 1000)


def _within_years(tree: Node, low: int | None, high: int | None) -> Node:
    if low is None and high is None:
        return tree
    years = Range("year", low, high)
    return years if isinstance(tree, Everything) else All((tree, years))


def _past_header(work: IndexedWork) -> int:
    """Where the abstract begins: title and authors are shown anyway, and make a poor snippet."""
    return max(0, work.text.find(work.abstract[:40], 0, 20_000)) if work.abstract else 0


def _result(work: IndexedWork, score: float, words: tuple[str, ...]) -> Result:
    header = _past_header(work)
    shown = snippet(work.text, words, after=header) or snippet(work.text[:header], words)
    if shown is None and work.abstract:
        in_abstract = snippet(work.abstract, words)
        shown = Snippet(in_abstract.pieces if in_abstract else (Piece(work.abstract[:240]),), page=0)
    return Result(work, score, mark(work.title or "(no title)", words), shown)
