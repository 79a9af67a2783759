"""Blocking index: the blocking keys of descriptions, and the members of each block.

Keys are stored as hashes; a hash collision only adds candidate pairs.
"""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from typing import Any

import xxhash

from openseer.storage.sql.engine.dialect import Database, Row

MAX_BLOCK_MEMBERS, MAX_COMMON_WORD_MEMBERS, OVERSIZED_COMMON_WORD_MEMBERS = 256, 12, 4
"""Of a larger block only the members with the smallest ids are returned. Blocks of common title words discriminate
little: above their limit only four members are compared, enough if all are one much-cited work."""
COMMON_WORDS_PREFIX = "words:"
"""Keys of this type have odd hashes, all others even: the hash alone determines the limit."""
MEMBERS = "SELECT description FROM blocking_key WHERE key = ? ORDER BY description LIMIT ?"


def hash_of(key: str) -> int:
    """Hash of a typed key: a signed 64-bit number."""
    number = xxhash.xxh3_64_intdigest(key.encode("utf-8", "replace"))
    number = number & ~1 | key.startswith(COMMON_WORDS_PREFIX)
    return number - (1 << 64) if number >= 1 << 63 else number


def index_keys(
    db: Database, keys_of: Mapping[str, Collection[str]], sketches: Mapping[str, bytes], version: int
) -> dict[str, set[str]]:
    """Replace the keys of each description and return the other members of its blocks."""
    wanted = {name: sorted({hash_of(key) for key in keys}) for name, keys in keys_of.items()}
    stored = _stored_keys(db, wanted)
    removed = [(key, name) for name, keys in stored.items() for key in set(keys).difference(wanted[name])]
    db.do_many("DELETE FROM blocking_key WHERE key = ? AND description = ?", removed)
    added = [(key, name) for name, keys in wanted.items() for key in keys if key not in stored.get(name, ())]
    key_counts = Counter(key for keys in wanted.values() for key in keys)
    unshared = {key for key, _ in added if key_counts[key] == 1}
    unshared -= db.present("blocking_key", "key", unshared)
    db.do_many(
        "INSERT INTO blocking_key (key, description) VALUES (?, ?) ON CONFLICT (key, description) DO NOTHING",
        sorted(added),
    )
    db.do_many(
        "UPDATE description SET blocking_keys = ?, sketch = ?, resolved_version = ? WHERE id = ?",
        [(struct.pack(f"<{len(keys)}q", *keys), sketches[name], version, name) for name, keys in wanted.items()],
    )
    return _members(db, {name: [key for key in keys if key not in unshared] for name, keys in wanted.items()})


def block_members(db: Database, names: Collection[str]) -> dict[str, set[str]]:
    """The other members of the blocks of these descriptions."""
    return _members(db, _stored_keys(db, names))


def delete_keys(db: Database, names: Collection[str]) -> None:
    """Remove these descriptions from all blocks."""
    rows = [(key, name) for name, keys in _stored_keys(db, names).items() for key in keys]
    db.do_many("DELETE FROM blocking_key WHERE key = ? AND description = ?", rows)
    freed = "UPDATE description SET blocking_keys = NULL, sketch = NULL, resolved_version = 0 WHERE id = ?"
    db.do_many(freed, [(name,) for name in sorted(names)])


def oversized_blocks(db: Database) -> int:
    """Number of blocks above their limit, where the result may depend on the order of ingestion."""
    asked = "SELECT key, count(*) FROM blocking_key GROUP BY key HAVING count(*) > ?"
    return sum(count > _limit(key) for key, count in db.rows(asked, (MAX_COMMON_WORD_MEMBERS,)))


def _limit(key: int) -> int:
    return MAX_COMMON_WORD_MEMBERS if key % 2 else MAX_BLOCK_MEMBERS


def _compared_members(key: int, rows: list[Row]) -> list[Row]:
    if len(rows) <= _limit(key):
        return rows
    return rows[: OVERSIZED_COMMON_WORD_MEMBERS if key % 2 else MAX_BLOCK_MEMBERS]


def _stored_keys(db: Database, names: Iterable[str]) -> dict[str, tuple[int, ...]]:
    rows = db.rows_in("SELECT id, blocking_keys FROM description WHERE blocking_keys IS NOT NULL AND id IN ({})", names)
    return {name: _unpack(blob) for name, blob in rows}


def _unpack(blob: Any) -> tuple[int, ...]:
    return struct.unpack(f"<{len(blob) // 8}q", blob)


def _members(db: Database, keys_of: Mapping[str, Collection[int]]) -> dict[str, set[str]]:
    keys = sorted({key for own_keys in keys_of.values() for key in own_keys})
    found = db.rows_each(MEMBERS, [(key, _limit(key) + 1) for key in keys])
    members = {key: [row[0] for row in _compared_members(key, rows)] for key, rows in zip(keys, found, strict=True)}
    return {name: {one for key in own_keys for one in members[key]} - {name} for name, own_keys in keys_of.items()}
