"""String similarity by letters and digits, with bit-parallel Levenshtein distance."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from math import ceil

SPECIAL_LETTERS = str.maketrans(
    {"ﬁ": "fi", "ﬂ": "fl", "ﬀ": "ff", "ﬃ": "ffi", "ﬄ": "ffl", "ß": "ss", "ø": "o", "Ø": "o", "ł": "l", "Ł": "l",
     "đ": "d", "Đ": "d", "ı": "i", "æ": "ae", "Æ": "ae", "œ": "oe"}
)  # fmt: skip
COMMANDS = re.compile(r"\\(?:emph|text\w*|math\w*|em|it|bf)\b")
COMMAND_NAME = re.compile(r"\\([a-zA-Z]+)")
SIMILAR = 0.8
"""Minimum similarity of nearly equal strings."""
NGRAM = 4


def letters(text: object) -> str:
    """Letters and digits in lower case, without accents.

    >>> letters("Schrödinger’s Cat, 2nd ed.")
    'schrodingerscat2nded'
    """
    decomposed = unicodedata.normalize("NFKD", str(text or "").translate(SPECIAL_LETTERS)).lower()
    return "".join(char for char in decomposed if char.isalnum() and not unicodedata.combining(char))


@lru_cache(2**16)
def letters_of_latex(text: str | None) -> str:
    """Letters and digits of a text that may contain LaTeX.

    >>> letters_of_latex(r"An \\emph{odd} $\\alpha$")
    'anoddalpha'
    """
    return letters(COMMAND_NAME.sub(r"\1", COMMANDS.sub("", text or "")))


def similarity(one: str, two: str) -> float:
    """1 - distance / length of the longer; two empty strings are equal.

    >>> similarity("citation", "citations")
    0.8888888888888888
    """
    if not one or not two:
        return float(one == two)
    return 1 - distance(one, two) / max(len(one), len(two))


def similarity_at_least(minimum: float, one: str, two: str) -> float:
    """`similarity`, or 0 if lengths or n-grams alone show that it is below a minimum; much faster."""
    edits = (1 - minimum) * max(len(one), len(two)) + 1e-9
    if abs(len(one) - len(two)) > edits or len(ngrams(one) - ngrams(two)) > NGRAM * edits:
        return 0.0
    return similarity(one, two)


@lru_cache(2**14)
def ngrams(text: str) -> frozenset[str]:
    """Character n-grams; one edit changes at most `NGRAM` of them. A short text is one n-gram."""
    return frozenset(text[at : at + NGRAM] for at in range(max(1, len(text) - NGRAM + 1)))


def distance(one: str, two: str) -> int:
    """Levenshtein distance, bit-parallel (Hyyrö 2003)."""
    rows = _bit_rows(one)
    top = 1 << (len(one) - 1)
    up, down, found = (1 << len(one)) - 1, 0, len(one)
    whole = up
    for char in two:
        here = rows.get(char, 0) | down
        same = (((here & up) + up) ^ up) | here
        rise, fall = down | ~(same | up) & whole, up & same
        found += bool(rise & top) - bool(fall & top)
        rise = (rise << 1 | 1) & whole
        up, down = ((fall << 1) | ~(same | rise)) & whole, rise & same
    return found


def contained(part: str, whole: str, minimum: float = SIMILAR) -> float:
    """Similarity of a string to the most similar window of a longer one, by longest common subsequence.

    Windows at the edges may be shorter. 0 if it is below `minimum`, which saves most of the search.

    >>> contained("citatlon", "acitationindex")
    0.875
    """
    if part in whole:
        return 1.0
    size, rows, best = len(part), _bit_rows(part), 0.0
    end, threshold = size, ceil(minimum * size - 1e-9) - 1
    while end <= len(whole):
        common = _common_length(rows, size, whole[end - size : end])
        if common > threshold:
            threshold, best = common, common / size
        end += threshold - common + 1  # one step changes the common subsequence by one at most
    best = max(best, _prefix_similarity(part, whole[:size]), _prefix_similarity(part[::-1], whole[-size:][::-1]))
    return best if best >= minimum else 0.0


def overlapping(one: str, two: str, minimum: float = SIMILAR) -> float:
    """Similarity of the shorter string to a window of the longer one."""
    short, long = sorted((one, two), key=len)
    found = contained(short, long, minimum)
    return found if len(short) < len(long) else max(found, contained(long, short, minimum))


def _prefix_similarity(part: str, whole: str) -> float:
    """Similarity to the most similar prefix of a string that is no longer than the part."""
    best, rows, size = 0.0, _bit_rows(part), len(part)
    full = left = (1 << size) - 1
    for length, char in enumerate(whole, 1):
        common = left & rows.get(char, 0)
        left = (left + common | left - common) & full
        best = max(best, 2 * (size - left.bit_count()) / (size + length))
    return best


def word_set_similarity(one: str, two: str) -> float:
    """Similarity of two texts as word sets, independent of order and of additional words in one of them.

    >>> word_set_similarity("indexes for science", "science 1955 citation indexes for")
    1.0
    """
    first, second = set(one.split()), set(two.split())
    both = sorted(first & second)
    texts = [" ".join([*both, *sorted(only)]) for only in (set(), first - second, second - first)]
    if not both:
        return _ratio(texts[1], texts[2])
    return max(_ratio(texts[0], texts[1]), _ratio(texts[0], texts[2]), _ratio(texts[1], texts[2]))


def _ratio(one: str, two: str) -> float:
    return 2 * _common_length(_bit_rows(one), len(one), two) / max(1, len(one) + len(two))


def _common_length(rows: dict[str, int], size: int, two: str) -> int:
    """Length of the longest common subsequence."""
    left = (1 << size) - 1
    for char in two:
        common = left & rows.get(char, 0)
        left = (left + common) | (left - common)
    return size - (left & ((1 << size) - 1)).bit_count()


def _bit_rows(text: str) -> dict[str, int]:
    rows: dict[str, int] = {}
    for at, char in enumerate(text):
        rows[char] = rows.get(char, 0) | 1 << at
    return rows
