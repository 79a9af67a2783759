"""Signs: a description in forty bytes, enough to tell of most pairs that they are not one work without reading them."""

from __future__ import annotations

import struct
from typing import NamedTuple

import xxhash

from openseer.core.model.description import MatchFields
from openseer.core.text.normalize import plain_arxiv, plain_doi
from openseer.match.pair_features import prefilter_fields

FORM = struct.Struct("<32s?BHHH")
MOST = 255
"""Runs of a title are counted up to here; one of as many is no title, and its sign tells nothing."""


class Sketch(NamedTuple):
    """What the first look at a description needs, the runs of its title as bits that several of them may share."""

    runs: int
    hidden: int
    """How many runs share the bit of another."""
    has_full_text: bool
    size: int
    first_page: int
    """Like the identifiers as a short hash, 0 for none."""
    doi: int
    arxiv: int


def sketch_of(fields: MatchFields) -> bytes:
    """The sign of a description, as it is kept."""
    seen = prefilter_fields(fields)
    runs = bytearray(32)
    for gram in seen.grams:
        bit = xxhash.xxh32_intdigest(gram.encode("utf-8", "replace"))
        runs[bit >> 3 & 31] |= 1 << (bit & 7)
    names = (seen.first_page, plain_doi(fields.doi), plain_arxiv(fields.arxiv))
    return FORM.pack(bytes(runs), bool(fields.page_one), min(len(seen.grams), MOST), *map(_short, names))


def read_sketch(kept: bytes) -> Sketch:
    """The inverse."""
    bits, in_hand, size, *names = FORM.unpack(kept)
    runs = int.from_bytes(bits, "little")
    return Sketch(runs, size - runs.bit_count(), in_hand, size, *names)


def most_shared(one: Sketch, other: Sketch) -> int:
    """No more runs than these stand in both titles."""
    met = (one.runs & other.runs).bit_count() + min(one.hidden, other.hidden)
    return min(met, one.size, other.size)


def _short(name: str) -> int:
    return 1 + xxhash.xxh32_intdigest(name.encode("utf-8", "replace")) % 65_535 if name else 0
