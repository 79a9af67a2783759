"""Citation markers by number or key: "[3, 5-7]", "(3)", a raised 3, "[LG99]"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from openseer.core.model.extraction import Reference
from openseer.extract.layout.text_stream import STREAM_BREAK, TextStream
from openseer.extract.references.segment import NUMBERED

DASH = "[–—‐‑−-]"
NUMBER_SEPARATOR = rf"(?:\s?(?:[,;]|{DASH}{{1,2}})\s?|e(?=\d))"
"""Separator of two numbers; some fonts encode the dash as "e"."""
NUMBERS = rf"\d{{1,3}}(?:[a-d]?{NUMBER_SEPARATOR}\d{{1,3}})*[a-d]?"
BRACKET = re.compile(
    rf"\[\s?(?:see |cf\.? |e\.g\.,? |vgl\. )?({NUMBERS}),?"
    rf"(?:[,;:]? (?=[A-Za-z]{{3}}|§|(?:pp?|S|c?h)\.)[^\[\]\d]{{1,24}}[^\[\]]{{0,40}})?\s?\]"
    rf"(?:\s?{DASH}\s?\[(\d{{1,3}})\])?"
)
PAREN = re.compile(rf"\((?:see |cf\.? |refs?\.? |reviewed in )?({NUMBERS})\)")
RAISED = re.compile(rf"[\[(]?({NUMBERS}(?:,? \d{{1,3}}(?:{DASH}\d{{1,3}})?)*)[\])]?[,.;:]?")
NUMBER_OR_RANGE = re.compile(rf"(\d{{1,3}})(?:(?:[a-d]?\s?{DASH}{{1,2}}\s?|e(?=\d))(\d{{1,3}}))?")
NUMBER_AFTER_WORD = re.compile(
    rf"(?<=[^\W\d_]{{3}}|[^\W\d_]{{2}}[.,)”’])(\d{{1,3}}(?:(?:,|{DASH})\d{{1,3}})*)(?=[\s,.;:)]|$)"
)
FOOTNOTE_NUMBER = re.compile(r"(\d{1,3})(?=\s?[^\W\d_a-z])")
KEYED = re.compile(r"\[([^\[\]]{2,120})\]")
KEY = re.compile(r"\s*\[([^\]\n]{2,32})\]")
SYMBOL = r"[∈=<>≤≥±×+/^|]"
FORMULA = re.compile(rf"(?:{SYMBOL}|\b(?:range|interval|IQR|CI|median|mean|eqn?s?|equations?)\.?)\s*$", re.I)
COUNTED_NOUN = re.compile(
    rf"(?:{SYMBOL}|\b(?:eqn?s?|equations?|eqs?|figs?|figures?|tables?|tab|sections?|sect?|steps?|formulas?|lemma|theorem|"
    r"nos?|gleichung|formel|abb|schritt|phase|type|class|stage|grade|aim|question|item|hypothesis|line|n|compound|part|"
    r"and|or|to|of|by|the|with|from)\.?)\s*$",
    re.I,
)
"""Words before a number in parentheses that is not a citation."""
UNIT = re.compile(
    r"(?:^|[\s(/·×⋅.])(?:[kcmdnµμ]?m|ft|in|s|min|h|R|r|χ|x|X|χ|[kmµ]?[gL]|kPa|cells?|[A-Za-zα-ω])$|\d$|[−–-]$"
)
MAX_RANGE = 80
"""References in one range."""


class CitationMarker(NamedTuple):
    """A citation marker: stream number, span in its text, and the cited references."""

    stream: int
    start: int
    end: int
    entries: tuple[int, ...]


def entry_numbers(references: Sequence[Reference]) -> tuple[dict[int, int], bool]:
    """Printed number -> entry, and whether numbers are printed; otherwise entries count from 1."""
    printed_numbers: list[int] = []
    for pattern in (*NUMBERED, FOOTNOTE_NUMBER):
        matches = [pattern.match(entry.raw.lstrip()) for entry in references]
        numbers_found = [int(match.group(1)) if match else 0 for match in matches]
        if sum(map(bool, numbers_found)) > sum(map(bool, printed_numbers)):
            printed_numbers = numbers_found
    if 2 * sum(map(bool, printed_numbers)) <= len(references):
        return {number: at for at, number in enumerate(range(1, len(references) + 1))}, False
    numbers: dict[int, int] = {}
    previous = 0
    for at, number in enumerate(printed_numbers):
        previous = number or previous + 1
        if number or previous not in printed_numbers:
            numbers.setdefault(previous, at)
    return numbers, True


def entry_keys(references: Sequence[Reference]) -> dict[str, int]:
    """Printed key -> entry, if most entries have a non-numeric key."""
    keys: dict[str, int] = {}
    for at, entry in enumerate(references):
        found = KEY.match(entry.raw)
        if found and not found.group(1).strip().isdecimal():
            keys.setdefault(_normalise_key(found.group(1)), at)
    return keys if 2 * len(keys) > len(references) else {}


def _normalise_key(key: str) -> str:
    return re.sub(r"[\s.,]+", "", key).lower()


def keyed_markers(texts: Sequence[TextStream], keys: Mapping[str, int]) -> Iterator[CitationMarker]:
    """Markers in brackets that contain keys of entries."""
    for stream, text_stream in enumerate(texts):
        for found in KEYED.finditer(text_stream.text):
            inner = found.group(1)
            parts = [inner] if _normalise_key(inner) in keys else inner.split(";")
            if len(parts) == 1 and _normalise_key(inner) not in keys:
                parts = inner.split(",")
            entries = [keys[key] for part in parts if (key := _normalise_key(part)) in keys]
            if entries:
                yield CitationMarker(stream, found.start(), found.end(), tuple(dict.fromkeys(entries)))


def bracketed_markers(texts: Sequence[TextStream], numbers: Mapping[int, int]) -> Iterator[CitationMarker]:
    """Numbers in square brackets."""
    for stream, text_stream in enumerate(texts):
        text = text_stream.text
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
                yield CitationMarker(stream, start, end, entries)


def _is_index(text: str, start: int) -> bool:
    """True for a bracket right after a single letter, as in a[1]."""
    return text[start - 1 : start].isalpha() and not text[max(0, start - 2) : start - 1].isalpha()


def parenthesised_markers(texts: Sequence[TextStream], numbers: Mapping[int, int]) -> Iterator[CitationMarker]:
    """Numbers in parentheses; an ambiguous one must be the next uncited number."""
    highest = -1
    for stream, text_stream in enumerate(texts):
        text = text_stream.text
        for found in PAREN.finditer(text):
            start, end = found.span()
            entries = _entries(found.group(1), numbers)
            if not entries or COUNTED_NOUN.search(text, max(0, start - 12), start) or text[end : end + 1].isalnum():
                continue
            listed = text[max(0, start - 2) : start].rstrip(" ")[-1:] in tuple(",;:(")
            if _is_unambiguous(text, start, end) or (stream == 0 and not listed and highest + 1 == entries[0] > 0):
                highest = max(highest, *entries) if stream == 0 else highest
                yield CitationMarker(stream, start, end, entries)


def _is_unambiguous(text: str, start: int, end: int) -> bool:
    """True if a number in parentheses follows a word of the sentence instead of a number or stop."""
    before = text[max(0, start - 6) : start]
    if (
        text[end : end + 1] in ("", STREAM_BREAK)
        or text[end : end + 2] == " ="
        or not before.endswith((" ", "]", "”", "’"))
    ):
        return False
    before = before.rstrip(" ")
    return before.endswith(("al.", "]", "”", "’")) or before[-1:].isalpha() or _is_year(text, start - 1)


def raised_markers(texts: Sequence[TextStream], numbers: Mapping[int, int]) -> list[CitationMarker]:
    """Raised numbers, and numbers right after a word, for fonts with raised figures of their own."""
    markers = list(_raised_numbers(texts, numbers))
    return sorted([*markers, *_numbers_after_words(texts[0].text, numbers, markers)])


def _numbers_after_words(
    text: str, numbers: Mapping[int, int], markers: Sequence[CitationMarker]
) -> Iterator[CitationMarker]:
    """Numbers after a word of the body, for references that are not cited otherwise, in citation order."""
    number_of_entry = {entry: number for number, entry in numbers.items()}
    first_offset: dict[int, int] = {}
    for marker in markers:
        for entry in marker.entries:
            first_offset.setdefault(number_of_entry[entry], marker.start if marker.stream == 0 else len(text))
    for found in NUMBER_AFTER_WORD.finditer(text):
        entries, at = _entries(found.group(1), numbers), found.start(1)
        numbers_found = [number_of_entry[entry] for entry in entries]
        if not entries or any(number in first_offset for number in numbers_found):
            continue
        before = [
            first_offset[number] for number in range(numbers_found[0] - 3, numbers_found[0]) if number in first_offset
        ]
        if (before or numbers_found[0] < 3) and max(before, default=0) < at < first_offset.get(
            numbers_found[-1] + 1, len(text)
        ):
            first_offset.update(dict.fromkeys(numbers_found, at))
            yield CitationMarker(0, at, found.end(1), entries)


def _raised_numbers(texts: Sequence[TextStream], numbers: Mapping[int, int]) -> Iterator[CitationMarker]:
    """Raised numbers that are not a power, unit, charge or affiliation marker."""
    for stream, text_stream in enumerate(texts):
        text, starts = text_stream.text, frozenset(text_stream.starts)
        for start, end in text_stream.raised_spans():
            found = RAISED.fullmatch(text, start, end)
            if not found or start in starts or (text[end : end + 1].isalpha() or text[end : end + 1] in ("+", "−")):
                continue
            if UNIT.search(text, max(0, start - 6), start) and not _is_year(text, start):
                continue
            if entries := _entries(found.group(1), numbers):
                yield CitationMarker(stream, start, found.end(1), entries)


def _is_year(text: str, end: int) -> bool:
    return bool(re.search(r"\b(?:1[6-9]|20)\d\d$", text[max(0, end - 5) : end]))


def _entries(printed: str, numbers: Mapping[int, int]) -> tuple[int, ...]:
    """The references of numbers and ranges; empty if most numbers are not in the bibliography."""
    numbers_found: list[int] = []
    for found in NUMBER_OR_RANGE.finditer(printed):
        low, high = int(found.group(1)), int(found.group(2) or found.group(1))
        if low == 0 or not low <= high < low + MAX_RANGE:
            return ()
        numbers_found += range(low, high + 1)
    known = [numbers[number] for number in numbers_found if number in numbers]
    return tuple(dict.fromkeys(known)) if known and 2 * len(known) > len(numbers_found) else ()
