"""How alike two strings are: by letters and digits alone, with Levenshtein's distance on whole numbers as bit rows."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from math import ceil

SPECIAL = str.maketrans(
    {"ﬁ": "fi", "ﬂ": "fl", "ﬀ": "ff", "ﬃ": "ffi", "ﬄ": "ffl", "ß": "ss", "ø": "o", "Ø": "o", "ł": "l", "Ł": "l",
     "đ": "d", "Đ": "d", "ı": "i", "æ": "ae", "Æ": "ae", "œ": "oe"}
)  # fmt: skip
COMMANDS = re.compile(r"\\(?:emph|text\w*|math\w*|em|it|bf)\b")
NAMED = re.compile(r"\\([a-zA-Z]+)")
ALIKE = 0.8
"""What counts as nearly the same."""
PIECE = 4


def letters(text: object) -> str:
    """Letters and digits in lower case, without accents.

    >>> letters("Schrödinger’s Cat, 2nd ed.")
    'schrodingerscat2nded'
    """
    spread = unicodedata.normalize("NFKD", str(text or "").translate(SPECIAL)).lower()
    return "".join(sign for sign in spread if sign.isalnum() and not unicodedata.combining(sign))


@lru_cache(2**16)
def untexed(text: str | None) -> str:
    """The letters of a text that may hold LaTeX.

    >>> untexed(r"An \\emph{odd} $\\alpha$")
    'anoddalpha'
    """
    return letters(NAMED.sub(r"\1", COMMANDS.sub("", text or "")))


def similarity(one: str, two: str) -> float:
    """1 - distance / length of the longer; two empty strings are alike.

    >>> similarity("citation", "citations")
    0.8888888888888888
    """
    if not one or not two:
        return float(one == two)
    return 1 - distance(one, two) / max(len(one), len(two))


def similarity_at_least(least: float, one: str, two: str) -> float:
    """As likeness, but 0 where lengths or pieces alone rule out that it is so much: spares most of the work."""
    edits = (1 - least) * max(len(one), len(two)) + 1e-9
    if abs(len(one) - len(two)) > edits or len(pieces(one) - pieces(two)) > PIECE * edits:
        return 0.0
    return similarity(one, two)


@lru_cache(2**14)
def pieces(text: str) -> frozenset[str]:
    """Every run of some signs, of which an edit changes no more than it has signs; a short text is one piece."""
    return frozenset(text[at : at + PIECE] for at in range(max(1, len(text) - PIECE + 1)))


def distance(one: str, two: str) -> int:
    """Levenshtein's distance, a whole row of the table at once (Hyyrö 2003)."""
    rows = _places(one)
    top = 1 << (len(one) - 1)
    up, down, found = (1 << len(one)) - 1, 0, len(one)
    whole = up
    for sign in two:
        here = rows.get(sign, 0) | down
        same = (((here & up) + up) ^ up) | here
        rise, fall = down | ~(same | up) & whole, up & same
        found += bool(rise & top) - bool(fall & top)
        rise = (rise << 1 | 1) & whole
        up, down = ((fall << 1) | ~(same | rise)) & whole, rise & same
    return found


def contained(part: str, whole: str, least: float = ALIKE) -> float:
    """How well a string is found inside a longer one: the likest window of its length, by common subsequence; windows
    at the edges may be shorter. 0 where that is below `least`, which spares most of the search.

    >>> contained("citatlon", "acitationindex")
    0.875
    """
    if part in whole:
        return 1.0
    size, rows, best = len(part), _places(part), 0.0
    end, most = size, ceil(least * size - 1e-9) - 1
    while end <= len(whole):
        met = _common(rows, size, whole[end - size : end])
        if met > most:
            most, best = met, met / size
        end += most - met + 1  # one step along changes what is common by one at most
    best = max(best, _at_start(part, whole[:size]), _at_start(part[::-1], whole[-size:][::-1]))
    return best if best >= least else 0.0


def overlapping(one: str, two: str, least: float = ALIKE) -> float:
    """How well the shorter of two strings is found inside the other."""
    short, long = sorted((one, two), key=len)
    found = contained(short, long, least)
    return found if len(short) < len(long) else max(found, contained(long, short, least))


def _at_start(part: str, whole: str) -> float:
    """The likest of all beginnings of a string that is no longer than the part."""
    best, rows, size = 0.0, _places(part), len(part)
    full = left = (1 << size) - 1
    for length, sign in enumerate(whole, 1):
        met = left & rows.get(sign, 0)
        left = (left + met | left - met) & full
        best = max(best, 2 * (size - left.bit_count()) / (size + length))
    return best


def same_words(one: str, two: str) -> float:
    """How alike two texts are by their words, whatever the order and however much longer one of them is.

    >>> same_words("indexes for science", "science 1955 citation indexes for")
    1.0
    """
    first, second = set(one.split()), set(two.split())
    both = sorted(first & second)
    texts = [" ".join([*both, *sorted(only)]) for only in (set(), first - second, second - first)]
    if not both:
        return _ratio(texts[1], texts[2])
    return max(_ratio(texts[0], texts[1]), _ratio(texts[0], texts[2]), _ratio(texts[1], texts[2]))


def _ratio(one: str, two: str) -> float:
    return 2 * _common(_places(one), len(one), two) / max(1, len(one) + len(two))


def _common(rows: dict[str, int], size: int, two: str) -> int:
    """Length of the longest common subsequence."""
    left = (1 << size) - 1
    for sign in two:
        met = left & rows.get(sign, 0)
        left = (left + met) | (left - met)
    return size - (left & ((1 << size) - 1)).bit_count()


def _places(text: str) -> dict[str, int]:
    rows: dict[str, int] = {}
    for at, sign in enumerate(text):
        rows[sign] = rows.get(sign, 0) | 1 << at
    return rows
