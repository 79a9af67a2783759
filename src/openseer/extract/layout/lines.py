"""Lines of a page in reading order; running heads, page numbers and line numbers are marked as margin."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple

from openseer.core.model.extraction import Box
from openseer.extract.layout.headings import REFERENCES, is_heading
from openseer.extract.pdf.page_model import HYPHEN, Font, Page, Word, clean

LONE_ACCENTS = frozenset("´`¨ˆ˜ˇ˚¸˘˝˙€¯")
WIDE_GAP_EMS = 1.6
"""Ems; a wider space separates columns, cells or authors instead of words."""


class Line(NamedTuple):
    """One printed line of one column."""

    text: str
    page: int
    x0: float
    x1: float
    base: float
    size: float
    font: Font
    words: tuple[Word, ...]
    order: int = 0
    """Position of its first word in the content stream of the page."""
    column: int = 0
    margin: bool = False
    """True for a running head, page number or line number."""

    @property
    def box(self) -> Box:
        return (self.x0, self.base - 0.8 * self.size, self.x1, self.base + 0.2 * self.size)

    @property
    def top(self) -> float:
        return self.base - 0.8 * self.size

    @property
    def style(self) -> tuple[str, float]:
        return (self.font.name, self.size)


def lines_of(pages: Sequence[Page]) -> list[Line]:
    """All lines of the document in reading order."""
    lines = [line for page in pages for line in _page_lines(page)]
    return _mark_margins(lines, {page.number: page.height for page in pages})


def body_size(lines: Iterable[Line]) -> float:
    """Font size of most characters, ignoring lines without letters and digits (leaders and rules of charts)."""
    sizes: Counter[float] = Counter()
    for line in lines:
        text = line.text
        if text[:1].isalnum() or any(map(str.isalnum, text)):
            sizes[line.size] += len(text)
    return sizes.most_common(1)[0][0] if sizes else 10.0


def boxes_of(lines: Iterable[Line]) -> list[tuple[int, Box]]:
    """Bounding box of the lines in each column of each page."""
    columns: dict[tuple[int, int], list[Box]] = {}
    for line in lines:
        columns.setdefault((line.page, line.column), []).append(line.box)
    page_boxes = []
    for (page, _), boxes in columns.items():
        x0, y0, x1, y1 = zip(*boxes, strict=True)
        page_boxes.append((page, (round(min(x0), 1), round(min(y0), 1), round(max(x1), 1), round(max(y1), 1))))
    return page_boxes


def join_lines(lines: Iterable[Line]) -> str:
    """Lines as running text, with divided words rejoined."""
    return join_texts(line.text for line in lines)


def join_texts(texts: Iterable[str]) -> str:
    """Text lines as one string, with divided words rejoined.

    >>> join_texts(["a divi\\x02", "ded word", "and more"])
    'a divided word and more'
    """
    return re.sub(f"{HYPHEN} *", "", " ".join(text for text in texts if text)).strip()


# --- words -> segments -> lines


def _page_lines(page: Page) -> list[Line]:
    segments = [_segment(words, page.number, order) for order, words in _word_runs(_without_line_numbers(page.words))]
    segments = [segment for segment in segments if segment.text]
    return [line for part in _split_at_references(segments) for line in _part_lines(part, page)]


def _without_line_numbers(words: Sequence[Word]) -> Sequence[Word]:
    """Words without the line numbers of a manuscript: numbers at one x that count upwards by one."""
    columns: dict[tuple[str, int], list[Word]] = {}
    for word in words:
        if word.text.isdecimal() and len(word.text) < 5:
            columns.setdefault(("left", round(word.x0 / 4)), []).append(word)
            columns.setdefault(("right", round(word.x1 / 4)), []).append(word)
    drop: set[int] = set()
    for numbers in columns.values():
        numbers.sort(key=lambda word: word.base)
        steps = [int(below.text) - int(above.text) for above, below in pairwise(numbers)]
        consecutive = sum(step == 1 for step in steps) > 0.85 * len(steps)
        if consecutive and len(numbers) > max(8, 0.5 * len({round(word.base) for word in words})):
            drop |= set(map(id, numbers))
    return [word for word in words if id(word) not in drop] if drop else words


def _part_lines(segments: list[Line], page: Page) -> list[Line]:
    gutters = _any_gutters(segments, page)
    if not gutters and (foot_columns := _columns_at_foot(segments, page)):
        gutter, low, high = foot_columns
        above, below = [s for s in segments if s.base <= low], [s for s in segments if s.base >= high]
        middle = [s._replace(column=_column(s, [gutter])) for s in segments if low < s.base < high]
        return [
            *_reading_order(_merge_segments(above), 0),
            *_reading_order(_merge_segments(middle), 1),
            *_reading_order(_merge_segments(below), 0),
        ]
    placed = [s._replace(column=_column(s, gutters)) for s in segments] if gutters else segments
    return _reading_order(_merge_segments(placed), len(gutters))


def _split_at_references(segments: list[Line]) -> list[list[Line]]:
    """The page in two parts if a bibliography with columns of its own stands below other text."""
    heading = next((s for s in segments if is_heading(REFERENCES, s.text)), None)
    if heading is None:
        return [segments]
    left = min(s.x0 for s in segments if len(s.text) > 20 or s is heading)
    list_segments = [s for s in segments if s.base > heading.base - 1]
    text_segments = [s for s in segments if s.base <= heading.base - 1 and len(s.text) > 20 and s.x1 > heading.x1 + 100]
    if heading.x0 > left + 40 or len(list_segments) < 7:
        return [segments]
    size, font = _main_style(s for s in list_segments if s is not heading)
    differing = [s for s in text_segments if abs(s.size - size) > 0.05 * size or s.font.name != font]
    right_segments = [s for s in text_segments if s.x0 > heading.x1]
    is_separate = len(differing) > 0.75 * len(text_segments) and len(right_segments or text_segments) > 5
    return [[s for s in segments if s.base <= heading.base - 1], list_segments] if is_separate else [segments]


def _main_style(segments: Iterable[Line]) -> tuple[float, str]:
    """Size and font of most characters."""
    styles: Counter[tuple[float, str]] = Counter()
    for segment in segments:
        styles[(segment.size, segment.font.name)] += len(segment.text)
    return styles.most_common(1)[0][0]


def _word_runs(words: Sequence[Word]) -> Iterator[tuple[int, list[Word]]]:
    """Words that follow each other in the stream on one baseline without a wide gap.

    One inlined loop, since it runs for every word of a document."""
    run: list[Word] = []
    size = base = end = width = 0.0
    start = 0
    dropped_accent = False
    for number, word in enumerate(words):
        text, x0, x1, baseline, font_size, _, _ = word
        if run:
            if text in LONE_ACCENTS:
                dropped_accent = True  # a detached accent would break the word, so it is dropped
                continue
            if dropped_accent:
                dropped_accent = False
                if abs(x0 - end) < 0.15 * size:
                    word = word._replace(glued=True)
            larger, smaller = (font_size, size) if font_size > size else (size, font_size)
            larger = max(larger, 1.0)
            shift, gap = baseline - base, x0 - end
            max_shift = (0.62 if smaller < 0.85 * larger else 0.35) * larger
            if not -max_shift <= shift <= max_shift or not -0.6 * larger - width * 0.2 < gap < WIDE_GAP_EMS * larger:
                yield start, run
                run = []
        if not run:
            start, size, base = number, font_size, baseline
        elif font_size > size:
            size, base = font_size, baseline
        run.append(word)
        end, width = x1, x1 - x0
    if run:
        yield start, run


def _main_word(words: Sequence[Word]) -> Word:
    """A word in the style of most characters of the line."""
    first = words[0]
    size, font = first.size, first.font
    for word in words:
        if word.size != size or word.font is not font:
            break
    else:
        return first
    weight: Counter[tuple[float, Font]] = Counter()
    for word in words:
        weight[(word.size, word.font)] += len(word.text)
    style = weight.most_common(1)[0][0]
    return next(word for word in words if (word.size, word.font) == style)


def _segment(words: list[Word], page: int, order: int) -> Line:
    main = _main_word(words)
    x0, x1 = min([word.x0 for word in words]), max([word.x1 for word in words])
    return Line(join_words(words), page, x0, x1, main.base, main.size, main.font, tuple(words), order)


def join_words(words: Sequence[Word]) -> str:
    """Words as the text of a line."""
    text = "".join([word.text if word.glued else " " + word.text for word in words]).lstrip(" ")
    if HYPHEN in text[:-1]:
        text = text[:-1].replace(HYPHEN + " ", "-").replace(HYPHEN, "-") + text[-1]
    return clean(text).strip(" ")


def _merge_segments(segments: list[Line]) -> list[Line]:
    """Segments of one column and baseline, merged from left to right."""
    merged: list[Line] = []
    for line in sorted(segments, key=lambda s: (s.column, round(s.base), s.x0)):
        last = merged[-1] if merged else None
        if last and _same_row(last, line):
            merged[-1] = _merge_two(last, line)
        else:
            merged.append(line)
    return merged


def _same_row(last: Line, line: Line) -> bool:
    if last.column != line.column or line.x0 < last.x1 - 2 or (line.column < 0 and line.x0 - last.x1 > 60):
        return False
    if (
        abs(last.size - line.size) > 0.12 * last.size
        and line.x0 - last.x1 > WIDE_GAP_EMS * last.size
        and len(line.text) > 3 < len(last.text)
    ):
        return False
    return abs(last.base - line.base) < 0.3 * max(last.size, line.size)


def _merge_two(last: Line, line: Line) -> Line:
    main = last if len(last.text) >= len(line.text) else line
    words = (*last.words, line.words[0]._replace(glued=False), *line.words[1:])
    text = f"{last.text.replace(HYPHEN, '-')} {line.text}"
    return main._replace(
        text=text, x0=last.x0, x1=max(last.x1, line.x1), words=words, order=min(last.order, line.order)
    )


# --- columns and reading order


def _any_gutters(segments: Sequence[Line], page: Page) -> list[float]:
    """Gutters of the page, or of its lower or upper part when a table or wide text hides them."""
    found = _gutters(segments, page.width)
    for share in (0.5, 0.33):
        found = found or _gutters([s for s in segments if s.base > share * page.height], page.width)
        found = found or _gutters([s for s in segments if s.base < (1 - share) * page.height], page.width)
    return found or _gutters([s for s in segments if s.base < 0.33 * page.height], page.width)


def _columns_at_foot(segments: Sequence[Line], page: Page) -> tuple[float, float, float] | None:
    """Gutter, top and bottom of two prose columns that begin low on a page, e.g. below a long abstract."""
    for share in (0.67, 0.74):
        band = [s for s in segments if share * page.height < s.base < 0.92 * page.height]
        gutters = _gutters(band, page.width)
        if len(gutters) != 1:
            continue
        x = gutters[0]
        crossing_bases = [0.0, *sorted(s.base for s in segments if s.x0 < x - 1 and s.x1 > x + 1), page.height + 1]
        for low, high in pairwise(crossing_bases):
            band_segments = [s for s in segments if low < s.base < high]
            left, right = [s for s in band_segments if s.x1 <= x + 1], [s for s in band_segments if s.x0 >= x - 1]
            if min(sum(len(s.text) > 30 for s in side) / max(5, len(side)) for side in (left, right)) > 0.7:
                return x, low, high
    return None


def _gutters(segments: Sequence[Line], width: float) -> list[float]:
    """The x of the white strips between columns: much text on both sides, hardly any across."""
    if len(segments) < 12 or width <= 0:
        return []
    step = width / 200
    changes = [0] * 202
    for line in segments:
        start, end = max(0, int(line.x0 / step)), min(200, int(line.x1 / step)) + 1
        if start < end:
            changes[start] += 1
            changes[end] -= 1
    found = [x * step for x in _valleys(list(accumulate(changes[:-1])))]
    selected: list[float] = []
    for x in found:
        last = selected[-1] if selected else 0.0
        if _splits(segments, x) and _is_column([s for s in segments if last - 1 <= s.x0 and s.x1 <= x + 1]):
            selected.append(x)
    return selected if len(selected) <= 2 else []


def _is_column(segments: Sequence[Line]) -> bool:
    """True for lines of text or side notes, False for the numbers of a list."""
    return sum(len(s.text) > 20 for s in segments) >= 5 or _is_sidebar(segments, sum(len(s.text) for s in segments))


def _valleys(coverage: Sequence[int]) -> list[int]:
    """The middle of each deep strip in the horizontal coverage."""
    left = next((i for i, c in enumerate(coverage) if c > 2), 0)
    right = next((i for i in range(len(coverage) - 1, -1, -1) if coverage[i] > 2), 0)
    peak = max(coverage, default=0)
    low = max(2.0, 0.22 * peak)
    strips: list[int] = []
    cell = left + 15
    while cell < right - 15:
        if coverage[cell] > low:
            cell += 1
            continue
        end = cell
        while end < right and coverage[end] <= low:
            end += 1
        floor = min(coverage[cell:end])
        deepest = [i for i in range(cell, end) if coverage[i] == floor]
        strips.append(deepest[len(deepest) // 2])
        cell = end
    return strips


def _splits(segments: Sequence[Line], x: float) -> bool:
    """True if much text lies on both sides of x and little across it."""
    left = sum(len(s.text) for s in segments if s.x1 <= x + 1)
    right = sum(len(s.text) for s in segments if s.x0 >= x - 1)
    across = sum(len(s.text) for s in segments if s.x0 < x - 1 and s.x1 > x + 1)
    sides = sorted((left, right))
    long_left = sum(1 for s in segments if s.x1 <= x + 1 and len(s.text) > 20)
    long_right = sum(1 for s in segments if s.x0 >= x - 1 and len(s.text) > 20)
    if sides[0] > 0.12 * (left + right + across) and min(long_left, long_right) >= 5 and across < 3 * sides[0]:
        return True
    return _is_sidebar([s for s in segments if s.x1 <= x + 1], left) and across < 0.1 * right


def _is_sidebar(segments: Sequence[Line], letters: int) -> bool:
    """True for several short side notes, False for the numbers or bullets of a list."""
    words = [s for s in segments if sum(map(str.isalpha, s.text)) > 2]
    return len(words) >= 5 and len(words) > 0.7 * len(segments) and letters > 6 * len(segments)


def _column(line: Line, gutters: Sequence[float]) -> int:
    """Column number from the left, or -1 for a line that spans columns."""
    if not gutters:
        return 0
    first = sum(line.x0 >= gutter - 1 for gutter in gutters)
    last = sum(line.x1 > gutter + 1 for gutter in gutters)
    return first if first == last else -1


def _reading_order(lines: list[Line], gutters: int) -> list[Line]:
    """Lines from top to bottom; between two lines that span the page, column by column."""
    lines = sorted(lines, key=lambda line: (line.base, line.x0))
    if not gutters:
        return lines
    ordered: list[Line] = []
    band: list[Line] = []
    for line in lines:
        if line.column < 0:
            ordered += sorted(band, key=lambda b: b.column)
            ordered.append(line)
            band = []
        else:
            band.append(line)
    return ordered + sorted(band, key=lambda b: b.column)


# --- running heads, feet, line numbers


def _mark_margins(lines: list[Line], heights: dict[int, float]) -> list[Line]:
    edge_shapes: Counter[str] = Counter()
    for line in lines:
        if _at_edge(line, heights[line.page]):
            edge_shapes[_digitless_key(line)] += 1
    pages = len(heights)
    numbered_pages = _numbered_pages(lines)
    return [
        line._replace(margin=True)
        if _is_margin(line, heights[line.page], edge_shapes, pages)
        or (line.page in numbered_pages and _is_line_number(line))
        else line
        for line in lines
    ]


def _at_edge(line: Line, height: float) -> bool:
    return line.base < 0.11 * height or line.base > 0.9 * height


def _digitless_key(line: Line) -> str:
    """The line without digits, so that running heads with page numbers are equal."""
    return re.sub(r"[\d\W]+", "", line.text.lower())[:60] + f"@{round(line.base / 12)}"


PAGE_NUMBER = re.compile(
    r"[-–—|\[( ]*(?:page |p\. |seite |стр\. )?(?:[a-z]?\d{1,5}|[ivxlc]{1,6})(?: ?(?:/|of|von) ?\d+)?[-–—|\]) ]*", re.I
)


def _is_margin(line: Line, height: float, edge_shapes: Counter[str], pages: int) -> bool:
    if not _at_edge(line, height):
        return False
    if PAGE_NUMBER.fullmatch(line.text):
        return True
    key = _digitless_key(line)
    return edge_shapes[key] >= max(2, min(3, pages - 1)) and len(key) > 3 and line.page > 1 - (edge_shapes[key] > 3)


def _is_line_number(line: Line) -> bool:
    return line.text.isdecimal() and len(line.text) < 4


def _numbered_pages(lines: Iterable[Line]) -> set[int]:
    """Pages with at least 20 bare numbers at one x."""
    counts: Counter[tuple[int, int]] = Counter()
    for line in lines:
        if _is_line_number(line):
            counts[(line.page, round(line.x1 / 4))] += 1
    return {page for (page, _), count in counts.items() if count >= 20}
