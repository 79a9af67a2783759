"""A map of a work's neighbourhood: what it cites and who cites it, from left to right by year."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape

from openseer.core.model.work import IndexedWork
from openseer.core.text.person_names import split_name

WIDTH, ROW, TOP = 720, 22, 14
MOST = 12
"""Works of each kind on a map."""
LETTER = 6.1
"""Width of a letter, about."""
MOST_ROWS = 9


@dataclass(frozen=True, slots=True)
class Place:
    """A work on the map."""

    work: IndexedWork
    kind: str
    """me, ref, cit or self."""
    x: float
    y: float
    label: str

    @property
    def size(self) -> float:
        """A dot's radius, by how often it is cited."""
        return 3.2 + 1.6 * math.log1p(self.work.cited)


@dataclass(frozen=True, slots=True)
class Map:
    """A drawing, and which kinds of works are on it: ref, cit, self."""

    drawing: Markup
    kinds: frozenset[str]


def neighbourhood(
    me: IndexedWork, cited: Sequence[IndexedWork], citing: Sequence[IndexedWork], own: set[str]
) -> Map | None:
    """The map, on which those of its own authors stand out; None when there is too little to draw."""
    references = _foremost(cited)
    citers = _foremost(citing)
    if me.year is None or len(references) + len(citers) < 3:
        return None
    every = [me, *references, *citers]
    low, high = min(one.year or 0 for one in every), max(one.year or 0 for one in every)
    above = _rows(references, low, high, lambda one: "self" if one.id in own else "ref")
    below = _rows(citers, low, high, lambda one: "self" if one.id in own else "cit")
    middle = TOP + ROW * (_depth(above) + 1)
    spots = [Place(one, kind, x, middle - ROW * (row + 1), name) for one, kind, x, row, name in above]
    spots += [Place(one, kind, x, middle + ROW * (row + 1), name) for one, kind, x, row, name in below]
    center = Place(me, "me", _x(me.year, low, high), middle, _label(me))
    foot = middle + ROW * (_depth(below) + 1)
    return Map(_drawn(center, spots, foot, (low, high)), frozenset(one.kind for one in spots))


def _foremost(works: Sequence[IndexedWork]) -> list[IndexedWork]:
    """The most cited that have a year."""
    dated = [one for one in works if one.year]
    return sorted(dated, key=lambda one: (-one.cited, -len(one.documents), one.title))[:MOST]


def _x(year: int, low: int, high: int) -> float:
    return 20 + (WIDTH - 150) * (year - low) / max(1, high - low)


def _label(work: IndexedWork) -> str:
    family = split_name(work.authors[0]).family or work.authors[0] if work.authors else work.title[:14]
    return f"{family[:18]} {work.year}"


Row = tuple[IndexedWork, str, float, int, str]


def _rows(works: Sequence[IndexedWork], low: int, high: int, kind: Callable[[IndexedWork], str]) -> list[Row]:
    """Each in the first row where its label stands free."""
    ends: list[float] = []
    placed = []
    for one in sorted(works, key=lambda work: (work.year or 0, work.title)):
        x, name = _x(one.year or low, low, high), _label(one)
        row = next((number for number, end in enumerate(ends) if end < x - 8), len(ends))
        if row == len(ends):
            if row == MOST_ROWS:
                continue
            ends.append(0.0)
        ends[row] = x + 12 + LETTER * len(name)
        placed.append((one, kind(one), x, row, name))
    return placed


def _depth(rows: Sequence[Row]) -> int:
    return max((row + 1 for _, _, _, row, _ in rows), default=0)


def _drawn(center: Place, spots: Sequence[Place], foot: float, years: tuple[int, int]) -> Markup:
    edges = "".join(_edge(center, one) for one in spots)
    dots = "".join(_dot(one) for one in (*spots, center))
    name = f"Map of citations around {center.work.title}: works it cites above, works citing it below; the lists follow"
    opened = f'<svg class="chart map" viewBox="0 0 {WIDTH} {foot + 20:.0f}" role="group" aria-label="{escape(name)}">'
    return Markup(f"{opened}{_grid(foot, *years)}{edges}{dots}</svg>")


def _grid(foot: float, low: int, high: int) -> str:
    step = next((one for one in (1, 2, 5, 10, 20, 50, 100) if (high - low) / one <= 8), 500)
    lines = ""
    for year in range(-(-low // step) * step, high + 1, step):
        x = _x(year, low, high)
        lines += f'<line class="grid" x1="{x:.1f}" x2="{x:.1f}" y1="0" y2="{foot:.0f}"/>'
        lines += f'<text x="{x:.1f}" y="{foot + 14:.0f}" text-anchor="middle">{year}</text>'
    return lines


def _edge(center: Place, other: Place) -> str:
    middle = (center.y + other.y) / 2
    bend = f"C{center.x:.1f} {middle:.1f} {other.x:.1f} {middle:.1f} {other.x:.1f} {other.y:.1f}"
    return f'<path class="edge" d="M{center.x:.1f} {center.y:.1f}{bend}"/>'


def _dot(one: Place) -> str:
    bold = " me" if one.kind == "me" else ""
    kind, size = "cit" if bold else one.kind, one.size + (3 if bold else 0)
    told = escape(f"{one.work.title} ({one.work.year}), cited by {one.work.cited}")
    return (
        f'<a href="/works/{one.work.id}" tabindex="-1"><title>{told}</title>'
        f'<circle class="{kind}" cx="{one.x:.1f}" cy="{one.y:.1f}" r="{size:.1f}"/>'
        f'<text class="label{bold}" x="{one.x + size + 4:.1f}" y="{one.y + 4:.1f}">{escape(one.label)}</text></a>'
    )
