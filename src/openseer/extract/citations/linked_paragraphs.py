"""Sections as paragraphs whose citing marks are known: what every form of output that links marks to entries writes."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from openseer.core.model.extraction import Context, Extraction, Paragraph, Reference, Section

NEAR = 30
"""Letters on each side of a mark by which it is found again; the whole sentence may be joined otherwise."""
TELLING = 20
"""So many letters are enough to look for a mark under another heading than its own."""
BREAK = re.compile(r"\n\s*\n")
LABEL = re.compile(r"\s*(\[[^\]\s]{1,12}\]|\(\d{1,3}\)|\d{1,3}[.)]?)\s+(?=\S)")
NUMBER = re.compile(r"\d{1,4}")
Span = tuple[int, int]


class Piece(NamedTuple):
    """A stretch of a paragraph."""

    text: str
    entries: tuple[int, ...] = ()
    """The entries it cites, from 0; none for plain text."""


class Passage(NamedTuple):
    """One paragraph."""

    pieces: list[Piece]
    language: str = ""
    page: int = 0
    """The page it begins on."""


def shown(found: Extraction) -> list[Section]:
    """The sections of the body, without those that have a place of their own in every form of output."""
    apart = ("references", "abstract", "acknowledgments" if found.acknowledgments.strip() else "references")
    return [section for section in found.sections if section.type not in apart]


def label_of(raw: str) -> str:
    """
    What is printed before an entry to cite it by.

    >>> label_of("[3] A. King: Lights"), label_of("12. King, A."), label_of("King, A. (1999)")
    ('[3]', '12.', '')
    """
    match = LABEL.match(raw)
    return match[1] if match else ""


def cited(sections: Sequence[Section], references: Sequence[Reference]) -> list[list[Passage]]:
    """The paragraphs of each section."""
    passages = []
    for section, marks in zip(sections, _marks(sections, references), strict=True):
        ordered = sorted((span, tuple(sorted(entries))) for span, entries in marks.items())
        whole = (_passage(section.text, paragraph, ordered) for paragraph in paragraphs_of(section))
        passages.append([passage for passage in whole if passage.pieces])
    return passages


def paragraphs_of(section: Section) -> Sequence[Paragraph]:
    """As read; else cut at the empty lines."""
    if section.paragraphs:
        return section.paragraphs
    ends = [match.span() for match in BREAK.finditer(section.text)]
    starts = [0, *(end for _, end in ends)]
    stops = [*(start for start, _ in ends), len(section.text)]
    return [
        Paragraph(span, section.page) for span in zip(starts, stops, strict=True) if section.text[slice(*span)].strip()
    ]


def _passage(text: str, paragraph: Paragraph, marks: Sequence[tuple[Span, tuple[int, ...]]]) -> Passage:
    at, stop = paragraph.at
    pieces: list[Piece] = []
    for (start, end), entries in islice(marks, bisect_left(marks, ((at, 0), ())), None):
        if start >= stop:
            break
        if at <= start and end <= stop:  # of two marks that overlap the first one is kept
            pieces += [Piece(text[at:start]), *parts(text[start:end], entries)]
            at = end
    return Passage(
        [piece for piece in (*pieces, Piece(text[at:stop])) if piece.text], paragraph.language, paragraph.page
    )


def parts(mark: str, entries: tuple[int, ...]) -> Iterator[Piece]:
    """
    The entries of a mark, each with its own number where it is printed.

    >>> [(piece.text, piece.entries) for piece in parts("[3, 5-7]", (2, 4, 5, 6))]
    [('[3,', (2,)), (' ', ()), ('5-', (4, 5)), ('7]', (6,))]
    """
    begins: dict[int, int] = {}
    for match in NUMBER.finditer(mark):
        if int(match[0]) - 1 in entries:
            begins.setdefault(int(match[0]) - 1, match.start())
    if len(begins) < 2:
        yield Piece(mark, entries)
        return
    groups = {entry: [entry] for entry in begins}
    for entry in entries:
        if entry not in begins:  # inside a range: it goes with the number the range begins with
            groups[max((one for one in begins if one < entry), default=min(begins))].append(entry)
    stops = [*sorted(begins.values())[1:], len(mark)]
    start = 0
    for entry, stop in zip(sorted(begins, key=begins.__getitem__), stops, strict=True):
        whole = mark[start:stop]
        yield Piece(whole.rstrip(), tuple(groups[entry]))
        if whole != whole.rstrip():
            yield Piece(whole[len(whole.rstrip()) :])
        start = stop


def _marks(sections: Sequence[Section], references: Sequence[Reference]) -> list[dict[Span, list[int]]]:
    """For each section, from where to where it cites, and what."""
    mentions: dict[Context, list[int]] = defaultdict(list)
    for number, one in enumerate(references):
        for context in one.contexts:
            if context.at is not None:
                mentions[context].append(number)
    found: list[dict[Span, list[int]]] = [{} for _ in sections]
    search = Search(sections)
    for context, entries in mentions.items():
        place = search.place(context)
        if place:
            section, span = place
            known = found[section].setdefault(span, [])
            known += [entry for entry in entries if entry not in known]
    return found


class Search:
    """Finds marks again by the words round them; words that come twice are found one after the other."""

    def __init__(self, sections: Sequence[Section]) -> None:
        self._texts = [section.text for section in sections]
        self._under: dict[str, list[int]] = defaultdict(list)
        for number, section in enumerate(sections):
            self._under[section.heading].append(number)
        self._next: dict[tuple[int, str], int] = {}

    def place(self, context: Context) -> tuple[int, Span] | None:
        """Section and span of the mark."""
        start, end = context.at or (0, 0)
        before = context.text[max(0, start - NEAR) : start]
        mark = context.text[start:end]
        own = self._under.get(context.section, [])
        for around in (before + mark + context.text[end : end + NEAR], before + mark):
            others = range(len(self._texts)) if len(around) >= TELLING else ()
            for section in (*own, *others):
                place = self._texts[section].find(around, self._next.get((section, around), 0))
                if place >= 0:
                    self._next[section, around] = place + 1
                    return section, (place + len(before), place + len(before) + len(mark))
        return None
