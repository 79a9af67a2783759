"""Unpacking of archives and rejected members."""

from __future__ import annotations

import io
import struct
import time
import zipfile

import pytest

from openseer.acquire.archives import ArchiveLimits, decode_members, encode_request, unpack_job
from openseer.core.errors import ArchiveRefused

BOUNDS = ArchiveLimits(members=50, total_bytes=3_000_000, member_bytes=2_000_000)
PAPER = b"%PDF-1.4 a paper"


def packed(members):
    """The bytes of an archive of (name or ZipInfo, data)."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members:
            archive.writestr(name, data)
    return out.getvalue()


def unpacked(tmp_path, data, bounds=BOUNDS):
    """(name, bytes or why) of each member."""
    (tmp_path / "a.zip").write_bytes(data)
    target = tmp_path / "out"
    target.mkdir()
    members = decode_members(unpack_job(encode_request(tmp_path / "a.zip", target, bounds))[0])
    assert {path.resolve().parent for path in tmp_path.rglob("*") if path.is_file()} <= {tmp_path, target}
    return [(one.name, (target / one.file).read_bytes() if one.file else one.code) for one in members]


def test_every_file_is_unpacked_except_hidden_ones(tmp_path):
    data = packed(
        [("a.pdf", PAPER), ("sub/", b""), ("sub/b.pdf", b"two"), ("__MACOSX/._a.pdf", b""), (".DS_Store", b"")]
    )
    assert unpacked(tmp_path, data) == [("a.pdf", PAPER), ("sub/b.pdf", b"two")]


@pytest.mark.parametrize(
    "name", ["../../evil.pdf", "/etc/evil.pdf", "a/../../evil.pdf", "..\\evil.pdf", "C:\\evil.pdf"]
)
def test_names_that_lead_out_are_rejected(tmp_path, name):
    assert [what for _, what in unpacked(tmp_path, packed([(name, PAPER), ("good.pdf", PAPER)]))] == [
        "archive_refused",
        PAPER,
    ]


def test_links_are_refused(tmp_path):
    link = zipfile.ZipInfo("link.pdf")
    link.external_attr = 0o120777 << 16
    assert unpacked(tmp_path, packed([(link, b"/etc/passwd")])) == [("link.pdf", "archive_refused")]


def test_an_encrypted_member_is_reported(tmp_path):
    data = bytearray(packed([("secret.pdf", PAPER), ("open.pdf", PAPER)]))
    for mark, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(mark) + place] |= 1
    assert unpacked(tmp_path, bytes(data)) == [("secret.pdf", "encrypted"), ("open.pdf", PAPER)]


def test_a_bomb_is_left_where_it_is(tmp_path):
    bomb = packed([("zeros.pdf", b"\0" * 1_900_000), ("good.pdf", PAPER)])
    assert len(bomb) < 4000
    assert unpacked(tmp_path, bomb) == [("zeros.pdf", "archive_refused"), ("good.pdf", PAPER)]


def test_a_member_may_be_only_so_large(tmp_path):
    noise = bytes(range(256)) * 40
    small = ArchiveLimits(50, 3_000_000, 10_000)
    assert unpacked(tmp_path, packed([("big.pdf", noise)]), small) == [("big.pdf", "too_large")]


@pytest.mark.parametrize(
    ("members", "bounds", "told"),
    [
        ([(f"{n}.pdf", PAPER) for n in range(51)], BOUNDS, "51 files"),
        (
            [(f"{n}.pdf", bytes(range(256)) * 40) for n in range(4)],
            ArchiveLimits(50, 30_000, 20_000),
            "more than 30,000",
        ),
        ([(f"{n}.zip", packed([(f"{m}.pdf", PAPER) for m in range(20)])) for n in range(3)], BOUNDS, "files"),
        ([], BOUNDS, "no files"),
        ([("[Content_Types].xml", b"<Types/>"), ("word/document.xml", b"")], BOUNDS, "document or a program"),
    ],
)
def test_an_archive_that_is_refused_whole(tmp_path, members, bounds, told):
    with pytest.raises(ArchiveRefused, match=told):
        unpacked(tmp_path, packed(members), bounds)


def test_archives_in_archives_are_opened_so_deep_and_no_deeper(tmp_path):
    deepest = packed([("c.pdf", PAPER)])
    middle = packed([("b.pdf", PAPER), ("deepest.zip", deepest)])
    found = unpacked(tmp_path, packed([("a.pdf", PAPER), ("middle.zip", middle)]))
    assert found == [("a.pdf", PAPER), ("middle.zip/b.pdf", PAPER), ("middle.zip/deepest.zip", "archive_refused")]


def test_a_damaged_archive_loses_only_damaged_members(tmp_path):
    data = bytearray(packed([("a.pdf", bytes(range(256)) * 40), ("b.pdf", PAPER)]))
    data[80] ^= 255
    assert unpacked(tmp_path, bytes(data))[1:] == [("b.pdf", PAPER)]


@pytest.mark.parametrize(
    "data", [b"PK\x03\x04 and then nothing", b"", packed([("a.pdf", PAPER)])[:-30]], ids=["mark", "empty", "cut"]
)
def test_other_files_are_rejected_as_archives(tmp_path, data):
    with pytest.raises(ArchiveRefused):
        unpacked(tmp_path, data)


@pytest.mark.parametrize("zip64", [False, True])
def test_a_huge_directory_is_not_read(tmp_path, zip64):
    entry = b"PK\x01\x02" + bytes(24) + b"\x01\x00" + bytes(16) + b"a"
    count, size = 100_000, 100_000 * len(entry)
    end = b"PK\x05\x06" + struct.pack("<HHHHLLH", 0, 0, count & 0xFFFF, count & 0xFFFF, size, 0, 0)
    if zip64:
        record = b"PK\x06\x06" + struct.pack("<QHHLLQQQQ", 44, 45, 45, 0, 0, count, count, size, 0)
        end = record + b"PK\x06\x07" + struct.pack("<LQL", 0, size, 1) + b"PK\x05\x06" + b"\xff" * 16 + bytes(2)
    began = time.thread_time()
    with pytest.raises(ArchiveRefused, match="entries"):
        unpacked(tmp_path, entry * count + end)
    assert time.thread_time() - began < 0.3
