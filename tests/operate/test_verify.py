"""Verify finds what is broken, and mends what can be mended."""

from __future__ import annotations

import sqlite3

import pytest

from openseer.core.model.document import Viewer
from openseer.operate.verify import verify
from openseer.storage.open import open_library
from openseer.storage.tantivy.schema import VERSION


@pytest.fixture
def library(data):
    with open_library(data) as opened:
        yield opened


@pytest.fixture
def sha1(library):
    """A paper of the library whose sources are still there."""
    return next(one.sha1 for one in library.records.documents() if one.outcome == "ingested")


def spoil(library, sha1):
    with library.files.as_path("pdf", sha1, "pdf") as path:
        pass
    path.chmod(0o644)
    path.write_bytes(path.read_bytes()[:-10] + b"0123456789")


def test_a_healthy_library_has_no_fault(library):
    assert verify(library) == []


def test_a_damaged_file_is_found_and_fetched_again(library, sha1):
    spoil(library, sha1)
    assert [(fault.subject, fault.mended) for fault in verify(library)] == [(sha1, False)]
    assert [(fault.subject, fault.mended) for fault in verify(library, repair=True)] == [(sha1, True)]
    assert verify(library) == []


def test_a_missing_file_whose_source_is_gone_stays_a_fault(library, data, sha1):
    library.files.delete("pdf", sha1, "pdf")
    with sqlite3.connect(data / "library.db") as db:
        db.execute("UPDATE source SET url = 'file:///nowhere/at/all.pdf'")
    db.close()
    faults = verify(library, repair=True)
    assert [(fault.subject, fault.message, fault.mended) for fault in faults] == [(sha1, "the file is missing", False)]


def test_a_lost_reading_is_read_again(library, sha1):
    before = library.records.as_seen_by(Viewer.OPERATOR).document(sha1)
    library.files.delete("text", sha1, f"{before.generation}.txt.gz")
    assert "its text is missing" in [fault.message for fault in verify(library)]
    assert all(fault.mended for fault in verify(library, repair=True))
    assert library.records.as_seen_by(Viewer.OPERATOR).document(sha1).generation == before.generation + 1
    assert [fault for fault in verify(library, repair=True) if not fault.mended] == []
    assert verify(library) == []


def test_an_index_that_lost_something_is_built_anew(library):
    index = library.open_index()
    work = next(iter(library.records.live_works()))
    writer = index.writer()
    writer.remove(work)
    writer.commit(index.checkpoint())
    writer.close()
    assert [(fault.subject, fault.message) for fault in verify(library)] == [(work, "missing from the index")]
    assert [fault.mended for fault in verify(library, repair=True)] == [True]
    assert verify(library) == []


def test_a_broken_index_is_built_anew(library, data):
    (data / "index" / f"v{VERSION}" / "meta.json").write_text("{")
    assert [fault.area for fault in verify(library)] == ["index"]
    assert [fault.mended for fault in verify(library, repair=True)] == [True]
    assert verify(library) == []


def test_records_that_contradict_themselves_are_told(library, data):
    with sqlite3.connect(data / "library.db") as db:
        db.execute("UPDATE work SET canonical_id = 'w000000000000' WHERE id = (SELECT min(id) FROM work)")
    db.close()
    assert any("redirects to a work that redirects elsewhere" in fault.message for fault in verify(library))


def test_files_nobody_knows_are_swept(library, data):
    library.files.put("text", "0" * 40, "1.txt.gz", b"stray")
    assert [fault.message for fault in verify(library)] == ["of a document that is not in the records"]
    assert [fault.mended for fault in verify(library, repair=True)] == [True]
    assert verify(library) == []


def test_sources_that_uploaders_named_are_not_opened(library, data, sha1, tmp_path):
    """A name that is no URL, and a local file of another size, for a paper whose file is lost."""
    other = tmp_path / "large"
    other.write_bytes(b"not this one")
    library.files.delete("pdf", sha1, "pdf")
    for url in ("//[x", other.as_uri(), f"upload:{other}", f"https://host{other}"):
        with sqlite3.connect(data / "library.db") as db:
            db.execute("UPDATE source SET url = ? WHERE sha1 = ?", (url, sha1))
        db.close()
        faults = [one for one in verify(library, repair=True) if one.area == "files"]
        assert [(fault.message, fault.mended) for fault in faults] == [("the file is missing", False)], url
