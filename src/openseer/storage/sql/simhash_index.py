"""Near documents by their fingerprints: two that differ in three bits at most share one of four bands."""

from __future__ import annotations

from openseer.storage.sql.engine.dialect import Database

BANDS, WIDTH = 4, 16


def bands(fingerprint: int) -> list[int]:
    """The four quarters of a fingerprint, each with its number."""
    bits = fingerprint & ((1 << 64) - 1)
    return [(band << WIDTH) | (bits >> (band * WIDTH)) & ((1 << WIDTH) - 1) for band in range(BANDS)]


def put(db: Database, sha1: str, old: int | None, new: int | None) -> None:
    """Let a document be found by its fingerprint, instead of an older one."""
    if old == new:
        return
    gone = [(band, sha1) for band in bands(old)] if old is not None else []
    db.do_many("DELETE FROM simhash_band WHERE band = ? AND sha1 = ?", gone)
    rows = [(band, sha1) for band in bands(new)] if new is not None else []
    db.do_many("INSERT INTO simhash_band (band, sha1) VALUES (?, ?) ON CONFLICT (band, sha1) DO NOTHING", rows)


def near(db: Database, fingerprint: int, bits: int) -> list[tuple[str, int]]:
    """Documents whose fingerprint differs in so few bits, the nearest first; complete up to three."""
    asked = (
        "SELECT document.sha1, simhash FROM simhash_band JOIN document ON document.sha1 = simhash_band.sha1"
        " WHERE band = ? AND simhash IS NOT NULL"
    )
    found = {sha1: other for band in bands(fingerprint) for sha1, other in db.rows(asked, (band,))}
    apart = {sha1: ((fingerprint ^ other) & ((1 << 64) - 1)).bit_count() for sha1, other in found.items()}
    return sorted(((sha1, count) for sha1, count in apart.items() if count <= bits), key=lambda one: (one[1], one[0]))
