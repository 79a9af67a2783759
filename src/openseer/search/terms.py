"""Terms of texts for ranking: lower case, no accents, stemmed, without stop words, each as an integer id."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence

import Stemmer
from xxhash import xxh32_intdigest

from openseer.core.text.cjk_bigrams import with_bigrams
from openseer.core.text.spelling_variants import american

_STOP_WORDS = """
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
STOP_WORDS = frozenset(_STOP_WORDS.split())
"""Function words: they carry no topic."""
TOKEN = re.compile(r"[^\W_]+")
CACHE_SIZE = 200_000
"""Cached ids of each kind."""

_stemmer = Stemmer.Stemmer("english", 0)


class TermIdCache(dict[str, int]):
    """Cache: word -> id, computed on first use."""

    def __init__(self, compute: Callable[[str], int]) -> None:
        super().__init__()
        self._compute = compute

    def __missing__(self, word: str) -> int:
        if len(self) >= CACHE_SIZE:
            self.clear()
        found = self[word] = self._compute(word)
        return found


def stem(word: str) -> str:
    """English stem of a word, as in the index."""
    return str(_stemmer.stemWord(word))


def text_id(text: str) -> int:
    """Hash of a text as its id; never 0."""
    return xxh32_intdigest(text.encode()) or 1


def whole_name_id(words: Sequence[str]) -> int:
    """Id of the name of an organisation."""
    return text_id("=" + " ".join(words))


def words_of(text: str) -> list[str]:
    """Words of a text in lower case without accents."""
    text = text.lower()
    if text.isascii():
        return TOKEN.findall(text)
    text = "".join(c for c in unicodedata.normalize("NFKD", text) if unicodedata.category(c) != "Mn")
    return TOKEN.findall(with_bigrams(text))


def _stem_id(word: str) -> int:
    is_ignored = word in STOP_WORDS or (len(word) == 1 and word.isascii() and not word.isdigit())
    return 0 if is_ignored else text_id(stem(american(word)))


def _name_id(word: str) -> int:
    return text_id(word) if len(word) > 1 else 0


STEM_IDS = TermIdCache(_stem_id)
"""Ids by stem, equal for British and American spelling; 0 for stop words and single letters."""
NAME_IDS = TermIdCache(_name_id)
"""Ids of names, which are not stemmed; 0 for initials."""
PRINTED_IDS = TermIdCache(text_id)
"""Ids of words as printed, stop words included."""
