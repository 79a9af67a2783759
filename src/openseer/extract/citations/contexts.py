"""Citation contexts: every sentence that cites an entry of the bibliography, and the mark by which it does."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple

from openseer.core.model.extraction import Box, Context, Evidence, Extraction, Reference
from openseer.extract.citations.author_year_markers import SHORT_YEAR, AuthorYearMarkers
from openseer.extract.citations.numeric_markers import (
    Mark,
    bracketed,
    in_parentheses,
    keyed,
    keys_of,
    numbers_of,
    raised,
)
from openseer.extract.context import PaperContext
from openseer.extract.layout.lines import Line, join_texts
from openseer.extract.layout.sentences import MAX_SENTENCE_LENGTH, QuotedSentence, Sentences
from openseer.extract.layout.text_stream import TextStream, text_streams
from openseer.extract.pdf.page_model import UNSAFE

name, version = "contexts", 1
needs = ("header", "references", "body")
ENOUGH = 0.5
"""A kind of mark that leads to so many of the entries is the one the document uses."""
MAX_CONTEXTS = 5000


def extract(opened: PaperContext, found: Extraction) -> dict[str, Any]:
    """The references with their contexts."""
    if not found.references:
        return {}
    texts = text_streams(list(cited_in(opened.lines, found.evidence)), found.sections)
    return {"references": with_contexts(found.references, texts, marks_of(found.references, texts))}


def cited_in(lines: Sequence[Line], evidence: dict[str, tuple[Evidence, ...]]) -> Iterator[Line]:
    """The lines in which mentions count: no bibliography, no title, no authors, no running heads."""
    closed: dict[int, list[Box]] = {}
    for field in ("title", "authors", "references"):
        for one in evidence.get(field, ()):
            if one.box:
                _cover(closed.setdefault(one.page, []), one.box)
    for line in lines:
        if not line.margin and (line.page not in closed or not _inside(line, closed[line.page])):
            yield line


def _cover(boxes: list[Box], box: Box) -> None:
    """Add a box; one right below the last makes that longer."""
    if boxes:
        x0, y0, x1, y1 = boxes[-1]
        if abs(box[0] - x0) < 40 and -2 < box[1] - y1 < 20:
            boxes[-1] = (min(x0, box[0]), y0, max(x1, box[2]), box[3])
            return
    boxes.append(box)


def _inside(line: Line, boxes: Iterable[Box]) -> bool:
    middle = line.base - 0.3 * line.size
    return any(y0 < middle < y1 and x0 - 2 <= line.x0 < x1 for x0, y0, x1, y1 in boxes)


class _Kind(NamedTuple):
    """One way to cite: what its marks weigh, and to how many of the entries they must lead to be believed."""

    weight: float
    least: float
    marks: Callable[[], Iterable[Mark]]


def marks_of(references: Sequence[Reference], texts: Sequence[TextStream]) -> list[Mark]:
    """The mentions in the style of the document: of the kind of mark that leads to most entries."""
    best: list[Mark] = []
    most = 0.0
    for kind in _kinds(references, texts):
        marks = list(kind.marks())
        share = len({entry for mark in marks for entry in mark.entries}) / len(references)
        if share >= kind.least and kind.weight * share > most:
            best, most = marks, kind.weight * share
        if most > ENOUGH:
            break
    return best


def _kinds(references: Sequence[Reference], texts: Sequence[TextStream]) -> list[_Kind]:
    """The likeliest first: a numbered list is cited by number, others by name."""
    numbers, printed = numbers_of(references)
    keys = keys_of(references)
    names = cache(lambda: AuthorYearMarkers(references))  # not needed where numbers do
    scale = 1.0 if printed else 0.5
    bracket = _Kind(scale, 0.1, lambda: bracketed(texts, numbers))
    by_name = _Kind(0.9 if printed else 1.2, 0.0, lambda: names().mentions(texts))
    others = [
        _Kind(0.8 * scale, 0.25, lambda: raised(texts, numbers)),
        _Kind(0.7 * scale, 0.4, lambda: in_parentheses(texts, numbers)),
        _Kind(0.9, 0.2, lambda: names().mentions(texts, SHORT_YEAR)),
    ]
    likely = [bracket, by_name] if printed else [by_name, bracket]
    return [*([_Kind(1.2, 0.0, lambda: keyed(texts, keys))] if keys else []), *likely, *others]


class _Quoting:
    """Marks become contexts; sentences and rows are looked for where they are asked for."""

    def __init__(self, texts: Sequence[TextStream]) -> None:
        self._texts = texts
        self._sentences: dict[int, Sentences] = {}
        self._pages: dict[int, list[Line]] = {}

    def context(self, mark: Mark) -> Context:
        running = self._texts[mark.stream]
        if mark.stream not in self._sentences:
            self._sentences[mark.stream] = Sentences(running.text)
        sentences = self._sentences[mark.stream]
        row = running.cells(mark.start, mark.end)
        quote = sentences.piece(row, mark.start, mark.end) if row else sentences.quote(mark.start, mark.end)
        number = running.line_at(mark.start)
        printed = running.text[mark.start : mark.end]
        if not any(map(str.isalpha, quote.text)):
            quote = self._row(running.lines[number], printed) or quote
        if UNSAFE.search(quote.text):
            quote = _safe(quote)
        page, box = running.place(mark.start, mark.end)
        mark_in_text = quote.text[slice(*quote.at)]
        return Context(
            quote.text, quote.before, quote.after, mark_in_text, quote.at, page, box, running.headings[number]
        )

    def _row(self, line: Line, printed: str) -> QuotedSentence | None:
        """All that stands beside a mark that is alone in its cell."""
        if line.page not in self._pages:
            every = [other for running in self._texts for other in running.lines if other.page == line.page]
            self._pages[line.page] = sorted(every, key=lambda other: other.x0)
        beside = [other for other in self._pages[line.page] if abs(other.base - line.base) < 0.5 * line.size]
        text = join_texts(other.text for other in beside)[:MAX_SENTENCE_LENGTH]
        at = text.find(printed)
        return QuotedSentence(text, "", "", (at, at + len(printed))) if at >= 0 else None


def _safe(quote: QuotedSentence) -> QuotedSentence:
    """The same without characters that are not to be kept, the mark still in its place."""
    start, end = quote.at
    before, mark, after = (
        UNSAFE.sub("", part) for part in (quote.text[:start], quote.text[start:end], quote.text[end:])
    )
    return quote._replace(text=before + mark + after, at=(len(before), len(before) + len(mark)))


def with_contexts(
    references: Sequence[Reference], texts: Sequence[TextStream], marks: Sequence[Mark]
) -> tuple[Reference, ...]:
    """Each reference with the sentences that cite it, page by page."""
    quoting = _Quoting(texts)
    contexts: dict[int, list[Context]] = {}
    count = 0
    for mark in sorted(marks, key=lambda mark: (texts[mark.stream].page_at(mark.start), mark)):
        count += len(mark.entries)
        if count > MAX_CONTEXTS:
            break
        context = quoting.context(mark)
        for entry in mark.entries:
            contexts.setdefault(entry, []).append(context)
    return tuple(
        replace(entry, contexts=tuple(contexts[number])) if number in contexts else entry
        for number, entry in enumerate(references)
    )
