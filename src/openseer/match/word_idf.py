"""How much a word of a title tells: "the" nothing, "database" little, "picodbms" all."""

from __future__ import annotations

import gzip
from functools import cache
from pathlib import Path

FILE = Path(__file__).parent / "models" / "title-words.txt.gz"
RAREST = 10
"""The weight of a word that is not in the list, in doublings of rarity."""


@cache
def _weights() -> dict[str, int]:
    """One line for each weight, the words of that weight on it; made by training/titles.py."""
    lines = gzip.decompress(FILE.read_bytes()).decode().splitlines()
    return {word: weight for weight, line in enumerate(lines) for word in line.split()}


def idf_of(word: str) -> int:
    """From 0 to RAREST; a number or a single letter tells little, however rare."""
    if len(word) < 2 or word.isdecimal():
        return 2
    return _weights().get(word, RAREST)
