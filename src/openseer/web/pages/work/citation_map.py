"""Citation map: a work with the works it cites above and the works that cite it below, by year from left to right."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape

from openseer.core.model.work import IndexedWork
from openseer.core.text.person_names import split_name

MAP_WIDTH, ROW_HEIGHT, TOP_MARGIN = 720, 22, 14
MAX_WORKS = 12
"""Cited works, and citing works."""
LETTER_WIDTH = 6.1
"""Estimate."""
MAX_ROWS = 9


@dataclass(frozen=True, slots=True)
class MapNode:
    """A work on the map."""

    work: IndexedWork
    kind: str
    """me, ref, cit or self."""
    x: float
    y: float
    label: str

    @property
    def radius(self) -> float:
        """Radius of the dot, larger for works cited more often."""
        return 3.2 + 1.6 * math.log1p(self.work.cited)


@dataclass(frozen=True, slots=True)
class CitationMap:
    """The drawing, and the kinds of works on it: ref, cit, self."""

    drawing: Markup
    kinds: frozenset[str]


def citation_map(
    work: IndexedWork, cited: Sequence[IndexedWork], citing: Sequence[IndexedWork], same_authors: set[str]
) -> CitationMap | None:
    """The map of a work, on which works of the same authors stand out; None for fewer than three neighbours."""
    references = _most_cited(cited)
    citers = _most_cited(citing)
    if work.year is None or len(references) + len(citers) < 3:
        return None
    everything = [work, *references, *citers]
    low, high = min(one.year or 0 for one in everything), max(one.year or 0 for one in everything)
    above = _place_in_rows(references, low, high, lambda one: "self" if one.id in same_authors else "ref")
    below = _place_in_rows(citers, low, high, lambda one: "self" if one.id in same_authors else "cit")
    middle = TOP_MARGIN + ROW_HEIGHT * (_row_count(above) + 1)
    nodes = [MapNode(one, kind, x, middle - ROW_HEIGHT * (row + 1), label) for one, kind, x, row, label in above]
    nodes += [MapNode(one, kind, x, middle + ROW_HEIGHT * (row + 1), label) for one, kind, x, row, label in below]
    center = MapNode(work, "me", _x(work.year, low, high), middle, _label(work))
    bottom = middle + ROW_HEIGHT * (_row_count(below) + 1)
    return CitationMap(_drawing(center, nodes, bottom, (low, high)), frozenset(one.kind for one in nodes))


def _most_cited(works: Sequence[IndexedWork]) -> list[IndexedWork]:
    """The most cited works with a year."""
    dated = [one for one in works if one.year]
    return sorted(dated, key=lambda one: (-one.cited, -len(one.documents), one.title))[:MAX_WORKS]


def _x(year: int, low: int, high: int) -> float:
    return 20 + (MAP_WIDTH - 150) * (year - low) / max(1, high - low)


def _label(work: IndexedWork) -> str:
    family = split_name(work.authors[0]).family or work.authors[0] if work.authors else work.title[:14]
    return f"{family[:18]} {work.year}"


PlacedWork = tuple[IndexedWork, str, float, int, str]
"""A work with its kind, x, row and label."""


def _place_in_rows(
    works: Sequence[IndexedWork], low: int, high: int, kind: Callable[[IndexedWork], str]
) -> list[PlacedWork]:
    """Put each work into the first row where its label overlaps no other."""
    row_ends: list[float] = []
    placed = []
    for one in sorted(works, key=lambda work: (work.year or 0, work.title)):
        x, label = _x(one.year or low, low, high), _label(one)
        row = next((number for number, end in enumerate(row_ends) if end < x - 8), len(row_ends))
        if row == len(row_ends):
            if row == MAX_ROWS:
                continue
            row_ends.append(0.0)
        row_ends[row] = x + 12 + LETTER_WIDTH * len(label)
        placed.append((one, kind(one), x, row, label))
    return placed


def _row_count(rows: Sequence[PlacedWork]) -> int:
    return max((row + 1 for _, _, _, row, _ in rows), default=0)


def _drawing(center: MapNode, nodes: Sequence[MapNode], bottom: float, years: tuple[int, int]) -> Markup:
    edges = "".join(_edge(center, one) for one in nodes)
    dots = "".join(_dot(one) for one in (*nodes, center))
    name = escape(f"Citation map of {center.work.title}: cited works above, citing works below; also in the lists")
    start = f'<svg class="chart map" viewBox="0 0 {MAP_WIDTH} {bottom + 20:.0f}" role="group" aria-label="{name}">'
    return Markup(f"{start}{_grid(bottom, *years)}{edges}{dots}</svg>")


def _grid(bottom: float, low: int, high: int) -> str:
    step = next((one for one in (1, 2, 5, 10, 20, 50, 100) if (high - low) / one <= 8), 500)
    lines = ""
    for year in range(-(-low // step) * step, high + 1, step):
        x = _x(year, low, high)
        lines += f'<line class="grid" x1="{x:.1f}" x2="{x:.1f}" y1="0" y2="{bottom:.0f}"/>'
        lines += f'<text x="{x:.1f}" y="{bottom + 14:.0f}" text-anchor="middle">{year}</text>'
    return lines


def _edge(center: MapNode, other: MapNode) -> str:
    middle = (center.y + other.y) / 2
    bend = f"C{center.x:.1f} {middle:.1f} {other.x:.1f} {middle:.1f} {other.x:.1f} {other.y:.1f}"
    return f'<path class="edge" d="M{center.x:.1f} {center.y:.1f}{bend}"/>'


def _dot(one: MapNode) -> str:
    bold = " me" if one.kind == "me" else ""
    kind, radius = "cit" if bold else one.kind, one.radius + (3 if bold else 0)
    title = escape(f"{one.work.title} ({one.work.year}), cited by {one.work.cited}")
    return (
        f'<a href="/works/{one.work.id}" tabindex="-1"><title>{title}</title>'
        f'<circle class="{kind}" cx="{one.x:.1f}" cy="{one.y:.1f}" r="{radius:.1f}"/>'
        f'<text class="label{bold}" x="{one.x + radius + 4:.1f}" y="{one.y + 4:.1f}">{escape(one.label)}</text></a>'
    )
