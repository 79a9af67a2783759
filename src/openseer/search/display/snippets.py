"""Snippets: the window of a text with most query words, with its page and the words highlighted."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from openseer.search.display.highlight import Highlighter, highlighter_of

MAX_LENGTH, MAX_LEAD = 240, 90
"""Characters of a snippet, and characters before the first query word in which a sentence start is searched."""
WINDOW = MAX_LENGTH - 60
"""Characters within which query words are counted together."""
SENTENCE = re.compile(r"""(?<!\W[A-Z])[.!?]["”’)\]]*\s+(?=["“(]?[^\W\d_a-zß-öø-ÿ])""")
"""Sentence boundary; not after an initial."""
REFERENCE_HEADINGS = tuple(
    f"{before}{name}\n"
    for name in ("References", "REFERENCES", "Bibliography", "BIBLIOGRAPHY", "Literatur", "Références", "Referencias")
    for before in "\n\f"
)
"""Usual headings of the reference list."""
SEARCHED_FIRST, SEARCHED_AT_MOST = 6_000, 60_000
"""Characters of a text that are searched first, and those that are searched if the first lack a word."""
MAX_WORDS = 12
"""Query words that are searched; more take time and give no better snippet."""


@dataclass(frozen=True, slots=True)
class TextSpan:
    """A span of text, highlighted or not."""

    text: str
    highlighted: bool = False


@dataclass(frozen=True, slots=True)
class Snippet:
    """The best window of a text."""

    spans: tuple[TextSpan, ...]
    page: int
    """From 1; 0 if the text has no pages."""

    @property
    def plain(self) -> str:
        """The snippet without highlighting."""
        return "".join(span.text for span in self.spans)


def highlight(text: str, words: Sequence[str]) -> tuple[TextSpan, ...]:
    """The whole text in spans, with the words highlighted."""
    if not words:
        return (TextSpan(text),)
    spans, at = [], 0
    for start, end in highlighter_of(tuple(words)).spans(text):
        if start > at:
            spans.append(TextSpan(text[at:start]))
        spans.append(TextSpan(text[start:end], highlighted=True))
        at = end
    if at < len(text):
        spans.append(TextSpan(text[at:]))
    return tuple(spans)


def snippet(text: str, words: Sequence[str], after: int = 0) -> Snippet | None:
    """The window after a position with most different words; None if no word occurs."""
    if not words or not text:
        return None
    words = words[:MAX_WORDS]
    hit = _best_position(text, highlighter_of(tuple(words)), len(set(words)), after)
    if hit is None:
        return None
    page_start, page_end = max(after, text.rfind("\f", 0, hit) + 1), text.find("\f", hit)
    start, is_cut = _snippet_start(text, hit, page_start)
    stop = page_end if page_end >= 0 else len(text)
    end = _word_end(text, min(max(start + MAX_LENGTH, hit + WINDOW), stop))
    window = " ".join(text[start:end].split())
    spans = highlight(window, words)
    if is_cut:
        spans = (TextSpan("… "), *spans)
    if end < stop and not window.endswith((".", "!", "?")):
        spans = (*spans, TextSpan(" …"))
    return Snippet(spans, page=text.count("\f", 0, hit) + 1)


def _best_position(text: str, highlighter: Highlighter, words: int, after: int) -> int | None:
    """Start of the best window; one in prose beats one in the reference list that has a word more."""
    best = _window(text[after : after + SEARCHED_FIRST], highlighter)
    if (best is None or best[1] < words) and len(text) > after + SEARCHED_FIRST:
        best = _window(text[after : after + SEARCHED_AT_MOST], highlighter)
    if best is None:
        return None
    prose = _end_of_prose(text, after + best[0])
    in_prose = _window(text[after:prose], highlighter) if prose else None
    return after + (in_prose if in_prose and in_prose[1] >= best[1] - 1 else best)[0]


def _end_of_prose(text: str, at: int) -> int:
    """Start of the reference list that contains a position; 0 if it is not in one."""
    early = len(text) // 4
    return max(text.rfind(name, early, at) for name in REFERENCE_HEADINGS) + 1 if at > early else 0


def _snippet_start(text: str, hit: int, floor: int) -> tuple[int, bool]:
    """Start of a sentence shortly before a position, else of a word; and whether it is inside a sentence."""
    near = max(floor, hit - MAX_LEAD)
    sentences = [one.end() for one in SENTENCE.finditer(text, near, hit + 1)]
    if sentences:
        return sentences[-1], False
    return (floor, False) if near == floor else (_word_start(text, max(floor, hit - 60), floor), True)


def _window(text: str, highlighter: Highlighter) -> tuple[int, int] | None:
    """Start of the first window with most different words, and their number."""
    hits = highlighter.positions(text)
    best, most, right = 0, 0, 0
    inside: dict[str, int] = {}
    for left, (start, word) in enumerate(hits):
        while right < len(hits) and hits[right][0] < start + WINDOW:
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
