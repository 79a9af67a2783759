"""A work the other way round: its words as numbers in order, packed when it is indexed, so that ranking can count them.

Six places follow each other: title, abstract, keywords, authors, venue, and the title again as it is printed. Only
there small words are kept, and endings only there and of names.
"""

from __future__ import annotations

import struct
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from openseer.search.terms import NAMES, NUMBERS, PRINTED_WORDS, hashed, words_of

TITLE, ABSTRACT, KEYWORDS, AUTHORS, VENUE, PRINTED = range(6)
PLACES = 6
SHORT = 3
"""Letters of words that say little in any language."""
HEAD = struct.Struct("<6HI")
"""How many words stand in each place, and the number of the whole title."""

Numbers = NDArray[np.uint32]
Whole = NDArray[np.int64]


def pack(title: str, abstract: str, keywords: Sequence[str], authors: Sequence[str], venue: str) -> bytes:
    """What ranking needs of a work."""
    titled = words_of(title)
    places = (
        numbers_of(titled)[:80],
        numbers_of(words_of(abstract))[:500] if abstract else [],
        numbers_of(words_of(" ".join(keywords)))[:80] if keywords else [],
        [number for word in words_of(" ".join(authors)) if (number := NAMES[word])][:80],
        numbers_of(words_of(venue))[:30] if venue else [],
        [PRINTED_WORDS[word] for word in titled[:120]],
    )
    flat = [number for numbers in places for number in numbers]
    head = HEAD.pack(*map(len, places), hashed(" ".join(titled)))
    return head + array("I", flat).tobytes()


def numbers_of(words: Iterable[str]) -> list[int]:
    """The numbers of words, small ones left out."""
    return [number for word in words if (number := NUMBERS[word])]


def says(packed: bytes, texts: Sequence[str]) -> bool:
    """Whether a work has all of these words, but for short ones, in its title, abstract, keywords, names or venue."""
    known = set(np.frombuffer(packed, dtype="<u4", offset=HEAD.size).tolist()) if packed else set()
    words = [word for word in words_of(" ".join(texts)) if len(word) > SHORT]
    return all(not NUMBERS[word] or NUMBERS[word] in known or NAMES[word] in known for word in words)


@dataclass(frozen=True, slots=True, eq=False)
class ForwardIndex:
    """Many works at once: one long row of words, and for each where it stands."""

    words: Numbers
    work: Whole
    """Of each word, the number of its work ..."""
    place: Whole
    """... and its place in it."""
    lengths: Whole
    """Words of each work (rows) in each place (columns)."""
    titles: Numbers
    """The number of each whole title."""


def unpack(packed: Sequence[bytes]) -> ForwardIndex:
    """The inverse of `pack`, for all candidates of a search."""
    heads = np.frombuffer(b"".join(one[: HEAD.size] for one in packed), dtype=_HEAD)
    words = np.frombuffer(b"".join(one[HEAD.size :] for one in packed), dtype="<u4")
    lengths = heads["lengths"].astype(np.int64)
    stretch = lengths.ravel()
    work = np.repeat(np.repeat(np.arange(len(packed)), PLACES), stretch)
    place = np.repeat(np.tile(np.arange(PLACES), len(packed)), stretch)
    return ForwardIndex(words, work, place, lengths, heads["title"])


_HEAD = np.dtype([("lengths", "<u2", (PLACES,)), ("title", "<u4")])
