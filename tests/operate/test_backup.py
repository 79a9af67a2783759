"""A back-up is the library of one moment, whoever writes meanwhile; restored, it is the same library."""

from __future__ import annotations

import hashlib
import json
import os
import random
import shutil
import sqlite3
import subprocess
import time
from pathlib import Path

import pytest

from openseer.core.errors import (
    BadRequest,
    DamagedBackup,
    LibraryExists,
    Locked,
    NewerLibrary,
    NoBackup,
    NoLibrary,
    OpenseerError,
    Unreadable,
)
from openseer.core.model.document import Viewer
from openseer.ingest.coordinator import Coordinator
from openseer.operate.backup import MANIFEST, backup, read_manifest, restore
from openseer.operate.curation import delete
from openseer.operate.verify import verify
from openseer.storage.open import open_library
from tests.builders import LibrarySnapshot, snapshot
from tests.journeys.test_killed import check_equal, ingest


def saved(data: Path, target: Path) -> Path:
    with open_library(data) as library:
        backup(library, target)
    return target


def restored(source: Path, data: Path) -> LibrarySnapshot:
    """Restore a back-up; the library it gives is sound."""
    restore(data, source)
    with open_library(data) as library:
        assert verify(library) == []
        return snapshot(library.records)


def state(data: Path) -> LibrarySnapshot:
    with open_library(data) as library:
        return snapshot(library.records)


def first_paper(data: Path) -> str:
    with open_library(data) as library:
        return next(one.sha1 for one in library.records.documents() if one.outcome == "ingested")


def in_postgres(folder: Path, address: str) -> Path:
    folder.mkdir()
    (folder / "openseer.toml").write_text(f'[records]\nurl = "{address}"\n')
    return folder


@pytest.fixture
def kept(sample_data, tmp_path):
    """A back-up of the sample library."""
    return saved(sample_data, tmp_path / "kept")


def test_restored_it_is_the_same_library(data, tmp_path):
    (data / "openseer.toml").write_text('[site]\nname = "Sea papers"\n')
    kept = saved(data, tmp_path / "kept")
    assert restored(kept, tmp_path / "new") == state(data)
    check_equal(tmp_path / "new", data)
    with open_library(data) as old, open_library(tmp_path / "new") as new:
        assert new.settings.site.name == "Sea papers"
        assert (old.records.uuid, old.records.counts()) == (new.records.uuid, new.records.counts())
        assert list(old.records.changes_after(0, 10**6)) == list(new.records.changes_after(0, 10**6))


def test_it_moves_a_library_to_postgresql_and_back(sample_data, kept, address, tmp_path):
    there = in_postgres(tmp_path / "there", address)
    assert restored(kept, there) == state(sample_data)
    assert not (there / "library.db").exists()
    with open_library(there) as library:
        manifest, copied = backup(library, tmp_path / "again")
        assert copied.lost == ()
    assert manifest.library == read_manifest(kept).library
    (tmp_path / "back").mkdir()
    (tmp_path / "back" / "openseer.toml").write_text("")
    assert restored(tmp_path / "again", tmp_path / "back") == state(sample_data)
    rows = [table_rows(path / "library.db") for path in (sample_data, tmp_path / "back")]
    assert rows[0] == rows[1], "every table, row by row"


