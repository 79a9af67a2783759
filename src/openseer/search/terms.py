"""Words as ranking sees them: lower case, no accents, English endings off, small words left out, each as a number."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable

import Stemmer
from xxhash import xxh32_intdigest

from openseer.core.text.cjk_bigrams import with_bigrams
from openseer.core.text.spelling_variants import american

_SMALL = """
a about above across actually after afterwards again against all almost alone along already also although always
am among amongst an and another any anybody anyone anything anywhere are around as aside at away be became
because become becomes been before beforehand behind being below beside besides between beyond both but by came
can cannot certain clearly come comes concerning could currently described did do does doing done down during
each eg either else elsewhere enough entirely especially et etc even ever every everyone everything everywhere
ex except far few for formerly from further furthermore gave get gets getting give given gives giving go goes
going gone got had happens hardly has have having he hence her here hereby herein him his how however i ie if in
inasmuch indeed indicate indicated indicates insofar instead into is it its itself just keep kept know knows
largely later least less let like likely made mainly make makes many may maybe me meanwhile merely might more
moreover most mostly much must my namely nearly need needs neither never nevertheless no nobody none nor not
nothing now nowhere obtain obtained of off often oh on once one ones only onto or other others otherwise ought
our ours out over overall own particular particularly per perhaps placed please possible presumably probably
provided provides quite rather really recently regarding regardless relatively respectively said same saw say
saying says see seem seemed seeming seems seen several shall she should since so some somebody somehow someone
something sometime sometimes somewhat somewhere still such take taken tell than that the their theirs them then
thence there thereafter thereby therefore therein these they this those though through throughout thru thus to
together too took toward towards tried truly try trying under unless until up upon us use used uses using
usually various very via was way we well went were what whatever when whence whenever where whereas whereby
wherein wherever whether which while who whoever whom whose why will with within without would yet you your
yours
"""
SMALL = frozenset(_SMALL.split())
"""Words that say how a question is put, not what it is about."""
TOKEN = re.compile(r"[^\W_]+")
KEPT = 200_000
"""Words whose number is remembered."""

_stemmer = Stemmer.Stemmer("english", 0)


class Remembered(dict[str, int]):
    """Word -> number, reckoned when first asked."""

    def __init__(self, reckon: Callable[[str], int]) -> None:
        super().__init__()
        self._reckon = reckon

    def __missing__(self, word: str) -> int:
        if len(self) >= KEPT:
            self.clear()
        found = self[word] = self._reckon(word)
        return found


def stem(word: str) -> str:
    """A word without its English ending; equal to what the index keeps of it."""
    return str(_stemmer.stemWord(word))


def hashed(text: str) -> int:
    """The number of a text as it stands; never 0."""
    return xxh32_intdigest(text.encode()) or 1


def words_of(text: str) -> list[str]:
    """The words of a text, folded."""
    text = text.lower()
    if text.isascii():
        return TOKEN.findall(text)
    text = "".join(c for c in unicodedata.normalize("NFKD", text) if unicodedata.category(c) != "Mn")
    return TOKEN.findall(with_bigrams(text))


def _number(word: str) -> int:
    is_small = word in SMALL or (len(word) == 1 and word.isascii() and not word.isdigit())
    return 0 if is_small else hashed(stem(american(word)))


def _name(word: str) -> int:
    return hashed(word) if len(word) > 1 else 0


NUMBERS = Remembered(_number)
"""The number of a word by its stem, in whichever spelling; 0 for a small word or a single letter."""
NAMES = Remembered(_name)
"""The number of a name, whose ending belongs to it; 0 for an initial."""
PRINTED_WORDS = Remembered(hashed)
"""The number of a word as it is printed, whatever it is."""
