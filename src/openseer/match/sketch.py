"""Sketches: forty bytes for each description, which exclude most non-matching pairs without loading them."""

from __future__ import annotations

import struct
from typing import NamedTuple

import xxhash

from openseer.core.model.description import MatchFields
from openseer.core.text.normalize import plain_arxiv, plain_doi
from openseer.match.pair_features import prefilter_fields

LAYOUT = struct.Struct("<32s?BHHH")
MOST = 255
"""Maximum number of title n-grams; a sketch with this many excludes nothing."""


class Sketch(NamedTuple):
    """Prefilter fields of a description, with its title n-grams as a bit set of hashes."""

    runs: int
    hidden: int
    """Number of n-grams that share the bit of another."""
    has_full_text: bool
    size: int
    first_page: int
    """Short hash, like the identifiers; 0 for none."""
    doi: int
    arxiv: int


def sketch_of(fields: MatchFields) -> bytes:
    """The stored sketch of a description."""
    seen = prefilter_fields(fields)
    runs = bytearray(32)
    for gram in seen.grams:
        bit = xxhash.xxh32_intdigest(gram.encode("utf-8", "replace"))
        runs[bit >> 3 & 31] |= 1 << (bit & 7)
    names = (seen.first_page, plain_doi(fields.doi), plain_arxiv(fields.arxiv))
    return LAYOUT.pack(bytes(runs), bool(fields.page_one), min(len(seen.grams), MOST), *map(_short_hash, names))


def read_sketch(blob: bytes) -> Sketch:
    """The inverse of `sketch_of`."""
    bits, has_full_text, size, *names = LAYOUT.unpack(blob)
    runs = int.from_bytes(bits, "little")
    return Sketch(runs, size - runs.bit_count(), has_full_text, size, *names)


def most_shared(one: Sketch, other: Sketch) -> int:
    """Upper bound of the number of n-grams common to both titles."""
    common = (one.runs & other.runs).bit_count() + min(one.hidden, other.hidden)
    return min(common, one.size, other.size)


def _short_hash(name: str) -> int:
    return 1 + xxhash.xxh32_intdigest(name.encode("utf-8", "replace")) % 65_535 if name else 0
