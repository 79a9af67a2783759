"""What only PostgreSQL can do wrong: its dialect, its order of words, its restarts, its rights, its errors."""

from __future__ import annotations

import contextlib
import multiprocessing
import signal
import sys
import threading

import pytest

from openseer.core.errors import (
    BadSetting,
    Locked,
    Misconfigured,
    NoLibrary,
    NotALibrary,
    OpenseerError,
    StoreUnavailable,
)
from openseer.core.model.document import Viewer
from openseer.core.settings import Settings
from openseer.storage.open import open_library
from openseer.storage.protocols.records import ExtractionFacts
from openseer.storage.sql.engine.connect import open_database
from openseer.storage.sql.reader import SqlRecords
from tests.builders import Paper, cited, ingest_papers, register, snapshot

WORDS = ["b", "B", "a", "é", "e", "É", "Z", "z", "_", "ß", "ss", "a b", "ab", "10", "9", "ж", "文"]
PAPER = Paper("Finding near-duplicate web pages", "Henzinger", cites=(("A work nobody has", "Nemo"),))


@pytest.fixture
def db(address):
    opened = open_database(address, lock_timeout=5)
    yield opened
    opened.close()


@pytest.fixture
def records(address):
    opened = SqlRecords(address, lock_timeout=5)
    yield opened
    opened.close()


@pytest.mark.parametrize(
    ("sql", "translated"),
    [
        ("SELECT ? + ?", b"SELECT %s + %s"),
        ("SELECT 'why?' WHERE x = ?", b"SELECT 'why?' WHERE x = %s"),
        (
            "SELECT 'it''s 5 %?' WHERE x LIKE '%a' AND 7 % 4 = ?",
            b"SELECT 'it''s 5 %%?' WHERE x LIKE '%%a' AND 7 %% 4 = %s",
        ),
    ],
)
def test_placeholders_are_translated_and_texts_left_alone(postgres, sql, translated):
    from openseer.storage.sql.engine.postgres import to_psycopg  # needs psycopg

    assert to_psycopg(sql) == translated


def test_questions_and_per_cent_signs_mean_the_same_as_in_sqlite(db, tmp_path):
    lite = open_database(tmp_path / "file.db", lock_timeout=1)
    for asked, values in (("SELECT 7 % 4, 'why? 5 %', ?", ("x",)), ("SELECT 9 % 5 WHERE 'a?' LIKE '%?'", ())):
        assert db.rows(asked, values) == lite.rows(asked, values) != []
    lite.close()


def test_words_stand_in_the_order_of_their_bytes(db, postgres, tmp_path):
    if postgres.sorts_as_people_do:
        assert db.one("SELECT 'a' < 'B' AND 'É' < 'f'") == (True,), "else this test proves nothing"
    lite = open_database(tmp_path / "file.db", lock_timeout=1)
    for one in (db, lite):
        with one.transaction():
            one.create("CREATE TABLE word (word TEXT PRIMARY KEY, kind TEXT NOT NULL)")
            one.do_many("INSERT INTO word VALUES (?, 'x')", [(word,) for word in WORDS])
    expected = sorted(WORDS, key=str.encode)
    for asked in (
        "SELECT word FROM word ORDER BY word",
        "SELECT DISTINCT coalesce(word, '') FROM word ORDER BY 1",
        "SELECT min(word) FROM word",
        "SELECT max(word) FROM word WHERE word < 'é'",
        "SELECT word FROM word WHERE word > 'Z' ORDER BY word DESC LIMIT 4",
    ):
        assert db.rows(asked) == lite.rows(asked), asked
    assert [row[0] for row in db.stream("SELECT word FROM word ORDER BY word")] == expected
    lite.close()


def test_many_values_in_one_question(db):
    with db.transaction():
        db.create("CREATE TABLE number (number TEXT PRIMARY KEY)")
        db.do_many("INSERT INTO number VALUES (?)", [(str(n),) for n in range(3000)])
    asked = "SELECT number FROM number WHERE number IN ({})"
    assert len(list(db.rows_in(asked, map(str, range(1000, 5000))))) == 2000
    assert list(db.rows_in(asked, [])) == []


