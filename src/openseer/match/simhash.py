"""Fingerprint: a 64-bit simhash of a text, near for texts that are nearly the same."""

from __future__ import annotations

import re
import unicodedata

import numpy as np
import xxhash
from numpy.typing import NDArray

WORD = re.compile(r"[^\W\d_]{3,}")
CHUNK = 8192
"""Runs of words taken at once, so that a thesis takes no more memory than a paper."""
BITS = np.uint64(1) << np.arange(64, dtype=np.uint64)
ODD = [np.uint64(number) for number in (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9)]
"""What a word is multiplied by in each of the three places of a run."""


def simhash(text: str) -> int:
    """Of the distinct runs of three words, numbers left out (tables look alike); as a signed 64-bit number.

    Single words would not do: two papers of one field share the most frequent ones, and lie five to ten bits apart."""
    words = WORD.findall(unicodedata.normalize("NFC", text).lower())
    if not words:
        return 0
    known = {word: xxhash.xxh3_64_intdigest(word.encode()) for word in set(words)}
    hashes = np.fromiter(map(known.__getitem__, words), dtype=np.uint64, count=len(words))
    runs = np.unique(_runs(hashes))
    ones = sum(_ones(runs[at : at + CHUNK]) for at in range(0, len(runs), CHUNK))
    value = int(BITS[ones * 2 > len(runs)].sum(dtype=np.uint64))
    return value - (1 << 64) if value >= 1 << 63 else value


def _ones(runs: NDArray[np.uint64]) -> NDArray[np.int64]:
    """How often each bit is set."""
    bytes_of = np.ascontiguousarray(runs.astype("<u8")).view(np.uint8).reshape(len(runs), 8)
    counted: NDArray[np.int64] = np.unpackbits(bytes_of, axis=1, bitorder="little").sum(axis=0, dtype=np.int64)
    return counted


def _runs(words: NDArray[np.uint64]) -> NDArray[np.uint64]:
    if len(words) < len(ODD):
        return words
    last = len(words) - len(ODD) + 1
    mixed = np.zeros(last, dtype=np.uint64)
    for at, odd in enumerate(ODD):
        mixed += words[at : at + last] * odd
    mixed ^= mixed >> np.uint64(29)
    return mixed * ODD[0]


def distance(one: int, other: int) -> int:
    """How many of the 64 bits differ."""
    return ((one ^ other) & ((1 << 64) - 1)).bit_count()
