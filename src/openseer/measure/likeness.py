"""How alike two strings are: by letters and digits alone, with Levenshtein's distance on whole numbers as bit rows."""

from __future__ import annotations

import re
import unicodedata

SPECIAL = str.maketrans(
    {"ﬁ": "fi", "ﬂ": "fl", "ﬀ": "ff", "ﬃ": "ffi", "ﬄ": "ffl", "ß": "ss", "ø": "o", "Ø": "o", "ł": "l", "Ł": "l",
     "đ": "d", "Đ": "d", "ı": "i", "æ": "ae", "Æ": "ae", "œ": "oe"}
)  # fmt: skip
COMMANDS = re.compile(r"\\(?:emph|text\w*|math\w*|em|it|bf)\b")
NAMED = re.compile(r"\\([a-zA-Z]+)")
ALIKE = 0.8
"""What counts as nearly the same."""


def letters(text: object) -> str:
    """Letters and digits in lower case, without accents.

    >>> letters("Schrödinger’s Cat, 2nd ed.")
    'schrodingerscat2nded'
    """
    spread = unicodedata.normalize("NFKD", str(text or "").translate(SPECIAL)).lower()
    return "".join(sign for sign in spread if sign.isalnum() and not unicodedata.combining(sign))


def untexed(text: str | None) -> str:
    """The letters of a text that may hold LaTeX.

    >>> untexed(r"An \\emph{odd} $\\alpha$")
    'anoddalpha'
    """
    return letters(NAMED.sub(r"\1", COMMANDS.sub("", text or "")))


def likeness(one: str, two: str) -> float:
    """1 - distance / length of the longer; two empty strings are alike.

    >>> likeness("citation", "citations")
    0.8888888888888888
    """
    if not one or not two:
        return float(one == two)
    return 1 - distance(one, two) / max(len(one), len(two))


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


def contained(part: str, whole: str) -> float:
    """How well a string is found inside a longer one: the likest window of its length, by common subsequence."""
    if part in whole:
        return 1.0
    pieces = {part[at : at + 3] for at in range(len(part) - 2)}
    if sum(piece in whole for piece in pieces) < 0.3 * len(pieces):
        return 0.0  # too few pieces for ALIKE: spares the search
    rows, best, size = _places(part), 0.0, len(part)
    for end in range(1, len(whole) + size):
        window = whole[max(0, end - size) : end]
        best = max(best, 2 * _common(rows, size, window) / (size + len(window)))
    return best


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
