"""IDF of title words: 0 for "the", low for "database", highest for "picodbms"."""

from __future__ import annotations

import gzip
from functools import cache
from pathlib import Path

FILE = Path(__file__).parent / "models" / "title-words.txt.gz"
RAREST = 10
"""IDF of a word that is not in the list (log2)."""


@cache
def _weights() -> dict[str, int]:
    """Word -> IDF; the file, made by training/titles.py, has one line of words for each value."""
    lines = gzip.decompress(FILE.read_bytes()).decode().splitlines()
    return {word: weight for weight, line in enumerate(lines) for word in line.split()}


def idf_of(word: str) -> int:
    """IDF from 0 to RAREST; numbers and single letters always get 2."""
    if len(word) < 2 or word.isdecimal():
        return 2
    return _weights().get(word, RAREST)
