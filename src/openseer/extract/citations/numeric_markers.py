"""Marks that lead to the bibliography by number or key: "[3, 5-7]", "(3)", a raised 3, "[LG99]"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from openseer.core.model.extraction import Reference
from openseer.extract.layout.text_stream import STREAM_BREAK, TextStream
from openseer.extract.references.segment import NUMBERED

DASH = "[–—‐‑−-]"
NEXT = rf"(?:\s?(?:[,;]|{DASH}{{1,2}})\s?|e(?=\d))"
"""Between two numbers; some fonts call their dash "e"."""
NUMBERS = rf"\d{{1,3}}(?:[a-d]?{NEXT}\d{{1,3}})*[a-d]?"
BRACKET = re.compile(
    rf"\[\s?(?:see |cf\.? |e\.g\.,? |vgl\. )?({NUMBERS}),?"
    rf"(?:[,;:]? (?=[A-Za-z]{{3}}|§|(?:pp?|S|c?h)\.)[^\[\]\d]{{1,24}}[^\[\]]{{0,40}})?\s?\]"
    rf"(?:\s?{DASH}\s?\[(\d{{1,3}})\])?"
)
PAREN = re.compile(rf"\((?:see |cf\.? |refs?\.? |reviewed in )?({NUMBERS})\)")
RAISED = re.compile(rf"[\[(]?({NUMBERS}(?:,? \d{{1,3}}(?:{DASH}\d{{1,3}})?)*)[\])]?[,.;:]?")
ITEM = re.compile(rf"(\d{{1,3}})(?:(?:[a-d]?\s?{DASH}{{1,2}}\s?|e(?=\d))(\d{{1,3}}))?")
GLUED = re.compile(rf"(?<=[^\W\d_]{{3}}|[^\W\d_]{{2}}[.,)”’])(\d{{1,3}}(?:(?:,|{DASH})\d{{1,3}})*)(?=[\s,.;:)]|$)")
NOTE = re.compile(r"(\d{1,3})(?=\s?[^\W\d_a-z])")
"""The number of a footnote."""
KEYED = re.compile(r"\[([^\[\]]{2,120})\]")
KEY = re.compile(r"\s*\[([^\]\n]{2,32})\]")
SYMBOL = r"[∈=<>≤≥±×+/^|]"
FORMULA = re.compile(rf"(?:{SYMBOL}|\b(?:range|interval|IQR|CI|median|mean|eqn?s?|equations?)\.?)\s*$", re.I)
COUNTED = re.compile(
    rf"(?:{SYMBOL}|\b(?:eqn?s?|equations?|eqs?|figs?|figures?|tables?|tab|sections?|sect?|steps?|formulas?|lemma|theorem|"
    r"nos?|gleichung|formel|abb|schritt|phase|type|class|stage|grade|aim|question|item|hypothesis|line|n|compound|part|"
    r"and|or|to|of|by|the|with|from)\.?)\s*$",
    re.I,
)
"""What stands before a number in parentheses that is no citation."""
UNIT = re.compile(
    r"(?:^|[\s(/·×⋅.])(?:[kcmdnµμ]?m|ft|in|s|min|h|R|r|χ|x|X|χ|[kmµ]?[gL]|kPa|cells?|[A-Za-zα-ω])$|\d$|[−–-]$"
)
WIDEST = 80
"""A range that names more entries than this is no range."""


class Mark(NamedTuple):
    """One mention: where it stands in which running text, and the entries it leads to."""

    stream: int
    start: int
    end: int
    entries: tuple[int, ...]


def numbers_of(references: Sequence[Reference]) -> tuple[dict[int, int], bool]:
    """Printed number -> entry, and whether numbers are printed; where they are not, entries count from 1."""
    best: list[int] = []
    for pattern in (*NUMBERED, NOTE):
        found = [pattern.match(entry.raw.lstrip()) for entry in references]
        printed = [int(match.group(1)) if match else 0 for match in found]
        if sum(map(bool, printed)) > sum(map(bool, best)):
            best = printed
    if 2 * sum(map(bool, best)) <= len(references):
        return {number: at for at, number in enumerate(range(1, len(references) + 1))}, False
    numbers: dict[int, int] = {}
    last = 0
    for at, number in enumerate(best):
        last = number or last + 1
        if number or last not in best:
            numbers.setdefault(last, at)
    return numbers, True


def keys_of(references: Sequence[Reference]) -> dict[str, int]:
    """Printed key -> entry, where most entries have one that is no number."""
    keys: dict[str, int] = {}
    for at, entry in enumerate(references):
        found = KEY.match(entry.raw)
        if found and not found.group(1).strip().isdecimal():
            keys.setdefault(_bare(found.group(1)), at)
    return keys if 2 * len(keys) > len(references) else {}


def _bare(key: str) -> str:
    return re.sub(r"[\s.,]+", "", key).lower()


def keyed(texts: Sequence[TextStream], keys: Mapping[str, int]) -> Iterator[Mark]:
    """Brackets whose parts are keys of entries."""
    for stream, running in enumerate(texts):
        for found in KEYED.finditer(running.text):
            inner = found.group(1)
            parts = [inner] if _bare(inner) in keys else inner.split(";")
            if len(parts) == 1 and _bare(inner) not in keys:
                parts = inner.split(",")
            entries = [keys[bare] for part in parts if (bare := _bare(part)) in keys]
            if entries:
                yield Mark(stream, found.start(), found.end(), tuple(dict.fromkeys(entries)))


def bracketed(texts: Sequence[TextStream], numbers: Mapping[int, int]) -> Iterator[Mark]:
    """Numbers in square brackets."""
    for stream, running in enumerate(texts):
        text = running.text
        for found in BRACKET.finditer(text):
            start, end = found.span()
            if (
                text[end : end + 1].isalnum()
                or _is_index(text, start)
                or FORMULA.search(text, max(0, start - 12), start)
            ):
                continue
            inner = f"{found.group(1)}-{found.group(2)}" if found.group(2) else found.group(1)
            if entries := _entries(inner, numbers):
                yield Mark(stream, start, end, entries)


def _is_index(text: str, start: int) -> bool:
    """Whether a bracket is glued to a single letter, as in a[1]."""
    return text[start - 1 : start].isalpha() and not text[max(0, start - 2) : start - 1].isalpha()


def in_parentheses(texts: Sequence[TextStream], numbers: Mapping[int, int]) -> Iterator[Mark]:
    """Numbers in parentheses; one that may as well be a share or a case of a list must be the next to be mentioned."""
    highest = -1
    for stream, running in enumerate(texts):
        text = running.text
        for found in PAREN.finditer(text):
            start, end = found.span()
            entries = _entries(found.group(1), numbers)
            if not entries or COUNTED.search(text, max(0, start - 12), start) or text[end : end + 1].isalnum():
                continue
            listed = text[max(0, start - 2) : start].rstrip(" ")[-1:] in tuple(",;:(")
            if _is_clear(text, start, end) or (stream == 0 and not listed and highest + 1 == entries[0] > 0):
                highest = max(highest, *entries) if stream == 0 else highest
                yield Mark(stream, start, end, entries)


def _is_clear(text: str, start: int, end: int) -> bool:
    """Whether a number in parentheses follows a word of the sentence, and no number or stop."""
    before = text[max(0, start - 6) : start]
    if (
        text[end : end + 1] in ("", STREAM_BREAK)
        or text[end : end + 2] == " ="
        or not before.endswith((" ", "]", "”", "’"))
    ):
        return False
    before = before.rstrip(" ")
    return before.endswith(("al.", "]", "”", "’")) or before[-1:].isalpha() or _is_year(text, start - 1)


def raised(texts: Sequence[TextStream], numbers: Mapping[int, int]) -> list[Mark]:
    """Numbers above the line; and those glued to a word, where fonts have raised figures of their own."""
    marks = list(_above(texts, numbers))
    return sorted([*marks, *_glued(texts[0].text, numbers, marks)])


def _glued(text: str, numbers: Mapping[int, int], marks: Sequence[Mark]) -> Iterator[Mark]:
    """Numbers behind a word of the body, of entries that nothing else leads to, where their turn is."""
    printed = {entry: number for number, entry in numbers.items()}
    first: dict[int, int] = {}
    for mark in marks:
        for entry in mark.entries:
            first.setdefault(printed[entry], mark.start if mark.stream == 0 else len(text))
    for found in GLUED.finditer(text):
        entries, at = _entries(found.group(1), numbers), found.start(1)
        wanted = [printed[entry] for entry in entries]
        if not entries or any(number in first for number in wanted):
            continue
        before = [first[number] for number in range(wanted[0] - 3, wanted[0]) if number in first]
        if (before or wanted[0] < 3) and max(before, default=0) < at < first.get(wanted[-1] + 1, len(text)):
            first.update(dict.fromkeys(wanted, at))
            yield Mark(0, at, found.end(1), entries)


def _above(texts: Sequence[TextStream], numbers: Mapping[int, int]) -> Iterator[Mark]:
    """Numbers in small type above the line that are no power, unit, charge or mark of an affiliation."""
    for stream, running in enumerate(texts):
        text, starts = running.text, frozenset(running.starts)
        for start, end in running.raised():
            found = RAISED.fullmatch(text, start, end)
            if not found or start in starts or (text[end : end + 1].isalpha() or text[end : end + 1] in ("+", "−")):
                continue
            if UNIT.search(text, max(0, start - 6), start) and not _is_year(text, start):
                continue
            if entries := _entries(found.group(1), numbers):
                yield Mark(stream, start, found.end(1), entries)


def _is_year(text: str, end: int) -> bool:
    return bool(re.search(r"\b(?:1[6-9]|20)\d\d$", text[max(0, end - 5) : end]))


def _entries(printed: str, numbers: Mapping[int, int]) -> tuple[int, ...]:
    """The entries that numbers and ranges name; none when most of them are not in the bibliography."""
    wanted: list[int] = []
    for found in ITEM.finditer(printed):
        low, high = int(found.group(1)), int(found.group(2) or found.group(1))
        if low == 0 or not low <= high < low + WIDEST:
            return ()
        wanted += range(low, high + 1)
    known = [numbers[number] for number in wanted if number in numbers]
    return tuple(dict.fromkeys(known)) if known and 2 * len(known) > len(wanted) else ()
