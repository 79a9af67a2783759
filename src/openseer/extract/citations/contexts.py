"""Extractor of citation contexts: the sentences that cite each reference, with the citation marker."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple

from openseer.core.model.extraction import Box, Context, Evidence, Extraction, Reference
from openseer.extract.citations.author_year_markers import SHORT_YEAR, AuthorYearMarkers
from openseer.extract.citations.numeric_markers import (
    CitationMarker,
    bracketed_markers,
    entry_keys,
    entry_numbers,
    keyed_markers,
    parenthesised_markers,
    raised_markers,
)
from openseer.extract.context import PaperContext
from openseer.extract.layout.lines import Line, join_texts
from openseer.extract.layout.sentences import MAX_SENTENCE_LENGTH, QuotedSentence, Sentences
from openseer.extract.layout.text_stream import TextStream, text_streams
from openseer.extract.pdf.page_model import UNSAFE

name, version = "contexts", 1
needs = ("header", "references", "body")
SUFFICIENT_SHARE = 0.5
"""Share of cited references at which a marker style is accepted without trying others."""
MAX_CONTEXTS = 5000


def extract(context: PaperContext, found: Extraction) -> dict[str, Any]:
    """The references with their contexts."""
    if not found.references:
        return {}
    texts = text_streams(list(citing_lines(context.lines, found.evidence)), found.sections)
    return {"references": with_contexts(found.references, texts, citation_markers(found.references, texts))}


def citing_lines(lines: Sequence[Line], evidence: dict[str, tuple[Evidence, ...]]) -> Iterator[Line]:
    """Lines that may hold citations: no bibliography, title, authors or running heads."""
    excluded_boxes: dict[int, list[Box]] = {}
    for field in ("title", "authors", "references"):
        for one in evidence.get(field, ()):
            if one.box:
                _add_box(excluded_boxes.setdefault(one.page, []), one.box)
    for line in lines:
        if not line.margin and (line.page not in excluded_boxes or not _inside(line, excluded_boxes[line.page])):
            yield line


def _add_box(boxes: list[Box], box: Box) -> None:
    """Add a box, or extend the last one if it is right above."""
    if boxes:
        x0, y0, x1, y1 = boxes[-1]
        if abs(box[0] - x0) < 40 and -2 < box[1] - y1 < 20:
            boxes[-1] = (min(x0, box[0]), y0, max(x1, box[2]), box[3])
            return
    boxes.append(box)


def _inside(line: Line, boxes: Iterable[Box]) -> bool:
    middle = line.base - 0.3 * line.size
    return any(y0 < middle < y1 and x0 - 2 <= line.x0 < x1 for x0, y0, x1, y1 in boxes)


class _MarkerStyle(NamedTuple):
    """A marker style: its weight, and the share of references it must cite to be accepted."""

    weight: float
    min_share: float
    find: Callable[[], Iterable[CitationMarker]]


def citation_markers(references: Sequence[Reference], texts: Sequence[TextStream]) -> list[CitationMarker]:
    """The markers in the style of the document: the style that cites most references."""
    best: list[CitationMarker] = []
    best_score = 0.0
    for style in _marker_styles(references, texts):
        markers = list(style.find())
        share = len({entry for marker in markers for entry in marker.entries}) / len(references)
        if share >= style.min_share and style.weight * share > best_score:
            best, best_score = markers, style.weight * share
        if best_score > SUFFICIENT_SHARE:
            break
    return best


def _marker_styles(references: Sequence[Reference], texts: Sequence[TextStream]) -> list[_MarkerStyle]:
    """Marker styles, the likeliest first: a numbered bibliography is cited by number, others by name."""
    numbers, numbers_printed = entry_numbers(references)
    entry_keys_found = entry_keys(references)
    author_year = cache(lambda: AuthorYearMarkers(references))  # only built if needed
    scale = 1.0 if numbers_printed else 0.5
    by_number = _MarkerStyle(scale, 0.1, lambda: bracketed_markers(texts, numbers))
    by_name = _MarkerStyle(0.9 if numbers_printed else 1.2, 0.0, lambda: author_year().markers(texts))
    others = [
        _MarkerStyle(0.8 * scale, 0.25, lambda: raised_markers(texts, numbers)),
        _MarkerStyle(0.7 * scale, 0.4, lambda: parenthesised_markers(texts, numbers)),
        _MarkerStyle(0.9, 0.2, lambda: author_year().markers(texts, SHORT_YEAR)),
    ]
    likeliest = [by_number, by_name] if numbers_printed else [by_name, by_number]
    return [
        *([_MarkerStyle(1.2, 0.0, lambda: keyed_markers(texts, entry_keys_found))] if entry_keys_found else []),
        *likeliest,
        *others,
    ]


class _ContextBuilder:
    """Contexts of markers; sentences and table rows are built on demand."""

    def __init__(self, texts: Sequence[TextStream]) -> None:
        self._texts = texts
        self._sentences: dict[int, Sentences] = {}
        self._pages: dict[int, list[Line]] = {}

    def context(self, marker: CitationMarker) -> Context:
        stream = self._texts[marker.stream]
        if marker.stream not in self._sentences:
            self._sentences[marker.stream] = Sentences(stream.text)
        sentences = self._sentences[marker.stream]
        row = stream.table_row(marker.start, marker.end)
        quote = sentences.excerpt(row, marker.start, marker.end) if row else sentences.quote(marker.start, marker.end)
        number = stream.line_at(marker.start)
        printed = stream.text[marker.start : marker.end]
        if not any(map(str.isalpha, quote.text)):
            quote = self._table_row(stream.lines[number], printed) or quote
        if UNSAFE.search(quote.text):
            quote = _remove_unsafe(quote)
        page, box = stream.locate(marker.start, marker.end)
        mark_in_text = quote.text[slice(*quote.span)]
        return Context(
            quote.text, quote.before, quote.after, mark_in_text, quote.span, page, box, stream.headings[number]
        )

    def _table_row(self, line: Line, printed: str) -> QuotedSentence | None:
        """The table row of a marker that is alone in its cell."""
        if line.page not in self._pages:
            page_lines = [other for running in self._texts for other in running.lines if other.page == line.page]
            self._pages[line.page] = sorted(page_lines, key=lambda other: other.x0)
        row_lines = [other for other in self._pages[line.page] if abs(other.base - line.base) < 0.5 * line.size]
        text = join_texts(other.text for other in row_lines)[:MAX_SENTENCE_LENGTH]
        at = text.find(printed)
        return QuotedSentence(text, "", "", (at, at + len(printed))) if at >= 0 else None


def _remove_unsafe(quote: QuotedSentence) -> QuotedSentence:
    """The sentence without UNSAFE characters, with the span adjusted."""
    start, end = quote.span
    before, marker, after = (
        UNSAFE.sub("", part) for part in (quote.text[:start], quote.text[start:end], quote.text[end:])
    )
    return quote._replace(text=before + marker + after, span=(len(before), len(before) + len(marker)))


def with_contexts(
    references: Sequence[Reference], texts: Sequence[TextStream], markers: Sequence[CitationMarker]
) -> tuple[Reference, ...]:
    """The references with the sentences that cite them, in page order."""
    builder = _ContextBuilder(texts)
    contexts: dict[int, list[Context]] = {}
    count = 0
    for marker in sorted(markers, key=lambda marker: (texts[marker.stream].page_at(marker.start), marker)):
        count += len(marker.entries)
        if count > MAX_CONTEXTS:
            break
        context = builder.context(marker)
        for entry in marker.entries:
            contexts.setdefault(entry, []).append(context)
    return tuple(
        replace(entry, contexts=tuple(contexts[number])) if number in contexts else entry
        for number, entry in enumerate(references)
    )
