"""Printed numbers of lists and headings: counters by level, and number formats."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

ROMAN = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"),
    (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip
BULLET = "•"
PLACE = re.compile(r"%(\d)")
MAX_LEVELS = 10


@dataclass(frozen=True, slots=True)
class ListLevel:
    """Numbering of one level."""

    form: str = "decimal"
    """decimal, lowerLetter, upperLetter, lowerRoman, upperRoman, bullet or none."""
    pattern: str = ""
    """The printed text with %1 for the number of the first level, and so on."""
    start: int = 1


@dataclass(slots=True)
class ListCounter:
    """Numbers of one list."""

    levels: dict[int, ListLevel]
    """By level, from 0."""
    _counts: dict[int, int] = field(default_factory=dict)

    def next_marker(self, level: int) -> str:
        """Number of the next item of a level; the deeper levels begin anew."""
        level = max(0, min(level, MAX_LEVELS - 1))
        known = self.levels.get(level, ListLevel())
        self._counts[level] = self._counts.get(level, known.start - 1) + 1
        for deeper in range(level + 1, MAX_LEVELS):
            self._counts.pop(deeper, None)
        if known.form == "bullet":
            return BULLET
        if known.form == "none" and not known.pattern:
            return ""
        return PLACE.sub(lambda place: self._number(int(place[1]) - 1), known.pattern).strip()

    def _number(self, level: int) -> str:
        known = self.levels.get(level, ListLevel())
        return number_text(self._counts.get(level, known.start), known.form)


def number_text(number: int, form: str) -> str:
    """A number in a number format.

    >>> number_text(4, "lowerRoman"), number_text(28, "upperLetter")
    ('iv', 'BB')
    """
    if form in ("lowerLetter", "upperLetter") and number > 0:
        letter = chr(ord("a") + (number - 1) % 26) * min(1 + (number - 1) // 26, 20)
        return letter if form == "lowerLetter" else letter.upper()
    if form in ("lowerRoman", "upperRoman") and 0 < number < 5000:
        text = ""
        for value, letters in ROMAN:
            text += letters * (number // value)
            number %= value
        return text if form == "lowerRoman" else text.upper()
    return "" if form == "none" else str(number)
