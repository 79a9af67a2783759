"""Which words of a text a question means: its own in another form, spelling or case, with or without accents."""

from __future__ import annotations

import codecs
import re
import unicodedata
from collections.abc import Iterator
from functools import cached_property, lru_cache
from itertools import takewhile
from typing import AnyStr

from openseer.core.text.spelling_variants import american, spellings
from openseer.search.terms import stem

WORD = re.compile(r"\w+")
LONG, ENDING = 6, 3
"""From so many letters on a word may have another ending than an English one, of at most so many letters."""
MOST_PLACES, MOST_TRIED = 200, 2000
"""Of one word in one text, and of words that begin like it."""


class Highlighter:
    """The words of one question, as they are looked for; one that ends with an asterisk means whatever begins so."""

    def __init__(self, words: tuple[str, ...]) -> None:
        self._roots: dict[str, str] = {}
        self._stems: dict[str, str] = {}
        self._free: dict[str, str] = {}
        for word in words:
            for spelled in spellings(folded(word.rstrip("*"))):
                self._add(spelled, word)
        self._known: dict[str, str] = {}

    def _add(self, spelled: str, word: str) -> None:
        if word.endswith("*") or not spelled.isascii():
            self._roots[spelled] = self._free[spelled] = word
        elif spelled:
            self._roots[_root(spelled)] = word
            self._stems[stem(american(spelled))] = word
            if len(spelled) >= LONG:
                self._free[spelled] = word

    def of(self, word: str) -> str:
        """The word of the question that a folded word of a text is, or "" if none."""
        found = self._known.get(word)
        if found is None:
            found = self._known[word] = self._stems.get(stem(american(word)), "") or self._longer(word)
        return found

    def _longer(self, word: str) -> str:
        """A word that goes on: without end after an asterisk or in other scripts, a little otherwise."""
        for begins, meant in self._free.items():
            far = meant.endswith("*") or not begins.isascii()
            if word.startswith(begins) and (far or len(word) <= len(begins) + ENDING):
                return meant
        return ""

    def marked(self, text: str) -> Iterator[tuple[int, int]]:
        """Where in a short text the words stand."""
        if self._roots:
            bare = folded(text)
            for found in self._pattern.finditer(bare):
                if self.of(found[0]):
                    yield found.span()

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        return re.compile(rf"\b(?:{'|'.join(sorted(map(re.escape, self._roots), key=len, reverse=True))})\w*")

    def places(self, text: str) -> list[tuple[int, str]]:
        """Where in a long text the words begin, and which, in order; ten times as fast as the pattern that marks."""
        if all(map(str.isascii, self._roots)):  # letter by letter a text takes three to ten times as long
            bare = text.encode("latin-1", "openseer-bare").translate(LATIN)
            return sorted(one for root in self._roots for one in self._beginning(text, bare, root.encode()))
        whole = folded(text)
        return sorted(one for root in self._roots for one in self._beginning(text, whole, root))

    def _beginning(self, text: str, bare: AnyStr, root: AnyStr) -> Iterator[tuple[int, str]]:
        at, count, tried = bare.find(root), 0, 0
        while at >= 0 and count < MOST_PLACES and tried < MOST_TRIED:
            if not at or not text[at - 1].isalnum():
                tried += 1
                word = WORD.match(text, at)
                if word and (meant := self.of(folded(word[0]))):
                    yield at, meant
                    count += 1
            at = bare.find(root, at + len(root))


def _root(word: str) -> str:
    """What all forms of a word begin with: "stud" of studies, which a study is one of."""
    same = takewhile(lambda pair: pair[0] == pair[1], zip(word, stem(word), strict=False))
    return "".join(sign for sign, _ in same).removesuffix("i") or word


@lru_cache(maxsize=256)
def highlighter_of(words: tuple[str, ...]) -> Highlighter:
    """The words of a question; those of the last questions are kept."""
    return Highlighter(words)


def folded(text: str) -> str:
    """A text sign by sign in lower case and without accents."""
    return text.lower() if text.isascii() else "".join(map(_bare, text))


@lru_cache(maxsize=4096)
def _bare(sign: str) -> str:
    apart = unicodedata.normalize("NFD", sign.lower())
    return apart[0] if all(map(unicodedata.combining, apart[1:])) else sign


def _other(error: UnicodeError) -> tuple[str, int]:
    """Signs that one byte cannot hold."""
    assert isinstance(error, UnicodeEncodeError)
    return _letters(error.object[error.start : error.end]), error.end


@lru_cache(maxsize=4096)
def _letters(signs: str) -> str:
    """As many letters without accents, or question marks."""
    return "".join(sign if sign.isascii() else "?" for sign in map(_bare, signs))


codecs.register_error("openseer-bare", _other)
LATIN = bytes(ord(_bare(chr(number))) if ord(_bare(chr(number))) < 256 else number for number in range(256))
"""The same for signs of one byte."""
