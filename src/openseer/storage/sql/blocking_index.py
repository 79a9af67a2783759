"""Buckets: under which keys descriptions stand, and whom they meet there.

Keys are kept as hashes. Two keys of one hash merely let descriptions meet that have nothing in common.
"""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from typing import Any

import xxhash

from openseer.storage.sql.engine.dialect import Database, Row

MAX_BLOCK_MEMBERS, MAX_COMMON_WORD_MEMBERS, FEW = 256, 12, 4
"""In a fuller bucket a newcomer meets the members with the smallest ids only; words of many titles tell little, so that
of more than the limit only a few are met: enough where they are all one work that is often cited."""
COMMON = "words:"
"""Keys of this type are odd numbers, all others even: the limit is known from the number alone."""
MEMBERS = "SELECT description FROM blocking_key WHERE key = ? ORDER BY description LIMIT ?"


def hash_of(key: str) -> int:
    """A typed key as it is kept: a signed number of eight bytes."""
    number = xxhash.xxh3_64_intdigest(key.encode("utf-8", "replace"))
    number = number & ~1 | key.startswith(COMMON)
    return number - (1 << 64) if number >= 1 << 63 else number


def index_keys(
    db: Database, keys_of: Mapping[str, Collection[str]], signs: Mapping[str, bytes], version: int
) -> dict[str, set[str]]:
    """Let each description stand under just these keys, and name the others that stand there."""
    wanted = {name: sorted({hash_of(key) for key in keys}) for name, keys in keys_of.items()}
    stored = _stored(db, wanted)
    gone = [(key, name) for name, keys in stored.items() for key in set(keys).difference(wanted[name])]
    db.do_many("DELETE FROM blocking_key WHERE key = ? AND description = ?", gone)
    added = [(key, name) for name, keys in wanted.items() for key in keys if key not in stored.get(name, ())]
    times = Counter(key for keys in wanted.values() for key in keys)
    lone = {key for key, _ in added if times[key] == 1}
    lone -= db.present("blocking_key", "key", lone)
    db.do_many(
        "INSERT INTO blocking_key (key, description) VALUES (?, ?) ON CONFLICT (key, description) DO NOTHING",
        sorted(added),
    )
    db.do_many(
        "UPDATE description SET blocking_keys = ?, sketch = ?, resolved_version = ? WHERE id = ?",
        [(struct.pack(f"<{len(keys)}q", *keys), signs[name], version, name) for name, keys in wanted.items()],
    )
    return _met(db, {name: [key for key in keys if key not in lone] for name, keys in wanted.items()})


def block_members(db: Database, names: Collection[str]) -> dict[str, set[str]]:
    """The others that stand under the keys of these."""
    return _met(db, _stored(db, names))


def delete_keys(db: Database, names: Collection[str]) -> None:
    """Let these stand nowhere."""
    rows = [(key, name) for name, keys in _stored(db, names).items() for key in keys]
    db.do_many("DELETE FROM blocking_key WHERE key = ? AND description = ?", rows)
    freed = "UPDATE description SET blocking_keys = NULL, sketch = NULL, resolved_version = 0 WHERE id = ?"
    db.do_many(freed, [(name,) for name in sorted(names)])


def oversized_blocks(db: Database) -> int:
    """How many buckets are so full that the order of arrival may matter in them."""
    asked = "SELECT key, count(*) FROM blocking_key GROUP BY key HAVING count(*) > ?"
    return sum(count > _limit(key) for key, count in db.rows(asked, (MAX_COMMON_WORD_MEMBERS,)))


def _limit(key: int) -> int:
    return MAX_COMMON_WORD_MEMBERS if key % 2 else MAX_BLOCK_MEMBERS


def _few(key: int, rows: list[Row]) -> list[Row]:
    if len(rows) <= _limit(key):
        return rows
    return rows[: FEW if key % 2 else MAX_BLOCK_MEMBERS]


def _stored(db: Database, names: Iterable[str]) -> dict[str, tuple[int, ...]]:
    rows = db.rows_in("SELECT id, blocking_keys FROM description WHERE blocking_keys IS NOT NULL AND id IN ({})", names)
    return {name: _numbers(blob) for name, blob in rows}


def _numbers(blob: Any) -> tuple[int, ...]:
    return struct.unpack(f"<{len(blob) // 8}q", blob)


def _met(db: Database, keys_of: Mapping[str, Collection[int]]) -> dict[str, set[str]]:
    keys = sorted({key for held in keys_of.values() for key in held})
    found = db.rows_each(MEMBERS, [(key, _limit(key) + 1) for key in keys])
    members = {key: [row[0] for row in _few(key, rows)] for key, rows in zip(keys, found, strict=True)}
    return {name: {one for key in held for one in members[key]} - {name} for name, held in keys_of.items()}