def test_a_stream_may_be_left_early_and_written_beside(records):
    ingest_papers(records, [PAPER, Paper("Another", "Ada")])
    found = []
    for document in records.documents():
        with records.writing() as writer:
            writer.retract(document.sha1, "a test", "deleted")
        found.append(document.sha1)
    assert len(found) == 2
    stream = records.documents()
    next(stream)
    stream.close()
    assert sum(1 for _ in records.documents()) == 2


def test_a_text_with_a_nul_is_taken_without_it(records):
    register(records, PAPER.resource, PAPER.facts, 1)
    with records.writing() as writer:
        writer.acknowledge(PAPER.sha1, "corrupt", "bad\0 word", ExtractionFacts())
    assert records.as_seen_by(Viewer.PUBLIC).document(PAPER.sha1).detail == "bad word"


def test_after_a_restart_of_the_server_it_goes_on(records, postgres):
    ingest_papers(records, [PAPER])
    before = snapshot(records)
    postgres.stop()
    with pytest.raises(StoreUnavailable, match="does not answer"):
        records.counts()
    with pytest.raises(StoreUnavailable), records.writing():
        pass
    postgres.start()
    assert snapshot(records) == before
    postgres.stop()
    postgres.start()
    ingest_papers(records, [Paper("Another", "Ada")])
    assert records.counts()["documents"] == 2


def test_a_transaction_cut_by_a_restart_leaves_no_trace(records, postgres):
    ingest_papers(records, [PAPER])
    before = snapshot(records)

    def withdraw_over_a_restart():
        with records.writing() as writer:
            writer.retract(PAPER.sha1, "a test", "deleted")
            postgres.stop()
            postgres.start()
            with contextlib.suppress(OpenseerError):
                writer.retract(PAPER.sha1, "a test", "deleted")

    with pytest.raises(StoreUnavailable):
        withdraw_over_a_restart()
    assert snapshot(records) == before
    ingest_papers(records, [Paper("Another", "Ada")])
    assert records.counts()["documents"] == 2


def test_an_error_that_is_overlooked_does_not_pass_for_a_commit(db):
    def go_on_regardless():
        with db.transaction():
            db.create("CREATE TABLE kept (number INTEGER)")
            with contextlib.suppress(OpenseerError):
                db.do("INSERT INTO kept VALUES ('no number')")

    with pytest.raises(StoreUnavailable, match="did not commit"):
        go_on_regardless()
    assert not db.has_table("kept")


def test_a_transaction_within_another_is_refused(records):
    with pytest.raises(StoreUnavailable, match="within another"), records.writing(), records.writing():
        pass
    with records.writing():
        pass


