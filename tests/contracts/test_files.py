"""The contract of the file store."""

from __future__ import annotations

import pytest

from openseer.errors import NotFound, StoreUnavailable
from openseer.library.files import DiskFiles

SHA1 = "a7b98ea0f94b92aa00112233445566778899aabb"


@pytest.fixture(params=["disk"])
def files(request, tmp_path):
    return DiskFiles(tmp_path / "files")


def test_what_was_put_is_read_again(files, tmp_path):
    files.put("text", SHA1, "1.txt.gz", b"words")
    source = tmp_path / "paper.pdf"
    source.write_bytes(b"%PDF-1.7 bytes")
    files.put_file("pdf", SHA1, "pdf", source)
    assert files.read("text", SHA1, "1.txt.gz") == b"words"
    assert files.read("pdf", SHA1, "pdf") == b"%PDF-1.7 bytes"
    assert list(files.names("pdf")) == [(SHA1, "pdf")]
    assert list(files.names("text")) == [(SHA1, "1.txt.gz")]


def test_it_lies_seven_levels_deep_under_its_type(files):
    assert files.local("pdf", SHA1, "pdf").relative_to(files.root).as_posix() == (
        f"pdf/a7/b9/8e/a0/f9/4b/92/{SHA1}/{SHA1}.pdf"
    )


def test_what_is_kept_is_read_only_and_whole(files):
    files.put("text", SHA1, "1.txt.gz", b"words")
    assert files.local("text", SHA1, "1.txt.gz").stat().st_mode & 0o222 == 0
    assert list((files.root / "incoming").iterdir()) == []


def test_putting_twice_is_putting_once(files, tmp_path):
    for data in (b"first", b"second"):
        source = tmp_path / "paper.pdf"
        source.write_bytes(data)
        files.put_file("pdf", SHA1, "pdf", source)
    assert files.read("pdf", SHA1, "pdf") == b"first", "the name is the hash of the bytes: they cannot differ"


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
