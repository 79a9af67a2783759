"""WordPiece tokenizer of MiniLM: lower case, no accents, greedy longest match."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

WORD = re.compile(r"\w+|[^\w\s]")
IDEOGRAPHS = re.compile(r"([\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff])")
MAX_WORD_LENGTH = 100
"""Characters of a word; longer words are unknown."""
UNKNOWN, START, END = "[UNK]", "[CLS]", "[SEP]"


class WordPieces:
    """Tokenizer with one vocabulary."""

    def __init__(self, vocabulary: Sequence[str]) -> None:
        self._ids = {piece: number for number, piece in enumerate(vocabulary)}
        self._pieces = lru_cache(maxsize=50_000)(self._pieces_of)

    @classmethod
    def of(cls, file: Path) -> WordPieces:
        """Load a vocabulary file with one piece a line."""
        return cls(file.read_text(encoding="utf-8").split("\n"))

    def numbers(self, text: str, limit: int) -> list[int]:
        """Ids of the first word pieces, with start and end tokens; at most `limit`."""
        found = [self._ids[START]]
        for word in WORD.findall(_folded(text)):
            found += self._pieces(word)
            if len(found) >= limit:
                break
        return [*found[: limit - 1], self._ids[END]]

    def _pieces_of(self, word: str) -> tuple[int, ...]:
        """Pieces of a word by greedy longest match; a word with an unknown rest is unknown as a whole."""
        found: list[int] = []
        start = 0 if len(word) <= MAX_WORD_LENGTH else len(word)
        while start < len(word):
            prefix = "##" if start else ""
            end = next(
                (position for position in range(len(word), start, -1) if prefix + word[start:position] in self._ids), 0
            )
            if not end:
                return (self._ids[UNKNOWN],)
            found.append(self._ids[prefix + word[start:end]])
            start = end
        return tuple(found) or (self._ids[UNKNOWN],)


def _folded(text: str) -> str:
    """Lower case without accents, with spaces round underscores and ideographs; ASCII takes the fast path."""
    text = text.lower().replace("_", " _ ")
    if text.isascii():
        return text
    letters = unicodedata.normalize("NFD", IDEOGRAPHS.sub(r" \1 ", text))
    return "".join(c for c in letters if unicodedata.category(c) != "Mn")
