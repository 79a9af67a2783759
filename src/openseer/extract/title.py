"""The title: the largest type near the top of the first page that is no journal's name."""

from __future__ import annotations

import re
from collections.abc import Sequence

from openseer.extract.lines import Line, flow

JUNK = re.compile(
    r"www\.|https?:|^(?:research|original|review|short|brief|regular|full|invited|technical|case|data|software|education(?:al)?)?[- ]?"
    r"(?:article|paper|communication|report|note|letter|study|review)s?$|^open access$|^(?:original|research|review|letters?|editorial|article|opinion|perspective|"
    r"replication|reproduction|r e s c i e n c e c?|re ?science ?c?|master thesis|contents|commentary|correspondence)\b.{0,25}$|"
    r"^(?:international |european |american |the )?journal of |^proceedings of|^transactions |^annals of|^(?:vol|volume|issue|no)\b\.? ?\d|^doi\b|^issn\b|^arxiv|"
    r"^table of contents$|^abstract$|^\W*\d+\W*$|^(?:january|february|march|april|may|june|july|august|september|october|november|december) \d",
    re.I,
)
LETTERS = re.compile(r"[^\W\d_]")


def title_lines(first: Sequence[Line], height: float) -> list[Line]:
    """The lines of the title among those of the first page."""
    blocks = [block for block in _blocks(first) if _may_be_title(block, height)]
    if not blocks:
        return []
    largest = max(_weight(block, height) for block in blocks)
    return next(block for block in blocks if _weight(block, height) == largest)


def title_of(lines: Sequence[Line]) -> str:
    """The title as one string, marks of footnotes taken off its end."""
    text = flow(lines).replace("\x02", "")
    return re.sub(r"\s*[*†‡∗⋆§¶]+\s*$|(?<=[a-z])\s?[12]$", "", text).strip()


def _blocks(lines: Sequence[Line]) -> list[list[Line]]:
    """Lines of one style that stand close together."""
    blocks: list[list[Line]] = []
    for line in lines:
        if line.margin and line.page > 1:
            continue
        if blocks and _belongs(blocks[-1], line):
            blocks[-1].append(line)
        else:
            blocks.append([line])
    return blocks


def _belongs(block: Sequence[Line], line: Line) -> bool:
    last = block[-1]
    if JUNK.search(line.text) or JUNK.search(last.text):
        return False
    same_size = abs(last.size - line.size) <= 0.06 * last.size
    same_face = last.font.bold == line.font.bold and (last.font.name == line.font.name or last.font.italic != line.font.italic)
    gap = line.base - last.base
    return same_size and same_face and -1 < gap < 2.1 * last.size and len(block) < 8


def _may_be_title(block: Sequence[Line], height: float) -> bool:
    text = " ".join(line.text for line in block)
    letters = len(LETTERS.findall(text))
    if letters < 5 or letters < 0.5 * len(text.replace(" ", "")) or len(text) > 500:
        return False
    return block[0].base < 0.72 * height and not JUNK.search(text)


def _weight(block: Sequence[Line], height: float) -> float:
    """Size first; a short or low-standing block must be clearly larger, bold type counts a little."""
    text = " ".join(line.text for line in block)
    words = len(text.split())
    weight = block[0].size * (1.06 if block[0].font.bold else 1.0)
    if words < 3:
        weight *= 0.72 if words == 1 else 0.88
    if text.isupper() and words > 2:
        weight *= 1.08
    if block[0].base > 0.45 * height:
        weight *= 0.85
    if re.match(r"\d+(?:\.\d+)*\.? [A-Z]", text):
        weight *= 0.7
    return weight
