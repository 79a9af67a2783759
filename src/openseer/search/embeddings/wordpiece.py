"""Texts as the numbers of word pieces that MiniLM was taught with: lower case, no accents, longest piece first."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

WORD = re.compile(r"\w+|[^\w\s]")
IDEOGRAPHS = re.compile(r"([\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff])")
LONGEST = 100
"""Letters of a word that is looked up; a longer one is unknown."""
UNKNOWN, FIRST, LAST = "[UNK]", "[CLS]", "[SEP]"


class WordPieces:
    """One vocabulary, one piece a line."""

    def __init__(self, vocabulary: Sequence[str]) -> None:
        self._numbers = {piece: number for number, piece in enumerate(vocabulary)}
        self._pieces = lru_cache(maxsize=50_000)(self._look_up)

    @classmethod
    def of(cls, file: Path) -> WordPieces:
        """The vocabulary of a file."""
        return cls(file.read_text(encoding="utf-8").split("\n"))

    def numbers(self, text: str, most: int) -> list[int]:
        """At most so many numbers, the marks of beginning and end among them."""
        found = [self._numbers[FIRST]]
        for word in WORD.findall(_folded(text)):
            found += self._pieces(word)
            if len(found) >= most:
                break
        return [*found[: most - 1], self._numbers[LAST]]

    def _look_up(self, word: str) -> tuple[int, ...]:
        """The longest known piece again and again; a word with an unknown rest is unknown as a whole."""
        found: list[int] = []
        start = 0 if len(word) <= LONGEST else len(word)
        while start < len(word):
            mark = "##" if start else ""
            end = next((at for at in range(len(word), start, -1) if mark + word[start:at] in self._numbers), 0)
            if not end:
                return (self._numbers[UNKNOWN],)
            found.append(self._numbers[mark + word[start:end]])
            start = end
        return tuple(found) or (self._numbers[UNKNOWN],)


def _folded(text: str) -> str:
    """Lower case without accents, underscores and ideographs apart; plain text needs none of the slow part."""
    text = text.lower().replace("_", " _ ")
    if text.isascii():
        return text
    letters = unicodedata.normalize("NFD", IDEOGRAPHS.sub(r" \1 ", text))
    return "".join(c for c in letters if unicodedata.category(c) != "Mn")
