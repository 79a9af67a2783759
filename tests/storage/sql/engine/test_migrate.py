"""A library with the schema of the release before opens, is migrated, and holds what it held."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from openseer.extract.reader import version_of
from openseer.operate.backup import backup, restore
from openseer.operate.verify import verify
from openseer.storage.open import open_library
from openseer.storage.sql.engine.migrate import migrations, newest
from openseer.storage.sql.reader import SqlRecords
from tests.builders import snapshot

SCHEMA_BEFORE = 4
VERSIONS_BEFORE = {
    "pages": 3, "header": 2, "references": 5, "body": 3, "acknowledgments": 1, "funders": 2, "thanks": 1,
    "contexts": 1, "keyphrases": 1, "keysentences": 1, "subjects": 1, "verdict": 2,
}  # fmt: skip
"""Extractors of the release before; their sum was the version of the reader."""
TABLES = {
    "document": (
        "document",
        "sha1, sha256, size, mime, outcome, detail, visibility, generation, pages, words, language, simhash,"
        " {is_stored=kept}, added_at",
    ),
    "source": ("source", "sha1, url, parent, is_seed, depth, fetched_at, {reported_mime=mime_told}"),
    "document_summary": ("reading", "sha1, generation, body"),
    "description": (
        "description",
        "id, fields, content_hash, {created_ms=born}, {resolved_version=settled}, {blocking_keys=keys}, {sketch=sign}",
    ),
    "observation": (
        "observation",
        "sha1, kind, {position=place}, description, generation, {retracted=withdrawn}, {is_self_citation=own}",
    ),
    "blocking_key": ("bucket", "key, description"),
    "match_link": ("verdict", "low, high, score, reason, version"),
    "link_constraint": ("bond", "low, high, must"),
    "simhash_band": ("band", "band, sha1"),
    "embedding": ("vector", "{text_hash=text}, body"),
    "curation_action": ("act", "id, at, who, what, why, subject, inverse"),
    "work": ("work", "id, {description_id=founder}, {canonical_id=root}, {'public'=visibility}"),
    "task": (
        "task",
        "sha1, extractor, {extractor_version=wanted}, generation, state, priority, attempts, not_before, lease_until,"
        " error, {lease_owner=holder}",
    ),
    "job": ("job", "id, at, what, state"),
    "job_document": ("job_document", "job, sha1"),
    "authorship": ("authorship", "description, {position=place}, family, given, name, affiliation, email"),
    "work_change": ("change", "sequence, work, {counts_only=minor}"),
}
"""Table of today -> its former name and columns; `{new=old}` where a column was renamed, `{value=old}` if dropped."""
DROPPED = "'public'"
"""Value of the dropped column."""


NEW_COLUMNS = {"orcid", "scholarly", "is_accepted"}


def columns(described: str, former: bool) -> str:
    """The columns of a row of `TABLES`, by their names of today or their former ones."""
    names = (name.strip(" {}").split("=") for name in described.split(","))
    return ", ".join(name[-1] if former else name[0] for name in names)


@pytest.fixture
def old_data(data):
    """The sample library as the release before wrote it: the same rows under the former tables and columns."""
    today, before = data / "library.db", data / "before.db"
    with closing(sqlite3.connect(before)) as db:
        db.execute("CREATE TABLE library (name TEXT PRIMARY KEY, value TEXT NOT NULL)")
        for number, script in migrations():
            if number <= SCHEMA_BEFORE:
                db.executescript(script)
        db.execute("ATTACH ? AS today", (str(today),))
        db.execute("INSERT INTO library SELECT * FROM today.library")
        db.execute("UPDATE library SET value = ? WHERE name = 'schema'", (str(SCHEMA_BEFORE),))
        for new, (old, described) in TABLES.items():
            db.execute(
                f"INSERT INTO {old} ({columns(described, former=True)})"
                f" SELECT {columns(described, former=False)} FROM today.{new}"
            )
        db.commit()
    for file in data.glob("library.db*"):
        file.unlink()
    before.rename(today)
    return data


def test_every_table_of_today_is_compared(data):
    with closing(sqlite3.connect(data / "library.db")) as db:
        tables = {name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        assert tables == {*TABLES, "library"}
        for table, (_, described) in TABLES.items():
            found = {row[1] for row in db.execute(f"PRAGMA table_info({table})")}
            assert found - NEW_COLUMNS == set(columns(described, former=False).split(", ")) - {DROPPED}


def test_a_library_of_the_release_before_is_migrated_with_all_it_holds(sample_data, old_data):
    with closing(SqlRecords(sample_data / "library.db")) as records:
        expected, changes = snapshot(records), records.last_change()
    with open_library(old_data) as library:
        assert snapshot(library.records) == expected
        assert library.records.last_change() == changes
        assert verify(library) == [], "the index still follows"
    with closing(sqlite3.connect(old_data / "library.db")) as db:
        assert db.execute("SELECT value FROM library WHERE name = 'schema'").fetchone() == (str(newest()),)


def test_documents_of_the_release_before_need_no_new_extraction(old_data):
    with closing(sqlite3.connect(old_data / "library.db")) as db:
        db.execute("UPDATE task SET wanted = ? WHERE extractor = 'reader'", (sum(VERSIONS_BEFORE.values()),))
        db.commit()
    with open_library(old_data) as library:
        assert len(library.records.re_extractable(None)) > 10
        assert library.records.re_extractable(version_of(VERSIONS_BEFORE)) == []


def test_a_migrated_library_is_backed_up_and_restored(old_data, tmp_path):
    with open_library(old_data) as library:
        assert not [fault for fault in verify(library) if fault.area == "records"]
        before = snapshot(library.records)
        backup(library, tmp_path / "backup")
    restore(tmp_path / "restored", tmp_path / "backup")
    with open_library(tmp_path / "restored") as library:
        assert snapshot(library.records) == before
        assert verify(library) == []