def test_threads_write_one_after_the_other(records):
    papers = [Paper(f"Paper {n} of many", f"Author{n}", cites=(("A work nobody has", "Nemo"),)) for n in range(12)]
    threads = [threading.Thread(target=ingest_papers, args=(records, papers[n::4])) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert records.counts()["documents"] == 12
    changes = records.changes_after(0, 1000)
    assert [one.sequence for one in changes] == list(range(1, len(changes) + 1))
    assert cited(records, records.outgoing_citations(papers[0].sha1)[0][2]) == 12


def hold(address, held):
    """Write half of something, tell so, and wait to be killed."""
    records = SqlRecords(address)
    with records.writing() as writer:
        writer.register(PAPER.resource, PAPER.facts, 1)
        held.set()
        signal.pause()


def test_a_killed_process_gives_the_lock_back_and_leaves_no_trace(records, address):
    context = multiprocessing.get_context("spawn")
    held = context.Event()
    process = context.Process(target=hold, args=(address, held))
    process.start()
    try:
        assert held.wait(30)
        hasty = SqlRecords(address, lock_timeout=0.1)
        with contextlib.closing(hasty), pytest.raises(Locked, match="locked by another process"), hasty.writing():
            pass
    finally:
        process.kill()
        process.join()
    ingest_papers(records, [Paper("Another", "Ada")])
    assert [one.sha1 for one in records.documents()] == [Paper("Another", "Ada").sha1]


def test_two_libraries_in_two_schemas_of_one_database(postgres, address):
    database = database_of(address)
    for name in ("one", "other"):
        postgres.sql(f"CREATE SCHEMA {name}", database)
    first, second = (SqlRecords(f"{address}&options=-csearch_path%3D{name}", 0.2) for name in ("one", "other"))
    assert first.uuid != second.uuid
    with first.writing():
        ingest_papers(second, [PAPER])  # each has a write lock of its own
    assert (first.counts()["documents"], second.counts()["documents"]) == (0, 1)
    first.close()
    second.close()


def test_a_back_up_restored_elsewhere_is_the_same_library(records, postgres, address):
    ingest_papers(records, [PAPER, Paper("Another", "Ada")])
    elsewhere = postgres.fresh()
    postgres.copy(database_of(address), database_of(elsewhere))
    restored = SqlRecords(elsewhere)
    assert snapshot(restored) == snapshot(records)
    assert restored.uuid == records.uuid
    restored.close()


def database_of(address):
    return address.split("/")[3].split("?")[0]


def told(error):
    return f"{error.value} {error.value.hint}"


def test_an_address_that_does_not_answer_is_told_without_its_password(postgres):
    with pytest.raises(StoreUnavailable) as caught:
        SqlRecords("postgresql://me:s3cret@127.0.0.1:1/library?connect_timeout=2")
    assert "postgresql://me@127.0.0.1:1/library" in told(caught)
    assert "s3cret" not in told(caught)
    with pytest.raises(StoreUnavailable, match="does not exist"):
        SqlRecords(postgres.address("nowhere"))


def test_an_address_that_makes_no_sense_is_told_without_its_password(postgres):
    with pytest.raises(BadSetting) as caught:
        SqlRecords("postgresql://me:s3%cret@host/library")
    assert "s3" not in told(caught)
    assert "records.url" in told(caught)


def test_a_user_who_may_not_write_is_told_what_to_do(postgres, address):
    database = database_of(address)
    postgres.sql(f"CREATE USER guest_{database}", database)
    postgres.sql("REVOKE ALL ON SCHEMA public FROM PUBLIC", database)
    with pytest.raises(Misconfigured, match=r"permission denied|no schema") as caught:
        SqlRecords(postgres.address(database, f"guest_{database}"))
    assert "ALTER DATABASE" in told(caught)


def test_a_database_of_something_else_is_refused(postgres, address):
    postgres.sql("CREATE TABLE library (book INTEGER)", database_of(address))
    with pytest.raises(NotALibrary):
        SqlRecords(address)


def test_a_database_with_another_encoding_is_refused(postgres):
    provider = "LOCALE_PROVIDER libc" if postgres.sorts_as_people_do else ""
    postgres.sql(f"CREATE DATABASE latin ENCODING 'SQL_ASCII' TEMPLATE template0 {provider} LOCALE 'C'")
    with pytest.raises(Misconfigured, match="SQL_ASCII; UTF8 is needed"):
        SqlRecords(postgres.address("latin"))


def test_without_psycopg_an_address_is_told_what_is_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "psycopg", None)
    monkeypatch.delitem(sys.modules, "openseer.storage.sql.engine.postgres", raising=False)
    with pytest.raises(Misconfigured, match="psycopg is not installed") as caught:
        SqlRecords("postgresql://me@host/library")
    assert "openseer[postgres]" in told(caught)


def test_a_library_is_made_only_when_asked_for(address, tmp_path):
    settings = Settings.model_validate({"records": {"url": address}})
    with pytest.raises(NoLibrary) as caught:
        open_library(tmp_path / "data", settings=settings)
    assert "postgresql://" in told(caught)
    with open_library(tmp_path / "data", create=True, settings=settings) as library:
        name = library.records.uuid
    with open_library(tmp_path / "elsewhere", settings=settings) as library:
        assert library.records.uuid == name
    assert not (tmp_path / "data" / "library.db").exists()
