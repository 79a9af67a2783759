"""Index of simhash fingerprints in four bands: fingerprints that differ in at most three bits share a band."""

from __future__ import annotations

from openseer.storage.sql.engine.dialect import Database

BANDS, BAND_BITS = 4, 16


def bands(fingerprint: int) -> list[int]:
    """The four 16-bit bands of a fingerprint, each with its number in the higher bits."""
    bits = fingerprint & ((1 << 64) - 1)
    return [(band << BAND_BITS) | (bits >> (band * BAND_BITS)) & ((1 << BAND_BITS) - 1) for band in range(BANDS)]


def put(db: Database, sha1: str, old: int | None, new: int | None) -> None:
    """Index the fingerprint of a document in place of an older one."""
    if old == new:
        return
    removed = [(band, sha1) for band in bands(old)] if old is not None else []
    db.do_many("DELETE FROM simhash_band WHERE band = ? AND sha1 = ?", removed)
    rows = [(band, sha1) for band in bands(new)] if new is not None else []
    db.do_many("INSERT INTO simhash_band (band, sha1) VALUES (?, ?) ON CONFLICT (band, sha1) DO NOTHING", rows)


def near(db: Database, fingerprint: int, bits: int) -> list[tuple[str, int]]:
    """Documents whose fingerprint differs in at most `bits` bits, nearest first; complete up to three bits."""
    query = (
        "SELECT document.sha1, simhash FROM simhash_band JOIN document ON document.sha1 = simhash_band.sha1"
        " WHERE band = ? AND simhash IS NOT NULL"
    )
    found = {sha1: other for band in bands(fingerprint) for sha1, other in db.rows(query, (band,))}
    distances = {sha1: ((fingerprint ^ other) & ((1 << 64) - 1)).bit_count() for sha1, other in found.items()}
    return sorted(
        ((sha1, count) for sha1, count in distances.items() if count <= bits), key=lambda one: (one[1], one[0])
    )
