"""Snippets: the piece of a text that shows why it was found, with its page and the words marked."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from openseer.search.display.highlight import Highlighter, highlighter_of

LENGTH, BEFORE = 240, 90
"""Characters of a snippet, and those before the first word in which a beginning is looked for."""
REACH = LENGTH - 60
"""Characters in which the words are looked for together."""
SENTENCE = re.compile(r"""(?<!\W[A-Z])[.!?]["”’)\]]*\s+(?=["“(]?[^\W\d_a-zß-öø-ÿ])""")
"""Between two sentences; not after an initial."""
LAST_PARTS = tuple(
    f"{before}{name}\n"
    for name in ("References", "REFERENCES", "Bibliography", "BIBLIOGRAPHY", "Literatur", "Références", "Referencias")
    for before in "\n\f"
)
"""How lists of references are headed, mostly."""
FIRST_LOOK, LOOKED_AT = 6_000, 60_000
"""Characters of a text in which a snippet is looked for: all of them only if the first lack a word."""
MOST_WORDS = 12
"""Words that are looked for; more cost time and show nothing better."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text, marked or not."""

    text: str
    marked: bool = False


@dataclass(frozen=True, slots=True)
class Snippet:
    """The best window of a text."""

    pieces: tuple[Piece, ...]
    page: int
    """From 1; 0 when the text has no pages."""

    @property
    def plain(self) -> str:
        """Without marks."""
        return "".join(piece.text for piece in self.pieces)


def mark(text: str, words: Sequence[str]) -> tuple[Piece, ...]:
    """The whole text in pieces, the words marked."""
    if not words:
        return (Piece(text),)
    pieces, at = [], 0
    for start, end in highlighter_of(tuple(words)).marked(text):
        if start > at:
            pieces.append(Piece(text[at:start]))
        pieces.append(Piece(text[start:end], marked=True))
        at = end
    if at < len(text):
        pieces.append(Piece(text[at:]))
    return tuple(pieces)


def snippet(text: str, words: Sequence[str], after: int = 0) -> Snippet | None:
    """The window with the most different words past a place; None when there is none of them."""
    if not words or not text:
        return None
    words = words[:MOST_WORDS]
    hit = _hit(text, highlighter_of(tuple(words)), len(set(words)), after)
    if hit is None:
        return None
    page_start, page_end = max(after, text.rfind("\f", 0, hit) + 1), text.find("\f", hit)
    start, cut = _start(text, hit, page_start)
    stop = page_end if page_end >= 0 else len(text)
    end = _word_end(text, min(max(start + LENGTH, hit + REACH), stop))
    window = " ".join(text[start:end].split())
    pieces = mark(window, words)
    if cut:
        pieces = (Piece("… "), *pieces)
    if end < stop and not window.endswith((".", "!", "?")):
        pieces = (*pieces, Piece(" …"))
    return Snippet(pieces, page=text.count("\f", 0, hit) + 1)


def _hit(text: str, wanted: Highlighter, words: int, after: int) -> int | None:
    """Where the best window begins; one in prose is worth as much as one among references with a word more."""
    best = _window(text[after : after + FIRST_LOOK], wanted)
    if (best is None or best[1] < words) and len(text) > after + FIRST_LOOK:
        best = _window(text[after : after + LOOKED_AT], wanted)
    if best is None:
        return None
    prose = _end_of_prose(text, after + best[0])
    instead = _window(text[after:prose], wanted) if prose else None
    return after + (instead if instead and instead[1] >= best[1] - 1 else best)[0]


def _end_of_prose(text: str, at: int) -> int:
    """Where the references begin that a place stands in, 0 if it stands in none."""
    early = len(text) // 4
    return max(text.rfind(name, early, at) for name in LAST_PARTS) + 1 if at > early else 0


def _start(text: str, hit: int, floor: int) -> tuple[int, bool]:
    """Where a sentence begins shortly before a place, or else a word; and whether that is within a sentence."""
    near = max(floor, hit - BEFORE)
    sentences = [one.end() for one in SENTENCE.finditer(text, near, hit + 1)]
    if sentences:
        return sentences[-1], False
    return (floor, False) if near == floor else (_word_start(text, max(floor, hit - 60), floor), True)


def _window(text: str, wanted: Highlighter) -> tuple[int, int] | None:
    """Where the window with the most different words begins, the earliest of equals, and how many it has."""
    hits = wanted.places(text)
    best, most, right = 0, 0, 0
    inside: dict[str, int] = {}
    for left, (start, word) in enumerate(hits):
        while right < len(hits) and hits[right][0] < start + REACH:
            inside[hits[right][1]] = inside.get(hits[right][1], 0) + 1
            right += 1
        if len(inside) > most:
            best, most = left, len(inside)
        inside[word] -= 1
        if not inside[word]:
            del inside[word]
    return (hits[best][0], most) if hits else None


def _word_start(text: str, at: int, floor: int) -> int:
    while at > floor and not text[at - 1].isspace() and at > 0:
        at -= 1
    return at


def _word_end(text: str, at: int) -> int:
    stop = min(len(text), at + 30)
    while at < stop and not text[at].isspace():
        at += 1
    return at
