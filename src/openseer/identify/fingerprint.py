"""Fingerprint: a 64-bit simhash of a text, near for texts that are nearly the same."""

from __future__ import annotations

import numpy as np
import xxhash

from openseer.identify.normal import words_of

CHUNK = 8192
"""Words hashed at once, so that a thesis takes no more memory than a paper."""
BITS = np.uint64(1) << np.arange(64, dtype=np.uint64)


def simhash(text: str) -> int:
    """Words with digits left out (tables of numbers look alike), each weighing one; as a signed 64-bit number."""
    words = [word for word in words_of(text) if word.isalpha() and len(word) > 2]
    if not words:
        return 0
    hashes = np.fromiter((xxhash.xxh3_64_intdigest(word.encode()) for word in words), dtype=np.uint64, count=len(words))
    ones = sum(((part[:, None] & BITS) != 0).sum(axis=0) for part in np.split(hashes, range(CHUNK, len(words), CHUNK)))
    value = int(BITS[ones * 2 > len(words)].sum(dtype=np.uint64))
    return value - (1 << 64) if value >= 1 << 63 else value


def distance(one: int, other: int) -> int:
    """How many of the 64 bits differ."""
    return ((one ^ other) & ((1 << 64) - 1)).bit_count()
