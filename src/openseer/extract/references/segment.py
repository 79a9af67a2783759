"""Extractor of the references: splits the bibliography into entries and parses them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from statistics import median
from typing import Any

from openseer.core.model.extraction import Evidence, Extraction, Reference
from openseer.extract.context import PaperContext
from openseer.extract.layout.lines import Line, body_size, boxes_of, join_lines
from openseer.extract.layout.reference_sections import AUTHOR_START, YEAR
from openseer.extract.pdf.page_model import Link
from openseer.extract.references.author_list import leading_names
from openseer.extract.references.parse_reference import DOI, LABEL, parse_reference

name, version = "references", 5
needs: tuple[str, ...] = ()
NUMBERED = (
    re.compile(r"\[(\d{1,3})\]"),
    re.compile(r"(\d{1,3})\.(?!\d)\s?"),
    re.compile(r"\((\d{1,3})\)"),
    re.compile(r"(\d{1,3})\)"),
    re.compile(r"(\d{1,3})(?=\s+[^\W\d_])"),
)
FOOTNOTE_START = re.compile(r"\d{1,3}\s?[^\W\d_a-z]")
LABELLED = re.compile(r"\[[^\]\s]{1,12}(?: [^\]]{1,14})?\]\s?\S")
ENTRY_START = re.compile(r"(?:[^\W\d_a-z][\w'’-]*[\s,.]|[“\"„«]|\d|[a-z]{2,3} [A-Z])")
MAX_ENTRIES = 3000


def extract(context: PaperContext, found: Extraction) -> dict[str, Any]:
    """The bibliography."""
    references, evidence = references_of(context)
    return {"references": references, "evidence": {"references": evidence} if evidence else {}}


def references_of(context: PaperContext) -> tuple[tuple[Reference, ...], tuple[Evidence, ...]]:
    """All references with their evidence; a DOI that is only linked is taken from the link."""
    links = {page.number: page.links for page in context.page_model.pages}
    references: list[Reference] = []
    evidence: list[Evidence] = []
    entries = [entry for section in context.bibliography for entry in _split_lines(section)]
    for entry in entries or _citing_footnotes(context.lines):
        text = join_lines(entry)
        if len(text) > 15 and len(references) < MAX_ENTRIES:
            parsed = parse_reference(text)
            evidence += _evidence_of(entry, len(references))
            references.append(parsed if parsed.doi else replace(parsed, doi=_linked_doi(entry, links)))
    return tuple(references), tuple(evidence)


def _evidence_of(entry: Sequence[Line], item: int) -> list[Evidence]:
    return [Evidence(page, box, 0.9, "rules", item) for page, box in boxes_of(entry)]


def _citing_footnotes(lines: Sequence[Line]) -> list[list[Line]]:
    """Footnotes with names and a year, used if there is no bibliography."""
    body = [line for line in lines if not line.margin]
    size = body_size(body)
    notes: list[list[Line]] = []
    for line in (line for line in body if line.size < 0.93 * size):
        if FOOTNOTE_START.match(line.text):
            notes.append([line])
        elif notes and line.page == notes[-1][-1].page and 0 < line.base - notes[-1][-1].base < 1.8 * line.size:
            notes[-1].append(line)
    return [note for note in notes if YEAR.search(text := join_lines(note)) and leading_names(LABEL.sub("", text))[0]]


def _linked_doi(entry: Sequence[Line], links: dict[int, tuple[Link, ...]]) -> str:
    """The DOI of a link on one of these lines."""
    for line in entry:
        for link in links.get(line.page, ()):
            x0, y0, x1, y1 = link.box
            if (
                x0 < line.x1
                and x1 > line.x0
                and y0 < line.base - 0.2 * line.size < y1
                and (doi := DOI.search(link.uri))
            ):
                return doi.group(1).rstrip(".,;)").lower()
    return ""


def split_entries(lines: Sequence[Line]) -> list[str]:
    """The text of each reference, split by numbers, else by labels, indent or gaps."""
    return [text for entry in _split_lines(lines) if (text := join_lines(entry))]


def _split_lines(lines: Sequence[Line]) -> list[list[Line]]:
    lines = _main_text(lines)
    starts = _by_number(lines) or _by_label(lines) or _by_indent(lines) or _by_gap(lines) or _by_text(lines)
    cuts = [*starts, len(lines)]
    return [list(lines[low:high]) for low, high in pairwise(cuts)]


def _main_text(lines: Sequence[Line]) -> list[Line]:
    """Lines of about the usual size, without figures, captions and footers."""
    if not lines:
        return []
    size = median(line.size for line in lines)
    return [line for line in lines if 0.75 * size <= line.size <= 1.35 * size]


def _by_number(lines: Sequence[Line]) -> list[int]:
    """Lines that begin with 1, 2, 3, ... in one numbering style."""
    best: list[int] = []
    for pattern in NUMBERED:
        starts, next_number = [], 0
        for at, line in enumerate(lines):
            found = pattern.match(line.text)
            number = int(found.group(1)) if found else 0
            if found and (next_number <= number <= next_number + 2 if next_number else number == 1):
                starts.append(at)
                next_number = number + 1
        if len(starts) > len(best):
            best = starts
    return best if len(best) >= 3 or (best and best[0] == 0 and len(lines) <= 12 * len(best)) else []


def _by_label(lines: Sequence[Line]) -> list[int]:
    starts = [at for at, line in enumerate(lines) if LABELLED.match(line.text)]
    return starts if len(starts) >= 2 and starts[0] <= 1 and len(starts) > len(lines) / 12 else []


def _left_edges(lines: Sequence[Line]) -> dict[tuple[int, int], float]:
    """The left edge of each column of each page."""
    edges: dict[tuple[int, int], list[float]] = {}
    for line in lines:
        edges.setdefault((line.page, line.column), []).append(line.x0)
    return {key: min(xs) if len(xs) < 4 else sorted(xs)[len(xs) // 20] for key, xs in edges.items()}


def _by_indent(lines: Sequence[Line]) -> list[int]:
    """Starts by hanging indent, or by the indent of first lines."""
    edges = _left_edges(lines)
    offsets = [line.x0 - edges[(line.page, line.column)] for line in lines]
    size = median(line.size for line in lines) if lines else 10.0
    at_edge = [at for at, offset in enumerate(offsets) if offset < 0.35 * size]
    indented = [at for at, offset in enumerate(offsets) if 0.5 * size < offset < 6 * size]
    if len(indented) < 0.12 * len(lines) or len(at_edge) + len(indented) < 0.8 * len(lines) or not at_edge:
        return []
    hanging = [at for at in at_edge if ENTRY_START.match(lines[at].text)]
    hangs = offsets[0] < 0.35 * size and _author_start_share(lines, indented) < 0.5
    if (hangs or _author_start_share(lines, at_edge) >= _author_start_share(lines, indented)) and len(at_edge) > len(
        lines
    ) / 12:
        return hanging if hanging and hanging[0] == 0 else [0, *hanging]
    return indented if indented and indented[0] == 0 else [0, *indented]


def _author_start_share(lines: Sequence[Line], starts: Sequence[int]) -> float:
    """Share of these lines that look like the first of a reference."""
    return sum(bool(AUTHOR_START.match(lines[at].text)) for at in starts) / max(1, len(starts))


def _by_gap(lines: Sequence[Line]) -> list[int]:
    """Starts by white space between references."""
    gaps = [
        two.base - one.base if one.page == two.page and one.column == two.column else None
        for one, two in pairwise(lines)
    ]
    known = [gap for gap in gaps if gap is not None and gap > 0]
    if len(known) < 3:
        return []
    usual_gap = sorted(known)[len(known) // 4]
    starts = [0]
    for at, gap in enumerate(gaps, 1):
        is_wide = gap is not None and gap > 1.18 * usual_gap
        if is_wide or (gap is None and _ends_entry(lines[at - 1]) and AUTHOR_START.match(lines[at].text)):
            starts.append(at)
    return starts if len(starts) > max(2, len(lines) / 12) else []


def _ends_entry(line: Line) -> bool:
    return line.text.rstrip().endswith((".", ")", "]")) or line.text[-1:].isdigit()


def _by_text(lines: Sequence[Line]) -> list[int]:
    """Starts by text: an author name after a line that ends like a reference."""
    return [
        at for at, line in enumerate(lines) if at == 0 or (_ends_entry(lines[at - 1]) and AUTHOR_START.match(line.text))
    ]
