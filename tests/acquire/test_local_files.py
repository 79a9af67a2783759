"""Local files and file type detection."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest

from openseer.acquire.file_type import HEAD_BYTES, _by_signature, looks_like_pdf, sniff, sniff_without_libmagic
from openseer.acquire.local_files import check_readable, files_in, resource_of
from openseer.core.errors import Unreadable


@pytest.fixture
def tree(tmp_path):
    for name in ("b.pdf", "a/2.pdf", "a/1.pdf", "a/.hidden.pdf", ".git/x.pdf"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(name)
    (tmp_path / "loop").symlink_to(tmp_path)
    (tmp_path / "dangling.pdf").symlink_to(tmp_path / "nowhere")
    return tmp_path


def test_folders_are_walked_in_a_fixed_order_without_hidden_files_or_loops(tree):
    troubles: list[tuple[str, str]] = []
    found = [Path(path).relative_to(tree).as_posix() for path in files_in([tree], lambda *what: troubles.append(what))]
    assert found == ["b.pdf", "a/1.pdf", "a/2.pdf"]
    assert troubles == []


def test_a_hidden_file_is_found_if_named(tree):
    hidden = tree / "a" / ".hidden.pdf"
    assert list(files_in([hidden], print)) == [str(hidden)]


def test_named_paths_must_exist(tmp_path):
    with pytest.raises(Unreadable, match="does not exist"):
        check_readable([tmp_path, tmp_path / "nowhere"])


def test_a_local_file_is_a_resource_with_a_file_url(tree):
    resource = resource_of(str(tree / "b.pdf"))
    assert resource.url == (tree / "b.pdf").as_uri()
    assert resource.fetched_at > 0


@pytest.mark.parametrize(
    ("head", "mime"),
    [
        (b"%PDF-1.7\n", "application/pdf"),
        (b"\xef\xbb\xbf\n\n%PDF-1.4", "application/pdf"),
        (b"x" * 2000 + b"%PDF-1.4", "text/plain"),
        (b"", "application/x-empty"),
        (b"%!PS-Adobe-3.0\n", "application/postscript"),
        (b'{"id": "a paper", "title": "x"}', "application/json"),
        (b"<html><head><title>x</title></head></html>", "text/html"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "image/png"),
        (b"plain words", "text/plain"),
        (b"%!PS-Adobe-3.0 printed\n%PDF-1.4\n", "application/pdf"),
    ],
)
def test_the_bytes_tell_the_type(head, mime):
    assert sniff(head) == mime


def test_an_archive_that_only_stores_a_paper_is_an_archive():
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("paper.pdf", b"%PDF-1.7\n" + bytes(2000))
    head = out.getvalue()[:HEAD_BYTES]
    assert b"%PDF-" in head[:100]
    assert (sniff(head), sniff_without_libmagic(head)) == ("application/zip", "application/zip")


@pytest.mark.parametrize(
    ("head", "mime"),
    [(b"PK\x03\x04", "application/zip"), (b"words", "text/plain"), (b"\0\1\2", "application/octet-stream")],
)
def test_without_libmagic_the_built_in_signatures_are_used(head, mime):
    assert _by_signature(head) == mime


def test_a_pdf_header_far_inside_is_no_pdf():
    assert not looks_like_pdf(b"x" * 1024 + b"%PDF-")
