"""Archives among ingested, watched and extracted files: members are files like others, refused ones are listed."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner

from openseer.acquire.archives import unpacker
from openseer.acquire.archives.libarchive_reader import has_libarchive
from openseer.cli import group
from openseer.core.errors import DiskFull
from openseer.core.model.document import Viewer
from openseer.core.settings import Settings
from openseer.ingest import archive_members, unpacking
from openseer.ingest.coordinator import Coordinator
from openseer.ingest.spool import RUN, run_folder, sweep
from openseer.ingest.unpacking import ArchiveReader, ingest_limits
from openseer.ingest.unpacking import unpack_job as unpacking_job
from openseer.storage.open import open_library
from tests.acquire.made_archives import PAPER, compressed, encrypted_zip, packed, tarred, written
from tests.builders import snapshot

DOCUMENTS = (
    "testEXCEL.xls", "testHTML.html", "testOpenOffice2.odt", "testPDF.pdf", "testPPT.ppt", "testRTF.rtf", "testTXT.txt",
    "testWORD.doc", "testXML.xml",
)  # fmt: skip
IN_FOLDER = {f"test-documents/{name}": "" for name in DOCUMENTS}
DROSTE = {f"{'droste.zip/' * level}droste.jpg": "" for level in range(5)}
CORPUS = {
    "droste.zip": {**DROSTE, "/".join(["droste.zip"] * 5): "archive_refused"},
    "multiple.gz": {"multiple": ""},
    "nested-3-levels.zip": {
        "a/level2.tar.gz/b/level3.zip/papers/acl-h01-1010.pdf": "",
        "a/level2.tar.gz/b/level3.zip/readme.txt": "",
        "a/level2.tar.gz/b/acl-p01-1027.pdf": "",
        "acl-p07-2007.pdf": "",
    },
    "paper-body.ps.gz": {"paper-body.ps": ""},
    "paper.pdf.gz": {"paper.pdf": ""},
    "pdfs_historicaldates.zip": {
        "pdfs_historicaldates/text-msword-savetopdf-mac.pdf": "",
        "pdfs_historicaldates/text-vectorgraphic.pdf": "",
    },
    "quine.gz": {"": "archive_refused"},
    "test-bz2.txt.bz2": {"test-bz2.txt": ""},
    "test-documents.7z": IN_FOLDER,
    "test-documents.cpio": IN_FOLDER,
    "test-documents.rar": IN_FOLDER,
    "test-documents.tar.Z": IN_FOLDER,
    "test-documents.tbz2": IN_FOLDER,
    "test-documents.tgz": IN_FOLDER,
    "test-documents.zip": {name: "" for name in DOCUMENTS},
    "test-nested-tarball.tar": {"folderContainingTgz/inner/nested.tgz/folderWithinTgz/testTXT.txt": ""},
    "test-zip-of-zip.zip": {"html-within-zip.zip/text.html": ""},
    "testZIP_corrupted_oom.zip": {"": "archive_refused"},
    "testZ_oom.Z": {"": "archive_refused"},
    "testZipEncrypted.zip": {"unencrypted.txt": "", "encrypted.txt": "encrypted"},
    "testZipEntryNameCharsetShiftSJIS.zip": {"文章1.txt": "", "文章2.txt": ""},
    "testZip_absolutePath.zip": {
        "C:/dangerous/dont/touch.pl": "archive_refused",
        "/dangerous/dont/touch.pl": "archive_refused",
    },
    "testZip_overlappingNames.zip": {"f1.txt": "", "../../../f1.txt": "archive_refused"},
    "testZip_relative.zip": {"../../../dangerous/dont/touch.pl": "archive_refused"},
}
"""File of the corpus -> its members with the reason for which they are refused."""


@pytest.fixture
def library(tmp_path):
    with open_library(tmp_path / "data", create=True) as opened:
        yield opened
    assert list((tmp_path / "data" / "spool").glob("*")) == [], "nothing is left in the spool"


def members(tmp_path, archive):
    """Name and refusal of each member, unpacked by a confined worker."""
    folder = tmp_path / "members"
    folder.mkdir(exist_ok=True)
    reader = ArchiveReader(folder, ingest_limits(Settings()), Settings())
    try:
        found = [one for one in reader.members(archive, archive.name) if one is not None]
        assert {path.name for path in folder.iterdir()} == {one.file for one in found if one.file}
        for one in found:
            if one.file:
                reader.path_of(one).unlink()
        return {one.name: one.code for one in found}
    finally:
        reader.close()


@pytest.mark.skipif(not has_libarchive(), reason="libarchive13 is not installed")
def test_every_archive_of_the_corpus(corpus, tmp_path):
    folder = corpus / "formats" / "archives"
    assert {path.name for path in folder.iterdir()} == set(CORPUS)
    for name, expected in CORPUS.items():
        assert members(tmp_path, folder / name) == expected, name


def papers_in(folder, few_papers):
    """Papers in archives of several types, and what is refused of them; the number of documents."""
    paper = {path.stem: path.read_bytes() for path in few_papers.glob("*.pdf")}
    nested = packed([("b.pdf", paper["zitationsindex"]), ("c.tgz", tarred([("d.pdf", paper["paper-rank"])], "gz"))])
    files = {
        "all.zip": packed([("sub/a.pdf", paper["near-duplicates"]), ("nested.zip", nested), ("../out.pdf", PAPER)]),
        "one.pdf.gz": compressed(paper["near-duplicates-preprint"], "gz"),
        "secret.zip": encrypted_zip(),
        "damaged.7z": b"7z\xbc\xaf\x27\x1c and nothing",
    }
    for name, data in files.items():
        (folder / name).write_bytes(data)
    return folder


def test_members_are_documents_and_the_archive_has_a_row_only_if_something_was_refused(library, few_papers, tmp_path):
    folder = tmp_path / "in"
    folder.mkdir()
    progress = Coordinator(library, 2).run([papers_in(folder, few_papers)])
    refused = {"archive_refused": 2, "encrypted": 1, "corrupt": 1}
    assert progress.counts == {"ingested": 4, **refused}
    assert progress.total == progress.done
    troubles = {one.path.removeprefix(f"{folder}/"): one.reason for one in progress.troubles}
    assert troubles.keys() == {"all.zip/../out.pdf", "secret.zip/secret.pdf", "secret.zip/open.pdf", "damaged.7z"}
    sources = {
        one.sources[0].url.removeprefix(folder.as_uri()): (one.outcome, one.detail)
        for one in library.records.as_seen_by(Viewer.OPERATOR)
        .documents([document.sha1 for document in library.records.documents()])
        .values()
    }
    assert {url for url, (outcome, _) in sources.items() if outcome == "ingested"} == {
        "/all.zip#sub/a.pdf",
        "/all.zip#nested.zip/b.pdf",
        "/all.zip#nested.zip/c.tgz/d.pdf",
        "/one.pdf.gz#one.pdf",
    }
    archives = {url: found for url, found in sources.items() if "#" not in url}
    assert archives.keys() == {"/all.zip", "/secret.zip", "/damaged.7z"}, "/one.pdf.gz has no row"
    assert archives["/secret.zip"] == (
        "archive_refused",
        "Some members were rejected. secret.pdf: It needs a password.",
    )
    again = Coordinator(library, 2).run([folder])
    assert again.counts == {"known": 4, "rejected_before": 4}
    assert all(one.before for one in again.troubles)


def test_an_unknown_member_has_its_own_row_and_a_document_in_the_form_of_a_zip_is_no_archive(library, tmp_path):
    program = packed([("META-INF/MANIFEST.MF", b"x"), ("a.class", b"y")])
    (tmp_path / "all.zip").write_bytes(packed([("image.gif", b"GIF89a"), ("none.pdf", b""), ("run.jar", program)]))
    (tmp_path / "run.jar").write_bytes(program)
    progress = Coordinator(library, 1).run([tmp_path / "all.zip", tmp_path / "run.jar"])
    assert progress.counts == {"unsupported_type": 2, "empty": 1, "known": 1}
    assert len(list(library.records.documents())) == 3


@pytest.mark.parametrize("name", ["testWORD.docx", "testPPT.pptx", "testOpenOffice2.odt"])
def test_an_office_document_is_a_document_alone_and_in_an_archive(corpus, library, tmp_path, name):
    document = corpus / "formats" / "other" / name
    (tmp_path / "a.zip").write_bytes(packed([(f"in/{name}", document.read_bytes())]))
    Coordinator(library, 1).run([tmp_path / "a.zip"])
    Coordinator(library, 1).run([document])
    (row,) = library.records.documents()
    assert row.mime.startswith("application/vnd.")
    found = library.records.as_seen_by(Viewer.OPERATOR).document(row.sha1)
    archive, alone = f"{(tmp_path / 'a.zip').as_uri()}#in/{name}", document.resolve().as_uri()
    assert {one.url for one in found.sources} == {archive, alone}


def test_members_are_deleted_as_soon_as_they_are_stored(library, few_papers, tmp_path, monkeypatch):
    left: list[Path] = []

    @contextmanager
    def watched_folder(folder):
        with run_folder(folder) as made:
            yield made
            left.extend(made.iterdir())

    monkeypatch.setattr(archive_members, "run_folder", watched_folder)
    paper = (few_papers / "paper-rank.pdf").read_bytes()
    other = [("again.pdf", paper), ("image.gif", b"GIF89a"), ("image2.gif", b"GIF89a"), ("none.pdf", b"")]
    (tmp_path / "a.zip").write_bytes(packed([("a.pdf", paper), *other]))
    assert Coordinator(library, 1).run([tmp_path / "a.zip"]).done == 5
    assert Coordinator(library, 1).run([tmp_path / "a.zip"]).done == 5
    assert left == []


def test_limits_of_ingest_leave_what_came_before(few_papers, tmp_path):
    paper = (few_papers / "paper-rank.pdf").read_bytes()
    (tmp_path / "in.tar").write_bytes(tarred([("a.pdf", paper), *((f"{n}.pdf", b"") for n in range(9))]))
    few = Settings.model_validate({"ingest": {"archive_members": 5}})
    with open_library(tmp_path / "data", create=True, settings=few) as library:
        counts = Coordinator(library, 1).run([tmp_path / "in.tar"]).counts
        assert counts["ingested"] == counts["archive_refused"] == 1
        (row,) = [one for one in library.records.documents() if one.outcome == "archive_refused"]
        assert "more than 5 files" in row.detail


def test_archives_in_a_watched_folder(library, few_papers, tmp_path):
    folder = tmp_path / "in"
    folder.mkdir()
    coordinator = Coordinator(library, 1)
    until = time.monotonic() + 30
    threading.Timer(0.5, papers_in, (folder, few_papers)).start()
    progress = coordinator.watch([folder], lambda: coordinator.progress.done >= 8 or time.monotonic() > until)
    assert progress.counts["ingested"] == 4
    assert progress.done == 8


def test_a_worker_that_dies_costs_the_rest_of_its_archive_only(library, few_papers, tmp_path, monkeypatch):
    paper = (few_papers / "paper-rank.pdf").read_bytes()
    (tmp_path / "a.zip").write_bytes(packed([("a.pdf", paper)]))
    (tmp_path / "b.zip").write_bytes(packed([("b.pdf", paper)]))
    with monkeypatch.context() as patch:
        patch.setattr(unpacking, "unpack_job", die)
        progress = Coordinator(library, 1).run([tmp_path / "a.zip"])
        assert progress.counts == {"archive_refused": 1}
        assert "ended with code" in progress.troubles[0].reason
    assert Coordinator(library, 1).run([tmp_path / "b.zip"]).counts == {"ingested": 1}


def test_a_full_disk_ends_the_run_and_blames_no_archive(library, tmp_path, monkeypatch):
    (tmp_path / "a.zip").write_bytes(packed([("a.pdf", PAPER)]))
    monkeypatch.setattr(unpacking, "unpack_job", unpack_to_a_full_disk)
    with pytest.raises(DiskFull, match="No space left"):
        Coordinator(library, 1).run([tmp_path / "a.zip"])
    assert list(library.records.documents()) == []


def unpack_to_a_full_disk(request):
    """Worker job that finds no space for the member."""

    def write(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    unpacker._Unpacker._write = write  # type: ignore[method-assign]
    return unpacking_job(request)


def die(request):
    """Worker job that ends its process."""
    os._exit(3)


def test_killed_and_resumed_it_is_the_same_library_and_the_spool_is_empty(few_papers, tmp_path):
    archive = tmp_path / "all.tar.gz"
    archive.write_bytes(tarred([(path.name, path.read_bytes()) for path in sorted(few_papers.glob("*.pdf"))], "gz"))
    command = [sys.executable, "-m", "openseer", "--data", str(tmp_path / "data"), "ingest", str(archive)]
    process = subprocess.Popen(command, stdout=-3, stderr=-3, start_new_session=True)
    until = time.monotonic() + 30
    while time.monotonic() < until and not list((tmp_path / "data").glob("spool/*/*")):
        time.sleep(0.005)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    assert list((tmp_path / "data").glob("spool/*")), "it was killed while it unpacked"
    left = tmp_path / "data" / "spool" / f"{RUN}{unlikely_process()}:x"
    left.mkdir(parents=True)
    (left / "member.pdf").write_bytes(PAPER)
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    assert list((tmp_path / "data" / "spool").iterdir()) == []
    with open_library(tmp_path / "data") as one, open_library(tmp_path / "whole", create=True) as other:
        Coordinator(other).run([few_papers])
        assert snapshot(one.records) == snapshot(other.records)


def unlikely_process():
    """The id of a process that is dead."""
    return f"{os.uname().nodename}:{2**22 - 1}:1"


def test_the_spool_of_a_living_process_is_not_swept(tmp_path):
    with run_folder(tmp_path) as folder:
        sweep(tmp_path)
        assert folder.is_dir()
    assert not folder.exists()


def test_extract_prints_a_line_for_each_member(few_papers, tmp_path):
    folder = tmp_path / "in"
    folder.mkdir()
    papers_in(folder, few_papers)
    command = [sys.executable, "-m", "openseer", "extract", "in", str(few_papers / "short.pdf")]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60)
    lines = [json.loads(line) for line in run.stdout.splitlines()]
    found = [(one["file"], (one["error"] or {"code": ""})["code"]) for one in lines]
    assert found == [
        ("in/all.zip/sub/a.pdf", ""),
        ("in/all.zip/nested.zip/b.pdf", ""),
        ("in/all.zip/nested.zip/c.tgz/d.pdf", ""),
        ("in/all.zip/../out.pdf", "archive_refused"),
        ("in/damaged.7z", "archive_refused"),
        ("in/one.pdf.gz/one.pdf", ""),
        ("in/secret.zip/secret.pdf", "encrypted"),
        ("in/secret.zip/open.pdf", "corrupt"),
        (str(few_papers / "short.pdf"), "too_short"),
    ]
    assert run.returncode == 1


def test_a_format_other_than_json_needs_a_folder_for_archives(few_papers, tmp_path):
    (tmp_path / "a.zip").write_bytes(packed([("a.pdf", (few_papers / "paper-rank.pdf").read_bytes())]))
    command = ["extract", str(tmp_path / "a.zip"), "--format", "text"]
    assert "--out" in CliRunner().invoke(group, command).output
    subprocess.run([sys.executable, "-m", "openseer", *command, "--out", str(tmp_path / "out")], check=True)
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["a.txt"]


@pytest.mark.proof
def test_memory_and_spool_stay_small_on_ten_thousand_members(tmp_path):
    """Members come in batches: the spool holds a few hundred at most, however large the archive is."""
    folder = tmp_path / "members"
    folder.mkdir()
    (tmp_path / "a.7z").write_bytes(written([(f"{n}.pdf", PAPER + b"%d" % n) for n in range(10_000)], "7zip"))
    reader = ArchiveReader(folder, ingest_limits(Settings()), Settings())
    count = most = 0
    for one in reader.members(tmp_path / "a.7z", "a.7z"):
        if one is not None:
            count += 1
            most = max(most, len(list(folder.iterdir()))) if count % 100 == 0 else most
            reader.path_of(one).unlink()
    reader.close()
    assert (count, most <= 32) == (10_000, True)
