"""Title: the largest type near the top of the first page that is no journal name."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from statistics import fmean as mean

from openseer.core.text.person_names import is_name
from openseer.extract.header.authors import split_names, text_with_breaks
from openseer.extract.layout.lines import Line, join_lines

NOT_A_TITLE = re.compile(
    r"www\.|https?:|^(?:research|original|review|short|brief|regular|full|invited|technical|case|data|software|"
    r"education(?:al)?)?[- ]?"
    r"(?:article|paper|communication|report|note|letter|study|review)s?$|^open access$|^(?:original|research|"
    r"review|letters?|editorial|article|opinion|perspective|"
    r"replication|reproduction|r e s c i e n c e c?|re ?science ?c?|master thesis|contents|commentary|"
    r"correspondence|squibs?)\b.{0,25}$|"
    r"^(?:international |european |american |the )?journal of |^proceedings of|^transactions |^annals of|"
    r"^(?:vol|volume|issue|no)\b\.? ?\d|^doi\b|^issn\b|^arxiv|"
    r"^table of contents$|^abstract$|^\W*\d+\W*$|^(?:january|february|march|april|may|june|july|august|"
    r"september|october|november|december) \d",
    re.I,
)
MONOSPACE = re.compile(r"mono|typewriter|courier|tt\d", re.I)
PERIODICAL = re.compile(
    r"\b(?:journal|proceedings|transactions|magazine|zeitschrift|university|universidade|universität)\b", re.I
)
LETTERS = re.compile(r"[^\W\d_]")


def title_lines(first: Sequence[Line], height: float, score: Callable[[Line], float]) -> list[Line]:
    """The title lines of the first page; `score` is the title probability of a line."""
    blocks = [block for block in _blocks(first) if _may_be_title(block, height)]
    if not blocks:
        return []
    best = max(blocks, key=lambda block: _weight(block, height) * (1.0 + mean(map(score, block))))
    return [*_trimmed(best, score), *_subtitle(first, best, score)]


def _trimmed(block: list[Line], score: Callable[[Line], float]) -> list[Line]:
    """The block without names below that are set like the title."""
    for number in range(1, len(block)):
        gap, before = block[number].base - block[number - 1].base, block[1].base - block[0].base
        has_gap = gap > 1.25 * before if number > 1 else gap > 1.6 * block[0].size
        if has_gap and score(block[number]) < 0.2 and _holds_name(block[number]):
            return block[:number]
    return block


def _subtitle(first: Sequence[Line], title: Sequence[Line], score: Callable[[Line], float]) -> list[Line]:
    """Lines right below in a smaller type that is larger than all following lines."""
    last = title[-1]
    below = [line for line in first if line.base > last.base + 1 and line.x0 < last.x1 + 200 and line.x1 > last.x0]
    below.sort(key=lambda line: line.base)
    if not below or below[0].base - last.base > 1.6 * last.size or len(title) > 6:
        return []
    size, font = below[0].size, below[0].font
    subtitle_lines = [line for line in below[:3] if abs(line.size - size) < 0.2 and line.font == font]
    largest_below = max((line.size for line in below[len(subtitle_lines) :]), default=0.0)
    text = " ".join(line.text for line in subtitle_lines)
    smaller = 1.08 * largest_below < size < 0.95 * last.size
    fits = smaller and len(text.split()) > 2 and not any(_holds_name(line) for line in subtitle_lines)
    return subtitle_lines if fits and mean(map(score, subtitle_lines)) > 0.3 else []


def _holds_name(line: Line) -> bool:
    return any(is_name(part) for part in split_names(text_with_breaks(line)))


def title_of(lines: Sequence[Line]) -> str:
    """The title as one string, without footnote markers at its end."""
    main = [line for line in lines if abs(line.size - lines[0].size) <= 0.06 * lines[0].size]
    text, rest = join_lines(main), join_lines(lines[len(main) :])
    if rest:
        text = f"{text} {rest}" if text.endswith(("?", "!", ":")) else f"{text}: {rest}"
    return re.sub(r"\s*[*†‡∗⋆§¶]+\s*$|(?<=[a-z])\s?[12]$", "", text).strip()


def _blocks(lines: Sequence[Line]) -> list[list[Line]]:
    """Lines of one style, close together."""
    blocks: list[list[Line]] = []
    closed: set[int] = set()
    for line in lines:
        if line.margin and line.page > 1:
            continue
        open_blocks = (block for block in reversed(blocks[-7:]) if id(block) not in closed and _belongs(block, line))
        junk = bool(NOT_A_TITLE.search(line.text))
        block = None if junk else next(open_blocks, None)
        if block is None:
            blocks.append([line])
            closed |= {id(blocks[-1])} if junk else set()
        else:
            block.append(line)
    return blocks


def _belongs(block: Sequence[Line], line: Line) -> bool:
    last = block[-1]
    same_size = abs(last.size - line.size) <= 0.06 * last.size
    same_face = last.font.bold == line.font.bold and (
        last.font.name == line.font.name
        or last.font.italic != line.font.italic
        or bool(MONOSPACE.search(line.font.name + last.font.name))
    )
    gap = line.base - last.base
    overlap = min(last.x1, line.x1) - max(last.x0, line.x0)
    return same_size and same_face and -1 < gap < 2.1 * last.size and overlap > 0 and len(block) < 8


def _may_be_title(block: Sequence[Line], height: float) -> bool:
    text = " ".join(line.text for line in block)
    letters = len(LETTERS.findall(text))
    if letters < 5 or letters < 0.5 * len(text.replace(" ", "")) or len(text) > 500:
        return False
    return block[0].base < 0.72 * height and not NOT_A_TITLE.search(text)


def _weight(block: Sequence[Line], height: float) -> float:
    """Type size; reduced for short or low blocks, increased slightly for bold type."""
    text = " ".join(line.text for line in block)
    words = len(text.split())
    weight = block[0].size * (1.06 if block[0].font.bold else 1.0)
    if words < 3:
        weight *= 0.88 if words == 2 else 0.72 if block[0].base > 0.14 * height else 0.42
    if words < 10 and PERIODICAL.search(text) and block[0].base < 0.25 * height:
        weight *= 0.55
    if text.isupper() and words > 2:
        weight *= 1.08
    if block[0].base > 0.45 * height:
        weight *= 0.85
    if re.match(r"\d+(?:\.\d+)*\.? [A-Z]", text):
        weight *= 0.7
    return weight
