"""The contract of the file store."""

from __future__ import annotations

import hashlib

import pytest

from openseer.core.errors import Conflict, NotFound, StoreUnavailable
from openseer.storage.files.disk import DiskFiles

SHA1 = "a7b98ea0f94b92aa00112233445566778899aabb"


@pytest.fixture(params=["disk"])
def files(request, tmp_path):
    return DiskFiles(tmp_path / "files")


def sha1_of(data: bytes) -> str:
    return hashlib.sha1(data, usedforsecurity=False).hexdigest()


def test_what_was_put_is_read_again(files, tmp_path):
    files.put("text", SHA1, "1.txt.gz", b"words")
    source = tmp_path / "paper.pdf"
    source.write_bytes(b"%PDF-1.7 bytes")
    name = sha1_of(b"%PDF-1.7 bytes")
    files.put_file("pdf", name, "pdf", source)
    assert files.read("text", SHA1, "1.txt.gz") == b"words"
    assert files.read("pdf", name, "pdf") == b"%PDF-1.7 bytes"
    assert list(files.names("pdf")) == [(name, "pdf")]
    assert list(files.names("text")) == [(SHA1, "1.txt.gz")]


def test_it_lies_seven_levels_deep_under_its_type(files):
    assert files.local("pdf", SHA1, "pdf").relative_to(files.root).as_posix() == (
        f"pdf/a7/b9/8e/a0/f9/4b/92/{SHA1}/{SHA1}.pdf"
    )


def test_what_is_made_of_it_lies_two_levels_deep_and_is_found_where_it_lay_before(files):
    files.put("text", SHA1, "1.txt.gz", b"one")
    shallow = files.local("text", SHA1, "1.txt.gz")
    assert shallow.relative_to(files.root).as_posix() == f"text/{SHA1[:2]}/{SHA1[2:4]}/{SHA1}.1.txt.gz"
    deep = files.root.joinpath("text", *(SHA1[at : at + 2] for at in range(0, 14, 2)), SHA1, shallow.name)
    deep.parent.mkdir(parents=True)
    shallow.rename(deep)
    assert files.read("text", SHA1, "1.txt.gz") == b"one"
    files.put("text", "0" * 40, "1.txt.gz", b"another")
    assert list(files.names("text")) == [("0" * 40, "1.txt.gz"), (SHA1, "1.txt.gz")]
    files.delete("text", SHA1, "1.txt.gz")
    assert not files.has("text", SHA1, "1.txt.gz")


def test_what_is_kept_is_read_only_and_whole(files):
    files.put("text", SHA1, "1.txt.gz", b"words")
    assert files.local("text", SHA1, "1.txt.gz").stat().st_mode & 0o222 == 0
    assert list((files.root / "incoming").iterdir()) == []


def test_putting_twice_is_putting_once(files, tmp_path):
    source = tmp_path / "paper.pdf"
    source.write_bytes(b"bytes")
    for _ in range(2):
        files.put_file("pdf", sha1_of(b"bytes"), "pdf", source)
    assert files.read("pdf", sha1_of(b"bytes"), "pdf") == b"bytes"


def test_what_a_power_cut_left_half_is_put_again(files, tmp_path):
    source = tmp_path / "paper.pdf"
    source.write_bytes(b"bytes")
    left = files.local("pdf", sha1_of(b"bytes"), "pdf")
    left.parent.mkdir(parents=True)
    left.write_bytes(b"by")
    files.put_file("pdf", sha1_of(b"bytes"), "pdf", source)
    files.sync()
    assert files.read("pdf", sha1_of(b"bytes"), "pdf") == b"bytes"


def test_a_file_that_is_not_what_it_is_called_is_refused(files, tmp_path):
    source = tmp_path / "paper.pdf"
    source.write_bytes(b"changed meanwhile")
    with pytest.raises(Conflict, match="changed while it was being ingested"):
        files.put_file("pdf", sha1_of(b"bytes"), "pdf", source)
    assert not files.has("pdf", sha1_of(b"bytes"), "pdf")
    assert list((files.root / "incoming").iterdir()) == []


def test_what_is_not_there_is_not_found(files):
    assert not files.has("pdf", SHA1, "pdf")
    with pytest.raises(NotFound):
        files.read("pdf", SHA1, "pdf")
    files.delete("pdf", SHA1, "pdf")
    assert list(files.names("pdf")) == []


def test_a_failed_write_leaves_nothing_behind(files, tmp_path):
    with pytest.raises(FileNotFoundError):
        files.put_file("pdf", SHA1, "pdf", tmp_path / "gone.pdf")
    assert not files.has("pdf", SHA1, "pdf")


def test_a_store_that_cannot_be_written_says_so(tmp_path):
    (tmp_path / "files").write_text("a file where the folder should be")
    with pytest.raises(StoreUnavailable, match="Cannot write"):
        DiskFiles(tmp_path / "files").put("text", SHA1, "1.txt.gz", b"words")


def test_leftovers_of_a_killed_process_are_swept(files):
    files.put("text", SHA1, "1.txt.gz", b"words")
    (files.root / "incoming" / "half-written").write_bytes(b"wor")
    assert files.sweep() == 1
    assert files.read("text", SHA1, "1.txt.gz") == b"words"