def table_rows(file: Path) -> dict[str, list[tuple[object, ...]]]:
    with sqlite3.connect(file) as db:
        names = [row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        rows = {name: sorted(db.execute(f"SELECT * FROM {name}"), key=repr) for name in names}
    db.close()
    return rows


def test_the_second_back_up_copies_only_what_is_new(data, tmp_path):
    kept = saved(data, tmp_path / "kept")
    with open_library(data) as library:
        assert backup(library, kept)[1].new_files == 0
        sha1 = first_paper(data)
        Coordinator(library, workers=1).re_extract([sha1])
        _, copied = backup(library, kept)
    assert copied.new_files == 2, "a new reading: its text and its extraction"
    readings = [path.name for path in (kept / "files").rglob(f"{sha1}.*.gz")]
    assert sorted(readings) == [f"{sha1}.2.json.gz", f"{sha1}.2.txt.gz"], "the older reading is named no more"
    assert len(list(kept.glob("records-*"))) == 1
    assert restored(kept, tmp_path / "new") == state(data)


@pytest.mark.parametrize("keeper", ["sqlite", "postgresql"])
def test_a_back_up_while_papers_come_in_is_sound(keeper, sample_papers, sample_data, tmp_path, request):
    seed = random.randrange(10**6)
    chance = random.Random(seed)
    data = tmp_path / "data"
    if keeper == "postgresql":
        in_postgres(data, request.getfixturevalue("address"))
    process = ingest(data, sample_papers)
    finished: list[int] = []
    try:
        while process.poll() is None and len(finished) < 3:
            time.sleep(chance.uniform(0.1, 1.5))
            try:
                saved(data, tmp_path / "kept")
            except NoLibrary:
                continue
            shutil.copytree(tmp_path / "kept", tmp_path / f"kept{len(finished)}", copy_function=os.link)
            finished.append(len(state(data).documents))
        _, errors = process.communicate(timeout=120)
        assert process.returncode == 0, errors.decode()
    finally:
        process.kill()
        process.communicate()
    print(f"seed {seed}; documents seen at each back-up: {finished}")
    assert finished
    for number in range(len(finished)):
        into = tmp_path / f"new{number}"
        into.mkdir()
        (into / "openseer.toml").write_text("")
        restored(tmp_path / f"kept{number}", into)
    if keeper == "postgresql":
        return
    again = ingest(tmp_path / "new0", sample_papers)
    again.communicate(timeout=120)
    check_equal(tmp_path / "new0", sample_data)


def test_a_reading_that_is_replaced_meanwhile_is_asked_for_again(data, tmp_path, monkeypatch):
    """The records are copied, and before its file is, a document is read anew and the older reading goes."""
    sha1 = first_paper(data)
    with open_library(data) as library:
        Coordinator(library, workers=1).re_extract([sha1])
        saving = type(library.records).save_to

        def save_then_reread(records, target):
            saving(records, target)
            if library.records.as_seen_by(Viewer.OPERATOR).document(sha1).generation == 3:
                Coordinator(library, workers=1).re_extract([sha1])

        saved(data, tmp_path / "kept")
        Coordinator(library, workers=1).re_extract([sha1])
        monkeypatch.setattr(type(library.records), "save_to", save_then_reread)
        monkeypatch.setattr("openseer.operate.backup.copy_files", once_skipped(sha1))
        manifest, copied = backup(library, tmp_path / "kept")
    assert copied.lost == ()
    assert restored(tmp_path / "kept", tmp_path / "new") == state(data)
    assert manifest.documents == copied.documents


def once_skipped(sha1):
    """Copies files, but the first time passes over one document, as if it had come later."""
    from openseer.operate.backup import copy_files

    calls = []

    def copying(documents, source, target, tell):
        calls.append(1)
        passed = (one for one in documents if len(calls) > 1 or one.sha1 != sha1)
        return copy_files(passed, source, target, tell)

    return copying


def test_it_waits_for_no_writer(data, tmp_path):
    with open_library(data) as library, library.records.writing():
        started = time.monotonic()
        backup(library, tmp_path / "kept")
        assert time.monotonic() - started < library.settings.ingest.lock_timeout / 2


def test_decisions_of_people_come_along(data, tmp_path):
    with open_library(data) as library:
        delete(library, first_paper(data), "asked by the author")
        acts = library.records.curation_actions(10)
    kept = saved(data, tmp_path / "kept")
    restore(tmp_path / "new", kept)
    with open_library(tmp_path / "new") as library:
        assert library.records.curation_actions(10) == acts
        assert verify(library) == []


def test_a_lost_file_is_told_and_everything_else_is_kept(data, tmp_path):
    sha1 = first_paper(data)
    with open_library(data) as library:
        library.files.delete("pdf", sha1, "pdf")
        _, copied = backup(library, tmp_path / "kept")
    assert copied.lost == (f"pdf {sha1}.pdf",)
    _, restored_files = restore(tmp_path / "new", tmp_path / "kept")
    assert restored_files.lost == copied.lost


def test_a_damaged_file_does_not_take_the_place_of_a_good_one(data, kept, tmp_path):
    sha1 = first_paper(data)
    with open_library(data) as library:
        with library.files.as_path("pdf", sha1, "pdf") as path:
            pass
        path.chmod(0o644)
        path.write_bytes(b"%PDF- cut")
        backup(library, kept)
    restored(kept, tmp_path / "new")
    with open_library(tmp_path / "new") as library:
        whole = library.files.read("pdf", sha1, "pdf")
    assert hashlib.sha1(whole, usedforsecurity=False).hexdigest() == sha1


def test_a_file_of_the_back_up_that_rotted_is_told(kept, tmp_path):
    path = next((kept / "files" / "pdf").rglob("*.pdf"))
    path.chmod(0o644)
    path.write_bytes(path.read_bytes()[:-3] + b"rot")
    _, copied = restore(tmp_path / "new", kept)
    assert copied.lost == (f"pdf {path.name}",)


def test_no_library_is_overwritten(sample_data, kept, data, address, tmp_path):
    with pytest.raises(LibraryExists, match="already"):
        restore(data, kept)
    there = in_postgres(tmp_path / "there", address)
    restore(there, kept)
    with pytest.raises(LibraryExists, match="already"):
        restore(in_postgres(tmp_path / "beside", address), kept)
    assert state(there) == state(data) == state(sample_data)


@pytest.mark.parametrize(
    ("where", "error"), [("data/inside", BadRequest), ("data", BadRequest), (".", BadRequest), ("file", Unreadable)]
)
def test_where_no_back_up_can_lie(data, tmp_path, where, error):
    (tmp_path / "file").write_text("")
    with open_library(data) as library, pytest.raises(error):
        backup(library, tmp_path / where)


def test_a_directory_of_something_else_is_left_alone(data, kept, sample_papers, tmp_path):
    with open_library(tmp_path / "other", create=True) as other:
        with pytest.raises(BadRequest, match="another library"):
            backup(other, kept)
        with pytest.raises(BadRequest, match="holds a library itself"):
            backup(other, data)


def test_what_is_no_whole_back_up_is_refused_and_leaves_nothing(kept, tmp_path):
    new = tmp_path / "new"
    manifest = json.loads((kept / MANIFEST).read_text())
    records = kept / manifest["records"]
    with pytest.raises(NoBackup, match="no finished back-up"):
        restore(new, tmp_path / "nowhere")
    (kept / MANIFEST).write_text(json.dumps({**manifest, "schema": 9999}))
    with pytest.raises(NewerLibrary):
        restore(new, kept)
    (kept / MANIFEST).write_text(json.dumps({**manifest, "format": 9}))
    with pytest.raises(NoBackup, match="unknown format"):
        restore(new, kept)
    (kept / MANIFEST).write_text("{")
    with pytest.raises(DamagedBackup):
        restore(new, kept)
    (kept / MANIFEST).write_text(json.dumps(manifest))
    records.write_bytes(records.read_bytes()[:-1] + b"?")
    with pytest.raises(DamagedBackup, match="SHA-256"):
        restore(new, kept)
    records.unlink()
    with pytest.raises(DamagedBackup, match="does not contain"):
        restore(new, kept)
    assert not (new / "library.db").exists()


def test_damaged_records_do_not_take_the_place_of_good_ones(data, kept, tmp_path):
    before = read_manifest(kept)
    with (data / "library.db").open("r+b") as out:
        out.seek(4096 * 20)
        out.write(b"\xff" * 4096 * 8)
    with open_library(data) as library, pytest.raises(OpenseerError) as caught:
        backup(library, kept)
    assert caught.value.code in ("damaged_backup", "not_a_library")
    assert read_manifest(kept) == before
    restored(kept, tmp_path / "new")


def test_two_do_not_fill_one_directory(data, tmp_path):
    with open_library(data) as library:

        def meanwhile(what, done):
            with pytest.raises(Locked, match="Another process is writing to"):
                backup(library, tmp_path / "kept")

        backup(library, tmp_path / "kept", meanwhile)


def test_a_full_disk_leaves_the_earlier_back_up(data, tmp_path):
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=300k", "tmpfs", disk]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("cannot mount a small tmpfs here (not root)")
    try:
        with open_library(data) as library:
            with pytest.raises(OpenseerError, match="full") as caught:
                backup(library, disk / "kept")
            assert caught.value.code == "disk_full"
            subprocess.run(["mount", "-o", "remount,size=200m", disk], check=True)
            backup(library, disk / "kept")
        assert restored(disk / "kept", tmp_path / "new") == state(data)
    finally:
        subprocess.run(["umount", disk], check=False)
