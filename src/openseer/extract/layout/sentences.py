"""Sentence segmentation of running text, in all supported languages."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from typing import NamedTuple

from openseer.extract.layout.text_stream import STREAM_BREAK

MAX_SENTENCE_LENGTH = 990
"""Characters; a longer sentence is cut around the requested span."""
SENTENCE_END = re.compile(
    r"\n|[。！？]|[.!?…][\"”’»)\]]*(?:\s?\[[\d,;–—\- ]{1,24}\]|(?<=\D\.)[\d,–—-]{1,14})?\s+"
    r"(?=[\"“„«‘(\[¿¡]*(?:[^\W_a-zß-öø-ÿα-ωа-я]|\d))"
)
WORD = re.compile(r"[^\s(\[“„\"]*$")
ABBREVIATION_LIST = """
al etal e.g i.e cf vs resp approx ca viz incl excl est fig figs eq eqs sec secs sect ch chap no nos vol vols pp p ed eds
tab ref refs def thm prop lem cor ex app dr prof mr mrs ms st jr sr inc ltd co corp dept univ int proc conf trans
jan feb mar apr jun jul aug sep sept oct nov dec spp sp var subsp ssp cv sensu
abb abs abschn bd bde bspw bzgl bzw d.h dgl evtl f ff ggf hg hrsg i.d.r inkl insb kap lt max min mind nr rd s s.o s.u
sog str tel u.a u.u usw v.a vgl z.b zit zt z.t ebd aufl
p.ex par env éd ibid op cit loc núm pág págs art cap fl т.е т.д рис табл стр с гл см др
"""
ABBREVIATIONS = frozenset(ABBREVIATION_LIST.split())
INITIALS = re.compile(r"(?:[^\W\d_a-z]\.-?)*[^\W\d_a-z]")
ORDINAL = re.compile(r"\d{1,2}$")
AFTER_ORDINAL = re.compile(
    r"(?:Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember|Jahrhundert|Kapitel|Auflage|"
    r"Klasse|Lebensjahr)"
)


def sentence_starts(text: str) -> list[int]:
    """Start offset of each sentence; a line break ends a sentence.

    >>> text = "As Smith et al. say. So it is."
    >>> [text[at:] for at in sentence_starts(text)]
    ['As Smith et al. say. So it is.', 'So it is.']
    """
    starts = [0]
    for found in SENTENCE_END.finditer(text):
        if found.group() == "\n" or _is_sentence_end(text, found.start(), found.end()):
            starts.append(found.end())
    return starts


def _is_sentence_end(text: str, stop_offset: int, next_offset: int) -> bool:
    """False for the full stop of an abbreviation, an initial or a German ordinal."""
    if text[stop_offset] != ".":
        return True
    match = WORD.search(text, max(0, stop_offset - 16), stop_offset)
    word = match.group() if match else ""
    if INITIALS.fullmatch(word):
        return False
    if (
        len(word) == 1
        and word.isalpha()
        and (text[next_offset].isdigit() or text[next_offset + 1 : next_offset + 2] == ".")
    ):
        return False  # "S. 12", "z. B."
    if ORDINAL.fullmatch(word) and AFTER_ORDINAL.match(text, next_offset):
        return False
    return word.lower() not in ABBREVIATIONS


class QuotedSentence(NamedTuple):
    """A sentence with its neighbours and the span of the requested text in it."""

    text: str
    before: str
    after: str
    span: tuple[int, int]


class Sentences:
    """Sentences of one running text."""

    __slots__ = ("_starts", "_text")

    def __init__(self, text: str) -> None:
        self._text = text
        self._starts = [*sentence_starts(text), len(text)]

    def quote(self, start: int, end: int) -> QuotedSentence:
        """The sentence around a span; a full stop inside the span does not end it."""
        first = bisect_right(self._starts, start) - 1
        if first and self._follows_stop(first, start, end):
            first -= 1
        last = max(first + 1, bisect_left(self._starts, end))
        begin, end_offset = self._starts[first], self._starts[last]
        before = "" if self._text[begin - 1 : begin] in ("", STREAM_BREAK) else self._sentence(first - 1)
        after = "" if self._text[end_offset - 1 : end_offset] in ("", STREAM_BREAK) else self._sentence(last)
        left, right = self._window(begin, end_offset, start, end)
        return QuotedSentence(self._text[left:right], before, after, (start - left, min(end, right) - left))

    def excerpt(self, bounds: tuple[int, int], start: int, end: int) -> QuotedSentence:
        """The text of `bounds` around a span, for text without sentences."""
        left, right = self._window(*bounds, start, end)
        return QuotedSentence(self._text[left:right], "", "", (start - left, min(end, right) - left))

    def _follows_stop(self, first: int, start: int, end: int) -> bool:
        """True if a marker at a sentence start belongs to the previous sentence: ". [3] The next"."""
        low, text = self._starts[first], self._text
        if text[low - 1] == STREAM_BREAK or text[low:start].strip() or text[start].isalpha():
            return False
        after = text[end : end + 3].lstrip(" ")
        return not after or not (after[0].islower() or after[0] in ",;:")

    def _sentence(self, number: int) -> str:
        low, *rest = self._starts[number : number + 2]
        return self._text[low : rest[0]].strip()[:MAX_SENTENCE_LENGTH] if rest else ""

    def _window(self, low: int, high: int, start: int, end: int) -> tuple[int, int]:
        """Bounds of the sentence without white space, or of a part of a very long one around the span."""
        text = self._text
        while low < start and text[low].isspace():
            low += 1
        while high > end and text[high - 1].isspace():
            high -= 1
        if high - low <= MAX_SENTENCE_LENGTH:
            return low, high
        end = min(end, start + MAX_SENTENCE_LENGTH // 2)
        margin = (MAX_SENTENCE_LENGTH - (end - start)) // 2
        left, right = max(low, start - margin), min(high, end + margin)
        if left > low:
            left = text.find(" ", left, start) + 1 or left
        if right < high:
            right = max(end, text.rfind(" ", end, right))
        return left, right
