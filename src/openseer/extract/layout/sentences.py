"""Running text becomes sentences: where each begins, in the languages we read."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from typing import NamedTuple

from openseer.extract.layout.text_stream import BREAK

LONGEST = 990
"""A sentence is cut to this many characters round the place that is asked for."""
END = re.compile(
    r"\n|[。！？]|[.!?…][\"”’»)\]]*(?:\s?\[[\d,;–—\- ]{1,24}\]|(?<=\D\.)[\d,–—-]{1,14})?\s+"
    r"(?=[\"“„«‘(\[¿¡]*(?:[^\W_a-zß-öø-ÿα-ωа-я]|\d))"
)
WORD = re.compile(r"[^\s(\[“„\"]*$")
SHORT_FORMS = """
al etal e.g i.e cf vs resp approx ca viz incl excl est fig figs eq eqs sec secs sect ch chap no nos vol vols pp p ed eds
tab ref refs def thm prop lem cor ex app dr prof mr mrs ms st jr sr inc ltd co corp dept univ int proc conf trans
jan feb mar apr jun jul aug sep sept oct nov dec spp sp var subsp ssp cv sensu
abb abs abschn bd bde bspw bzgl bzw d.h dgl evtl f ff ggf hg hrsg i.d.r inkl insb kap lt max min mind nr rd s s.o s.u
sog str tel u.a u.u usw v.a vgl z.b zit zt z.t ebd aufl
p.ex par env éd ibid op cit loc núm pág págs art cap fl т.е т.д рис табл стр с гл см др
"""
ABBREVIATIONS = frozenset(SHORT_FORMS.split())
INITIALS = re.compile(r"(?:[^\W\d_a-z]\.-?)*[^\W\d_a-z]")
ORDINAL = re.compile(r"\d{1,2}$")
AFTER_ORDINAL = re.compile(
    r"(?:Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember|Jahrhundert|Kapitel|Auflage|"
    r"Klasse|Lebensjahr)"
)


def sentence_starts(text: str) -> list[int]:
    """Where each sentence begins; a line break is an end.

    >>> text = "As Smith et al. say. So it is."
    >>> [text[at:] for at in sentence_starts(text)]
    ['As Smith et al. say. So it is.', 'So it is.']
    """
    starts = [0]
    for found in END.finditer(text):
        if found.group() == "\n" or _ends(text, found.start(), found.end()):
            starts.append(found.end())
    return starts


def _ends(text: str, stop: int, after: int) -> bool:
    """Whether a full stop ends a sentence, not an abbreviation, an initial or a German ordinal."""
    if text[stop] != ".":
        return True
    match = WORD.search(text, max(0, stop - 16), stop)
    word = match.group() if match else ""
    if INITIALS.fullmatch(word):
        return False
    if len(word) == 1 and word.isalpha() and (text[after].isdigit() or text[after + 1 : after + 2] == "."):
        return False  # "S. 12", "z. B."
    if ORDINAL.fullmatch(word) and AFTER_ORDINAL.match(text, after):
        return False
    return word.lower() not in ABBREVIATIONS


class Quote(NamedTuple):
    """A sentence, its neighbours, and where in it the piece stands that was asked for."""

    text: str
    before: str
    after: str
    at: tuple[int, int]


class Sentences:
    """The sentences of one running text."""

    __slots__ = ("_starts", "_text")

    def __init__(self, text: str) -> None:
        self._text = text
        self._starts = [*sentence_starts(text), len(text)]

    def quote(self, start: int, end: int) -> Quote:
        """The sentence that holds this piece; one that a full stop inside the piece seems to end goes on."""
        first = bisect_right(self._starts, start) - 1
        if first and self._is_behind(first, start, end):
            first -= 1
        last = max(first + 1, bisect_left(self._starts, end))
        low, high = self._starts[first], self._starts[last]
        before = "" if self._text[low - 1 : low] in ("", BREAK) else self._sentence(first - 1)
        after = "" if self._text[high - 1 : high] in ("", BREAK) else self._sentence(last)
        left, right = self._window(low, high, start, end)
        return Quote(self._text[left:right], before, after, (start - left, min(end, right) - left))

    def piece(self, span: tuple[int, int], start: int, end: int) -> Quote:
        """What stands there, where there are no sentences."""
        left, right = self._window(*span, start, end)
        return Quote(self._text[left:right], "", "", (start - left, min(end, right) - left))

    def _is_behind(self, first: int, start: int, end: int) -> bool:
        """Whether a mark that seems to begin a sentence stands behind the one before: ". [3] The next"."""
        low, text = self._starts[first], self._text
        if text[low - 1] == BREAK or text[low:start].strip() or text[start].isalpha():
            return False
        after = text[end : end + 3].lstrip(" ")
        return not after or not (after[0].islower() or after[0] in ",;:")

    def _sentence(self, number: int) -> str:
        low, *rest = self._starts[number : number + 2]
        return self._text[low : rest[0]].strip()[:LONGEST] if rest else ""

    def _window(self, low: int, high: int, start: int, end: int) -> tuple[int, int]:
        """The sentence without white at its ends, or of a very long one the words round the piece."""
        text = self._text
        while low < start and text[low].isspace():
            low += 1
        while high > end and text[high - 1].isspace():
            high -= 1
        if high - low <= LONGEST:
            return low, high
        end = min(end, start + LONGEST // 2)
        room = (LONGEST - (end - start)) // 2
        left, right = max(low, start - room), min(high, end + room)
        if left > low:
            left = text.find(" ", left, start) + 1 or left
        if right < high:
            right = max(end, text.rfind(" ", end, right))
        return left, right
