"""Paragraphs of the sections with citation markers linked to references; input of all linked output formats."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from openseer.core.model.extraction import Context, Extraction, Paragraph, Reference, Section

CONTEXT_LETTERS = 30
"""Letters on each side of a marker by which it is found again."""
MIN_SEARCH_LETTERS = 20
"""Letters needed to search for a marker outside its own section."""
PARAGRAPH_BREAK = re.compile(r"\n\s*\n")
ENTRY_LABEL = re.compile(r"\s*(\[[^\]\s]{1,12}\]|\(\d{1,3}\)|\d{1,3}[.)]?)\s+(?=\S)")
NUMBER = re.compile(r"\d{1,4}")
Span = tuple[int, int]


class LinkedText(NamedTuple):
    """A part of a paragraph, cited or plain."""

    text: str
    entries: tuple[int, ...] = ()
    """References it cites, from 0; empty for plain text."""


class LinkedParagraph(NamedTuple):
    """One paragraph."""

    pieces: list[LinkedText]
    language: str = ""
    page: int = 0
    """First page."""


def body_sections(found: Extraction) -> list[Section]:
    """The sections of the body, without those that every output format places elsewhere."""
    excluded_types = ("references", "abstract", "acknowledgments" if found.acknowledgments.strip() else "references")
    return [section for section in found.sections if section.type not in excluded_types]


def entry_label(raw: str) -> str:
    """Printed label of a reference, e.g. a number in brackets.

    >>> entry_label("[3] A. King: Lights"), entry_label("12. King, A."), entry_label("King, A. (1999)")
    ('[3]', '12.', '')
    """
    match = ENTRY_LABEL.match(raw)
    return match[1] if match else ""


def linked_paragraphs(sections: Sequence[Section], references: Sequence[Reference]) -> list[list[LinkedParagraph]]:
    """The paragraphs of each section."""
    result = []
    for section, markers in zip(sections, _marker_spans(sections, references), strict=True):
        sorted_markers = sorted((span, tuple(sorted(entries))) for span, entries in markers.items())
        candidates = (
            _linked_paragraph(section.text, paragraph, sorted_markers) for paragraph in paragraphs_of(section)
        )
        result.append([passage for passage in candidates if passage.pieces])
    return result


def paragraphs_of(section: Section) -> Sequence[Paragraph]:
    """The extracted paragraphs, or the text split at empty lines."""
    if section.paragraphs:
        return section.paragraphs
    ends = [match.span() for match in PARAGRAPH_BREAK.finditer(section.text)]
    starts = [0, *(end for _, end in ends)]
    stops = [*(start for start, _ in ends), len(section.text)]
    return [
        Paragraph(span, section.page) for span in zip(starts, stops, strict=True) if section.text[slice(*span)].strip()
    ]


def _linked_paragraph(
    text: str, paragraph: Paragraph, markers: Sequence[tuple[Span, tuple[int, ...]]]
) -> LinkedParagraph:
    offset, stop = paragraph.at
    pieces: list[LinkedText] = []
    for (start, end), entries in islice(markers, bisect_left(markers, ((offset, 0), ())), None):
        if start >= stop:
            break
        if offset <= start and end <= stop:  # of two overlapping markers the first wins
            pieces += [LinkedText(text[offset:start]), *split_marker(text[start:end], entries)]
            offset = end
    return LinkedParagraph(
        [piece for piece in (*pieces, LinkedText(text[offset:stop])) if piece.text], paragraph.language, paragraph.page
    )


def split_marker(marker: str, entries: tuple[int, ...]) -> Iterator[LinkedText]:
    """The references of a marker, each with its own number where printed.

    >>> [(piece.text, piece.entries) for piece in split_marker("[3, 5-7]", (2, 4, 5, 6))]
    [('[3,', (2,)), (' ', ()), ('5-', (4, 5)), ('7]', (6,))]
    """
    number_offsets: dict[int, int] = {}
    for match in NUMBER.finditer(marker):
        if int(match[0]) - 1 in entries:
            number_offsets.setdefault(int(match[0]) - 1, match.start())
    if len(number_offsets) < 2:
        yield LinkedText(marker, entries)
        return
    groups = {entry: [entry] for entry in number_offsets}
    for entry in entries:
        if entry not in number_offsets:  # inside a range: it joins the first number
            groups[max((one for one in number_offsets if one < entry), default=min(number_offsets))].append(entry)
    ends = [*sorted(number_offsets.values())[1:], len(marker)]
    start = 0
    for entry, stop in zip(sorted(number_offsets, key=number_offsets.__getitem__), ends, strict=True):
        text = marker[start:stop]
        yield LinkedText(text.rstrip(), tuple(groups[entry]))
        if text != text.rstrip():
            yield LinkedText(text[len(text.rstrip()) :])
        start = stop


def _marker_spans(sections: Sequence[Section], references: Sequence[Reference]) -> list[dict[Span, list[int]]]:
    """For each section, the spans of its markers and the references they cite."""
    references_of_context: dict[Context, list[int]] = defaultdict(list)
    for number, one in enumerate(references):
        for context in one.contexts:
            if context.at is not None:
                references_of_context[context].append(number)
    found: list[dict[Span, list[int]]] = [{} for _ in sections]
    locator = MarkerLocator(sections)
    for context, entries in references_of_context.items():
        location = locator.locate(context)
        if location:
            section, span = location
            cited_entries = found[section].setdefault(span, [])
            cited_entries += [entry for entry in entries if entry not in cited_entries]
    return found


class MarkerLocator:
    """Finds markers again by the surrounding words; repeated words are matched in order."""

    def __init__(self, sections: Sequence[Section]) -> None:
        self._texts = [section.text for section in sections]
        self._under: dict[str, list[int]] = defaultdict(list)
        for number, section in enumerate(sections):
            self._under[section.heading].append(number)
        self._next: dict[tuple[int, str], int] = {}

    def locate(self, context: Context) -> tuple[int, Span] | None:
        """Section and span of the marker."""
        start, end = context.at or (0, 0)
        before = context.text[max(0, start - CONTEXT_LETTERS) : start]
        marker = context.text[start:end]
        own_sections = self._under.get(context.section, [])
        for search_text in (before + marker + context.text[end : end + CONTEXT_LETTERS], before + marker):
            others = range(len(self._texts)) if len(search_text) >= MIN_SEARCH_LETTERS else ()
            for section in (*own_sections, *others):
                offset = self._texts[section].find(search_text, self._next.get((section, search_text), 0))
                if offset >= 0:
                    self._next[section, search_text] = offset + 1
                    return section, (offset + len(before), offset + len(before) + len(marker))
        return None
