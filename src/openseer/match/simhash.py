"""64-bit simhash fingerprint of a text; near-duplicate texts have a small Hamming distance."""

from __future__ import annotations

import re
import unicodedata

import numpy as np
import xxhash
from numpy.typing import NDArray

WORD = re.compile(r"[^\W\d_]{3,}")
CHUNK_SHINGLES = 8192
"""Shingles processed at once, so that a thesis needs no more memory than a paper."""
BITS = np.uint64(1) << np.arange(64, dtype=np.uint64)
MULTIPLIERS = [np.uint64(number) for number in (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9)]
"""Multiplier of a word at each of the three positions of a shingle."""


def simhash(text: str) -> int:
    """Simhash of the distinct three-word shingles without numbers (tables look alike), as a signed 64-bit number.

    Single words are not enough: papers of one field share the most frequent ones and differ in only 5 to 10 bits."""
    words = WORD.findall(unicodedata.normalize("NFC", text).lower())
    if not words:
        return 0
    hash_of = {word: xxhash.xxh3_64_intdigest(word.encode()) for word in set(words)}
    hashes = np.fromiter(map(hash_of.__getitem__, words), dtype=np.uint64, count=len(words))
    shingles = np.unique(_shingles(hashes))
    ones = sum(_bit_counts(shingles[at : at + CHUNK_SHINGLES]) for at in range(0, len(shingles), CHUNK_SHINGLES))
    value = int(BITS[ones * 2 > len(shingles)].sum(dtype=np.uint64))
    return value - (1 << 64) if value >= 1 << 63 else value


def _bit_counts(shingles: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Number of shingles that have each bit set."""
    bytes_of = np.ascontiguousarray(shingles.astype("<u8")).view(np.uint8).reshape(len(shingles), 8)
    counted: NDArray[np.int64] = np.unpackbits(bytes_of, axis=1, bitorder="little").sum(axis=0, dtype=np.int64)
    return counted


def _shingles(words: NDArray[np.uint64]) -> NDArray[np.uint64]:
    if len(words) < len(MULTIPLIERS):
        return words
    last = len(words) - len(MULTIPLIERS) + 1
    mixed = np.zeros(last, dtype=np.uint64)
    for at, multiplier in enumerate(MULTIPLIERS):
        mixed += words[at : at + last] * multiplier
    mixed ^= mixed >> np.uint64(29)
    return mixed * MULTIPLIERS[0]


def distance(one: int, other: int) -> int:
    """Hamming distance of two fingerprints."""
    return ((one ^ other) & ((1 << 64) - 1)).bit_count()
