"""Charts as SVG, made here: columns by year, a line of growth. Colours come from the style sheet; each has a table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape

WIDTH, WIDE, HEIGHT, FOOT = 320, 1100, 84, 16
"""Of a drawing in a narrow and in a wide place, in its own units, and of what is kept for the years below."""
STEPS = (1, 2, 5, 10, 20, 50, 100)
"""Years that one column may stand for."""
FEWEST, MOST_COLUMNS = 8, 60
"""Columns for which there is room at the least, so that the years below two of them stand apart; and the most."""


@dataclass(frozen=True, slots=True)
class Column:
    """One column: the years it stands for, and how many there are."""

    first: int
    last: int
    total: int
    own: int = 0

    @property
    def label(self) -> str:
        """Its years as they are written."""
        return str(self.first) if self.first == self.last else f"{self.first}-{self.last}"


@dataclass(frozen=True, slots=True)
class Chart:
    """A drawing and the same as columns, for the table behind it."""

    drawing: Markup
    columns: tuple[Column, ...]

    @property
    def told(self) -> list[Column]:
        """Those that have something to tell."""
        return [one for one in self.columns if one.total]


def columns_of(totals: Mapping[int, int], own: Mapping[int, int] | None = None) -> tuple[Column, ...]:
    """Columns without a gap from the first year to the last, of one year each or, where that is too many, of more."""
    if not totals:
        return ()
    low, high = min(totals), max(totals)
    step = next((one for one in STEPS if (high - low) // one < MOST_COLUMNS), STEPS[-1])
    low = low // step * step
    return tuple(
        Column(
            first,
            min(first + step - 1, high),
            sum(totals.get(year, 0) for year in range(first, first + step)),
            sum((own or {}).get(year, 0) for year in range(first, first + step)),
        )
        for first in range(low, high + 1, step)
    )


def by_year(
    totals: Mapping[int, int],
    what: str,
    own: Mapping[int, int] | None = None,
    link: Callable[[Column], str] | None = None,
    chosen: tuple[int | None, int | None] = (None, None),
    across: int = WIDTH,
) -> Chart | None:
    """Columns by year; those outside the chosen years are pale. None when there is nothing to draw."""
    columns = columns_of(totals, own)
    if not columns:
        return None
    most = max(one.total for one in columns)
    width = across / max(len(columns), FEWEST)
    drawn = [_column(one, number * width, width, most, chosen) for number, one in enumerate(columns)]
    if link:
        drawn = [_linked(shape, link(one), one, what) for shape, one in zip(drawn, columns, strict=True)]
    name = f"{what.capitalize()} by year, {columns[0].label} to {columns[-1].label}; the table below has the numbers"
    role, mark = ("group", " data-years") if link else ("img", "")
    body = f"{''.join(drawn)}{_axis(columns, width, across)}"
    opened = (
        f'<svg class="chart" viewBox="0 0 {across} {HEIGHT + FOOT}" role="{role}" aria-label="{escape(name)}"{mark}>'
    )
    return Chart(Markup(f"{opened}{body}</svg>"), columns)


def for_any_width(
    totals: Mapping[int, int], what: str, link: Callable[[Column], str], year: int | None = None
) -> Chart | None:
    """Columns by year, drawn for a wide page and for a phone; the style sheet shows one of them. All but a year that is
    named are pale."""
    wide = by_year(totals, what, link=link, chosen=(year, year), across=WIDE)
    narrow = by_year(totals, what, link=link, chosen=(year, year))
    if wide is None or narrow is None:
        return None
    both = Markup('<div class="on-wide">{}</div><div class="on-narrow">{}</div>').format(wide.drawing, narrow.drawing)
    return Chart(both, wide.columns)


def _column(one: Column, x: float, width: float, most: int, chosen: tuple[int | None, int | None]) -> str:
    low, high = chosen
    outside = (low is not None and one.last < low) or (high is not None and one.first > high)
    pale = " out" if outside else ""
    room, gap = HEIGHT - 4, min(2.0, width * 0.2)
    tall, self_tall = room * one.total / most, room * one.own / most
    years = f'data-year="{one.first}" data-last="{one.last}"'
    shapes = f'<rect class="catch" x="{x:.1f}" y="0" width="{width:.1f}" height="{HEIGHT}" {years}/>'
    if one.total:
        shapes += _bar("bar" + pale, x, HEIGHT - tall, width - gap, tall - self_tall)
    if one.own:
        shapes += _bar("bar own" + pale, x, HEIGHT - self_tall, width - gap, self_tall)
    return shapes


def _bar(name: str, x: float, y: float, width: float, height: float) -> str:
    return f'<rect class="{name}" x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" rx="1"/>'


def _linked(shape: str, address: str, one: Column, what: str) -> str:
    label = f"{one.label}: {one.total:,} {what}"
    return f'<a href="{escape(address)}" tabindex="-1" aria-label="{label}"><title>{label}</title>{shape}</a>'


def _axis(columns: Sequence[Column], width: float, across: int) -> str:
    wanted = {0, len(columns) - 1} | ({len(columns) // 2} if len(columns) > 20 else set())
    texts = f'<line class="axis" x1="0" x2="{across}" y1="{HEIGHT + 0.5}" y2="{HEIGHT + 0.5}"/>'
    for number in sorted(wanted):
        x = across if _ends(number, columns) else (number + 0.5) * width if number else 0
        side = "start" if not number else "end" if _ends(number, columns) else "middle"
        year = columns[number].first if number < len(columns) - 1 else columns[number].last
        texts += f'<text x="{x:.1f}" y="{HEIGHT + FOOT - 3}" text-anchor="{side}">{year}</text>'
    return texts


def _ends(number: int, columns: Sequence[Column]) -> bool:
    """Whether a column is the last of a chart that it fills."""
    return number == len(columns) - 1 and len(columns) >= FEWEST


def line(values: Sequence[int], name: str) -> Markup:
    """A line that grows, without axes; a text beside it says what it shows."""
    if len(values) < 2 or not max(values):
        return Markup("")
    step, most = WIDTH / (len(values) - 1), max(values)
    points = [(number * step, 44 - 40 * value / most) for number, value in enumerate(values)]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return Markup(
        '<svg class="chart" viewBox="0 0 {} 46" role="img" aria-label="{}">'
        '<polygon class="area" points="0,46 {} {},46"/><polyline class="line" points="{}"/></svg>'
    ).format(WIDTH, name, path, WIDTH, path)
