"""Charts as SVG: columns by year and a growth line. The style sheet sets the colours; each chart has a table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape

NARROW_WIDTH, WIDE_WIDTH, HEIGHT, LABEL_HEIGHT = 320, 1100, 84, 16
"""Sizes in units of the drawing; the height excludes the year labels below."""
YEARS_PER_COLUMN = (1, 2, 5, 10, 20, 50, 100)
MIN_COLUMNS, MAX_COLUMNS = 8, 60
"""A chart leaves room for at least so many columns, so that the labels of two years do not touch."""


@dataclass(frozen=True, slots=True)
class Column:
    """Number of works in one or several years."""

    first: int
    last: int
    total: int
    self_total: int = 0
    """Those of the total that are self-citations."""

    @property
    def label(self) -> str:
        """The years, like "1999" or "1990-1999"."""
        return str(self.first) if self.first == self.last else f"{self.first}-{self.last}"


@dataclass(frozen=True, slots=True)
class Chart:
    """A drawing and its columns."""

    drawing: Markup
    columns: tuple[Column, ...]

    @property
    def rows(self) -> list[Column]:
        """Columns that are not empty, for the table of the chart."""
        return [one for one in self.columns if one.total]


def columns_of(totals: Mapping[int, int], self_totals: Mapping[int, int] | None = None) -> tuple[Column, ...]:
    """Columns without gaps from the first year to the last; many years share columns."""
    if not totals:
        return ()
    low, high = min(totals), max(totals)
    step = next((one for one in YEARS_PER_COLUMN if (high - low) // one < MAX_COLUMNS), YEARS_PER_COLUMN[-1])
    low = low // step * step
    return tuple(
        Column(
            first,
            min(first + step - 1, high),
            sum(totals.get(year, 0) for year in range(first, first + step)),
            sum((self_totals or {}).get(year, 0) for year in range(first, first + step)),
        )
        for first in range(low, high + 1, step)
    )


def year_chart(
    totals: Mapping[int, int],
    noun: str,
    self_totals: Mapping[int, int] | None = None,
    link: Callable[[Column], str] | None = None,
    selected: tuple[int | None, int | None] = (None, None),
    width: int = NARROW_WIDTH,
) -> Chart | None:
    """Columns by year; those outside the selected years are pale. None if there is nothing to draw."""
    columns = columns_of(totals, self_totals)
    if not columns:
        return None
    max_total = max(one.total for one in columns)
    column_width = width / max(len(columns), MIN_COLUMNS)
    shapes = [
        _column_shape(one, number * column_width, column_width, max_total, selected)
        for number, one in enumerate(columns)
    ]
    if link:
        shapes = [_linked(shape, link(one), one, noun) for shape, one in zip(shapes, columns, strict=True)]
    name = f"{noun.capitalize()} by year, {columns[0].label} to {columns[-1].label}; numbers in the table below"
    role, attribute = ("group", " data-years") if link else ("img", "")
    box = f'viewBox="0 0 {width} {HEIGHT + LABEL_HEIGHT}"'
    start = f'<svg class="chart" {box} role="{role}" aria-label="{escape(name)}"{attribute}>'
    return Chart(Markup(f"{start}{''.join(shapes)}{_axis(columns, column_width, width)}</svg>"), columns)


def responsive_chart(
    totals: Mapping[int, int], noun: str, link: Callable[[Column], str], year: int | None = None
) -> Chart | None:
    """A wide and a narrow year chart, of which the style sheet shows one; with a year, all other years are pale."""
    wide = year_chart(totals, noun, link=link, selected=(year, year), width=WIDE_WIDTH)
    narrow = year_chart(totals, noun, link=link, selected=(year, year))
    if wide is None or narrow is None:
        return None
    both = Markup('<div class="on-wide">{}</div><div class="on-narrow">{}</div>').format(wide.drawing, narrow.drawing)
    return Chart(both, wide.columns)


def _column_shape(one: Column, x: float, width: float, max_total: int, selected: tuple[int | None, int | None]) -> str:
    low, high = selected
    outside = (low is not None and one.last < low) or (high is not None and one.first > high)
    pale = " out" if outside else ""
    max_height, gap = HEIGHT - 4, min(2.0, width * 0.2)
    height, self_height = max_height * one.total / max_total, max_height * one.self_total / max_total
    years = f'data-year="{one.first}" data-last="{one.last}"'
    shapes = f'<rect class="catch" x="{x:.1f}" y="0" width="{width:.1f}" height="{HEIGHT}" {years}/>'
    if one.total:
        shapes += _bar("bar" + pale, x, HEIGHT - height, width - gap, height - self_height)
    if one.self_total:
        shapes += _bar("bar own" + pale, x, HEIGHT - self_height, width - gap, self_height)
    return shapes


def _bar(css_class: str, x: float, y: float, width: float, height: float) -> str:
    return f'<rect class="{css_class}" x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" rx="1"/>'


def _linked(shape: str, address: str, one: Column, noun: str) -> str:
    noun = noun.removesuffix("s") if one.total == 1 else noun
    label = f"{one.label}: {one.total:,} {noun}"
    return f'<a href="{escape(address)}" tabindex="-1" aria-label="{label}"><title>{label}</title>{shape}</a>'


def _axis(columns: Sequence[Column], column_width: float, width: int) -> str:
    labelled = {0, len(columns) - 1} | ({len(columns) // 2} if len(columns) > 20 else set())
    shapes = f'<line class="axis" x1="0" x2="{width}" y1="{HEIGHT + 0.5}" y2="{HEIGHT + 0.5}"/>'
    for number in sorted(labelled):
        x = width if _is_at_right_edge(number, columns) else (number + 0.5) * column_width if number else 0
        anchor = "start" if not number else "end" if _is_at_right_edge(number, columns) else "middle"
        year = columns[number].first if number < len(columns) - 1 else columns[number].last
        shapes += f'<text x="{x:.1f}" y="{HEIGHT + LABEL_HEIGHT - 3}" text-anchor="{anchor}">{year}</text>'
    return shapes


def _is_at_right_edge(number: int, columns: Sequence[Column]) -> bool:
    """True for the last column of a chart without free room."""
    return number == len(columns) - 1 and len(columns) >= MIN_COLUMNS


def growth_line(values: Sequence[int], name: str) -> Markup:
    """A line without axes; `name` describes it."""
    if len(values) < 2 or not max(values):
        return Markup("")
    step, max_value = NARROW_WIDTH / (len(values) - 1), max(values)
    points = [(number * step, 44 - 40 * value / max_value) for number, value in enumerate(values)]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return Markup(
        '<svg class="chart" viewBox="0 0 {} 46" role="img" aria-label="{}">'
        '<polygon class="area" points="0,46 {} {},46"/><polyline class="line" points="{}"/></svg>'
    ).format(NARROW_WIDTH, name, path, NARROW_WIDTH, path)
