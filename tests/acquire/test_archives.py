"""Unpacking of archives and rejected members."""

from __future__ import annotations

import random
import struct
import sys
import tarfile
import time
import zipfile
from collections import Counter

import pytest

from openseer.acquire.archives import unpacker
from openseer.acquire.archives.kinds import kind_of
from openseer.acquire.archives.libarchive_reader import has_libarchive
from openseer.acquire.archives.unpacker import ArchiveLimits, Formats, UnpackedArchive
from openseer.core.errors import OUTCOMES
from tests.acquire.made_archives import (
    PAPER,
    compressed,
    encrypted_7z,
    encrypted_zip,
    named_zip,
    nested,
    overlapping_zip,
    packed,
    rar,
    tar_special,
    tarred,
    written,
    zeros_gz,
    zeros_tar_gz,
    zeros_zip,
)

BOUNDS = ArchiveLimits(members=50, total_bytes=3_000_000, member_bytes=2_000_000)
WIDE = ArchiveLimits(members=50_000, total_bytes=50_000_000_000, member_bytes=200_000_000)
FORMATS = Formats((), lambda head: kind_of(head.start))
NOISE = random.Random(1).randbytes(10_000)
LARGE_NOISE = random.Random(2).randbytes(400_000)
GIGABYTE = 1 << 30
needs_libarchive = pytest.mark.skipif(not has_libarchive(), reason="libarchive13 is not installed")


def unpacked(tmp_path, data, bounds=BOUNDS, name="a.zip"):
    """(name, bytes or code) of each member; of the archive itself the name is empty and the reason follows."""
    (tmp_path / "a").write_bytes(data)
    target = tmp_path / "out"
    target.mkdir(exist_ok=True)
    archive = UnpackedArchive(tmp_path / "a", name, target / "x-", bounds, FORMATS)
    members, has_more = [], True
    while has_more:
        batch, has_more = archive.next_batch()
        members += batch
    found = [
        (one.name, _content(target, one) if one.file else one.code, *([] if one.name else [one.why])) for one in members
    ]
    left = sorted(path.name for path in tmp_path.rglob("*"))
    assert left == ["a", "out"], "nothing else was written, nothing is left"
    assert all(one.code in OUTCOMES for one in members if one.why)
    return found


def _content(target, member):
    path = target / member.file
    data = path.read_bytes()
    path.unlink()
    return data


def test_every_file_is_unpacked_except_hidden_ones(tmp_path):
    data = packed(
        [("a.pdf", PAPER), ("sub/", b""), ("sub/b.pdf", b"two"), ("__MACOSX/._a.pdf", b""), (".DS_Store", b"")]
    )
    assert unpacked(tmp_path, data) == [("a.pdf", PAPER), ("sub/b.pdf", b"two")]


MEMBERS = [("a.pdf", PAPER), ("sub/b.pdf", b"two")]


@needs_libarchive
@pytest.mark.parametrize(
    "data",
    [
        tarred(MEMBERS),
        tarred(MEMBERS, "gz"),
        tarred(MEMBERS, "bz2"),
        tarred(MEMBERS, "xz"),
        compressed(tarred(MEMBERS), "zstd"),
        compressed(tarred(MEMBERS), "compress"),
        written(MEMBERS, "7zip"),
        written(MEMBERS, "cpio"),
        written(MEMBERS, "cpio_newc"),
    ],
    ids=["tar", "tar.gz", "tar.bz2", "tar.xz", "tar.zst", "tar.Z", "7z", "cpio", "cpio newc"],
)
def test_archives_of_every_type_are_unpacked(tmp_path, data):
    assert unpacked(tmp_path, data) == MEMBERS


@needs_libarchive
def test_a_rar_archive_is_unpacked(tmp_path):
    assert unpacked(tmp_path, rar(b"a.pdf", PAPER)) == [("a.pdf", PAPER)]


@needs_libarchive
@pytest.mark.parametrize(
    ("name", "kind", "inner"),
    [
        ("paper.pdf.gz", "gz", "paper.pdf"),
        ("PAPER.PS.Z", "compress", "PAPER.PS"),
        ("x.txt.bz2", "bz2", "x.txt"),
        ("x.xz", "xz", "x"),
        ("x.zst", "zstd", "x"),
        ("no-suffix", "gz", "no-suffix"),
    ],
)
def test_a_compressed_file_is_named_without_the_suffix(tmp_path, name, kind, inner):
    assert unpacked(tmp_path, compressed(PAPER, kind), name=name) == [(inner, PAPER)]


@pytest.mark.parametrize(
    "name", ["../../evil.pdf", "/etc/evil.pdf", "a/../../evil.pdf", "..\\evil.pdf", "C:\\evil.pdf"]
)
@pytest.mark.parametrize("pack", [packed, tarred, lambda members: tarred(members, "gz")], ids=["zip", "tar", "tar.gz"])
def test_names_that_lead_out_are_rejected(tmp_path, name, pack):
    found = unpacked(tmp_path, pack([(name, PAPER), ("good.pdf", PAPER)]))
    assert [what for _, what in found] == ["archive_refused", PAPER]


@pytest.mark.parametrize(
    "special",
    [
        tar_special("x", tarfile.SYMTYPE, "/etc"),
        tar_special("x", tarfile.LNKTYPE, "/etc/passwd"),
        tar_special("x", tarfile.CHRTYPE),
        tar_special("x", tarfile.BLKTYPE),
        tar_special("x", tarfile.FIFOTYPE),
    ],
    ids=["symbolic link", "hard link", "character device", "block device", "pipe"],
)
def test_links_and_devices_are_refused(tmp_path, special):
    data = tarred([special, ("x/passwd", PAPER)])
    assert unpacked(tmp_path, data) == [("x", "archive_refused"), ("x/passwd", PAPER)]


def test_links_of_a_zip_are_refused(tmp_path):
    link = zipfile.ZipInfo("link.pdf")
    link.external_attr = 0o120777 << 16
    assert unpacked(tmp_path, packed([(link, b"/etc/passwd")])) == [("link.pdf", "archive_refused")]


@needs_libarchive
@pytest.mark.parametrize(
    ("data", "found"),
    [
        (encrypted_zip(), [("secret.pdf", "encrypted"), ("open.pdf", PAPER)]),
        (encrypted_7z("secret.pdf", b"c" * 32), [("secret.pdf", "encrypted")]),
        (encrypted_7z("secret.pdf", b"c" * 32, also_header=True), [("", "encrypted", "It needs a password.")]),
        (rar(b"secret.pdf", b"c" * 32, is_encrypted=True), [("secret.pdf", "encrypted")]),
    ],
    ids=["zip", "7z", "7z with encrypted names", "rar"],
)
def test_an_encrypted_member_is_reported(tmp_path, data, found):
    assert unpacked(tmp_path, data) == found


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (named_zip("文章1.pdf".encode("shift-jis")), "文章1.pdf"),
        (named_zip("Über Größe.pdf".encode("cp437")), "Über Größe.pdf"),
        (named_zip("Schröder.pdf".encode("cp437")), "Schröder.pdf"),
        (named_zip("Größe.pdf".encode()), "Größe.pdf"),
        (tarred([("文章1.pdf", PAPER)], encoding="shift-jis"), "文章1.pdf"),
        (tarred([("Größe.pdf", PAPER)], encoding="latin-1"), "Größe.pdf"),
        (tarred([("Größe.pdf", PAPER)]), "Größe.pdf"),
        (packed([("a\x1b[2Jb.pdf", PAPER)]), "a [2Jb.pdf"),
        (packed([("x" * 400 + ".pdf", PAPER)]), "x" * 296 + ".pdf"),
    ],
    ids=["sjis", "cp437", "cp437 like a kanji", "utf-8", "tar sjis", "tar latin-1", "tar utf-8", "controls", "long"],
)
def test_names_in_other_encodings(tmp_path, data, name):
    assert unpacked(tmp_path, data) == [(name, PAPER)]


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_members_of_one_name_get_numbers(tmp_path):
    data = packed([("a/b.pdf", b"1"), ("a/b.pdf", b"2"), ("a/b.pdf", b"3"), ("c", b"4"), ("c", b"5")])
    expected = [("a/b.pdf", b"1"), ("a/b (2).pdf", b"2"), ("a/b (3).pdf", b"3"), ("c", b"4"), ("c (2)", b"5")]
    assert unpacked(tmp_path, data) == expected


def test_overlapping_members_are_refused(tmp_path):
    assert [what for _, what in unpacked(tmp_path, overlapping_zip())] == ["archive_refused"] * 2


def test_a_bomb_is_left_where_it_is(tmp_path):
    bomb = packed([("zeros.pdf", b"\0" * 1_900_000), ("good.pdf", PAPER)])
    assert len(bomb) < 4000
    assert unpacked(tmp_path, bomb) == [("zeros.pdf", "archive_refused"), ("good.pdf", PAPER)]


def test_a_member_may_be_only_so_large(tmp_path):
    small = ArchiveLimits(50, 3_000_000, 9_000)
    assert unpacked(tmp_path, packed([("big.pdf", NOISE)]), small) == [("big.pdf", "too_large")]
    assert unpacked(tmp_path, tarred([("big.pdf", NOISE), ("a.pdf", PAPER)], "gz"), small) == [
        ("big.pdf", "too_large"),
        ("a.pdf", PAPER),
    ]


def test_an_archive_inside_may_be_larger_than_a_document(tmp_path):
    small = ArchiveLimits(50, 3_000_000, 9_000)
    inner = packed([(f"{n}.pdf", NOISE[:8_000]) for n in range(3)])
    found = unpacked(tmp_path, packed([("inner.zip", inner)]), small)
    assert [name for name, _ in found] == [f"inner.zip/{n}.pdf" for n in range(3)]


@pytest.mark.parametrize(
    ("data", "bounds", "told"),
    [
        (packed([(f"{n}.pdf", PAPER) for n in range(51)]), BOUNDS, "51 files"),
        (tarred([(f"{n}.pdf", PAPER) for n in range(51)], "gz"), BOUNDS, "more than 50 files"),
        (packed([(f"{n}.pdf", NOISE) for n in range(4)]), ArchiveLimits(50, 30_000, 20_000), "more than 30,000"),
        (packed([(f"{n}.zip", packed([(f"{m}.pdf", PAPER) for m in range(20)])) for n in range(3)]), BOUNDS, "files"),
        (packed([]), BOUNDS, "no files"),
        (packed([("[Content_Types].xml", b"<Types/>"), ("word/document.xml", b"")]), BOUNDS, "document or a program"),
        (tarred([(f".{n}", b"") for n in range(501)]), BOUNDS, "500 entries"),
        (tarred(MEMBERS), ArchiveLimits(50, 3_000_000, 2_000_000, seconds=0), "took more than 0 s"),
    ],
    ids=["zip members", "tar members", "bytes", "nested members", "none", "document", "hidden entries", "time"],
)
def test_an_archive_that_is_refused_whole(tmp_path, data, bounds, told):
    assert told in unpacked(tmp_path, data, bounds)[-1][2]


def test_archives_in_archives_are_opened_so_deep_and_no_deeper(tmp_path):
    deepest = tarred([("c.pdf", PAPER)], "gz")
    middle = packed([("b.pdf", PAPER), ("deepest.tgz", deepest)])
    data = packed([("a.pdf", PAPER), ("middle.zip", middle)])
    found = [("a.pdf", PAPER), ("middle.zip/b.pdf", PAPER)]
    assert unpacked(tmp_path, data) == [*found, ("middle.zip/deepest.tgz/c.pdf", PAPER)]
    shallow = ArchiveLimits(50, 3_000_000, 2_000_000, depth=2)
    assert unpacked(tmp_path, data, shallow) == [*found, ("middle.zip/deepest.tgz", "archive_refused")]


def test_twenty_levels_end_at_the_fifth(tmp_path):
    assert unpacked(tmp_path, nested(20), WIDE) == [("18.zip/17.zip/16.zip/15.zip/14.zip", "archive_refused")]
    assert unpacked(tmp_path, nested(5), WIDE) == [("3.zip/2.zip/1.zip/0.zip/paper.pdf", PAPER)]


def test_the_ratio_counts_all_levels(tmp_path):
    level = packed([(f"{n}.pdf", bytes(900_000)) for n in range(10)])
    data = packed([(f"{n}.zip", level) for n in range(30)])
    assert "200 times" in unpacked(tmp_path, data, WIDE)[-1][2]


def test_a_damaged_archive_loses_only_damaged_members(tmp_path):
    data = bytearray(packed([("a.pdf", bytes(range(256)) * 40), ("b.pdf", PAPER)]))
    data[80] ^= 255
    assert unpacked(tmp_path, bytes(data)) == [("a.pdf", "archive_refused"), ("b.pdf", PAPER)]


@pytest.mark.parametrize("compression", ["", "gz", "xz"])
def test_the_members_before_the_cut_of_a_truncated_archive_are_unpacked(tmp_path, compression):
    data = tarred([("a.pdf", NOISE), ("b.pdf", LARGE_NOISE)], compression)
    (_, first), (name, second), (*_, told) = unpacked(tmp_path, data[: len(data) // 2])
    assert (first, name, second) == (NOISE, "b.pdf", "archive_refused")
    assert "the rest of it was not read" in told or "cut off" in told


def test_a_truncated_compressed_file_is_refused(tmp_path):
    data = compressed(NOISE, "gz")
    ((_, code, told),) = unpacked(tmp_path, data[:5000], name="x.gz")
    assert (code, "cut off" in told) == ("archive_refused", True)


@pytest.mark.parametrize(
    "data",
    [b"PK\x03\x04 and then nothing", b"", packed([("a.pdf", PAPER)])[:-30], b"7z\xbc\xaf\x27\x1cxx", b"\x1f\x9d\x1eB"],
    ids=["mark", "empty", "cut", "7z", "Z"],
)
def test_other_files_are_rejected_as_archives(tmp_path, data):
    ((name, code, _),) = unpacked(tmp_path, data)
    assert (name, code) == ("", "archive_refused")


@pytest.mark.parametrize("zip64", [False, True])
def test_a_huge_directory_is_not_read(tmp_path, zip64):
    entry = b"PK\x01\x02" + bytes(24) + b"\x01\x00" + bytes(16) + b"a"
    count, size = 100_000, 100_000 * len(entry)
    end = b"PK\x05\x06" + struct.pack("<HHHHLLH", 0, 0, count & 0xFFFF, count & 0xFFFF, size, 0, 0)
    if zip64:
        record = b"PK\x06\x06" + struct.pack("<QHHLLQQQQ", 44, 45, 45, 0, 0, count, count, size, 0)
        end = record + b"PK\x06\x07" + struct.pack("<LQL", 0, size, 1) + b"PK\x05\x06" + b"\xff" * 16 + bytes(2)
    began = time.thread_time()
    ((_, _, told),) = unpacked(tmp_path, b"PK\x03\x04" + entry * count + end)
    assert "entries" in told
    assert time.thread_time() - began < 0.3


def test_a_crawl_is_no_paper(tmp_path):
    assert unpacked(tmp_path, compressed(b"WARC/1.0\r\n", "gz"), name="x.warc.gz") == [("x.warc", "unsupported_type")]


@pytest.mark.parametrize("make", [zeros_gz, zeros_tar_gz, zeros_zip])
def test_gigabytes_of_zeros_end_at_once(tmp_path, make):
    began = time.thread_time()
    found = unpacked(tmp_path, make(GIGABYTE), WIDE, name="zeros.gz")
    assert found[0][1] == "archive_refused"
    assert time.thread_time() - began < 1
    assert ("good.pdf" in dict(row[:2] for row in found)) == (make is zeros_zip), "a ZIP has an index"


@pytest.mark.proof
@pytest.mark.parametrize("make", [zeros_gz, zeros_tar_gz, zeros_zip])
@pytest.mark.parametrize("name", ["zeros.pdf", "../zeros.pdf"])
def test_ten_gigabytes_of_zeros_end_at_once(tmp_path, make, name):
    data = make(10 * GIGABYTE, name) if make is zeros_tar_gz else make(10 * GIGABYTE)
    began = time.thread_time()
    assert "archive_refused" in unpacked(tmp_path, data, WIDE, name="zeros.gz")[0]
    assert time.thread_time() - began < 5


@pytest.mark.parametrize("pack", [packed, tarred])
def test_thousands_of_empty_members_end_at_once(tmp_path, pack):
    *given, (_, code, told) = unpacked(tmp_path, pack([(f"{n}.pdf", b"") for n in range(1_500)]), WIDE)
    assert (len(given), code, "1,000 empty files" in told) == (1_000, "archive_refused", True)


def test_what_lies_behind_a_small_bomb_is_reached(tmp_path):
    data = tarred([("zeros.pdf", bytes(60_000_000)), ("noise.pdf", LARGE_NOISE), ("good.pdf", PAPER)], "gz")
    assert [what for _, what in unpacked(tmp_path, data, WIDE)] == ["archive_refused", LARGE_NOISE, PAPER]


def test_without_libarchive_the_standard_library_reads_the_common_types(tmp_path, monkeypatch):
    monkeypatch.setattr(unpacker, "has_libarchive", lambda: False)
    for compression in ("", "gz", "bz2", "xz"):
        assert unpacked(tmp_path, tarred(MEMBERS, compression)) == MEMBERS
    for kind in ("gz", "bz2", "xz"):
        assert unpacked(tmp_path, compressed(PAPER, kind), name=f"a.pdf.{kind}") == [("a.pdf", PAPER)]
    special = tar_special("x", tarfile.SYMTYPE, "/etc")
    data = tarred([special, ("../y", PAPER), ("文章.pdf", PAPER)], "gz", "shift-jis")
    assert unpacked(tmp_path, data, WIDE) == [
        ("x", "archive_refused"),
        ("../y", "archive_refused"),
        ("文章.pdf", PAPER),
    ]
    assert unpacked(tmp_path, compressed(NOISE, "gz")[:5000], name="x.gz")[0][1] == "archive_refused"
    ((_, code, told),) = unpacked(tmp_path, rar(b"a.pdf", PAPER))
    assert code == "unsupported_type"
    assert "apt install libarchive13" in told


MADE = {
    "zip": packed([("a.pdf", NOISE), ("b.zip", packed([("c.pdf", PAPER)]))]),
    "tar": tarred([("a.pdf", NOISE), ("b.pdf", PAPER)]),
    "tar.gz": tarred([("a.pdf", NOISE), ("b.pdf", PAPER)], "gz"),
    "tar.xz": tarred([("a.pdf", NOISE), ("b.pdf", PAPER)], "xz"),
    "7z": written([("a.pdf", NOISE), ("b.pdf", PAPER)], "7zip") if has_libarchive() else b"",
    "cpio": written([("a.pdf", NOISE), ("b.pdf", PAPER)], "cpio") if has_libarchive() else b"",
    "rar": rar(b"a.pdf", NOISE),
    "Z": compressed(NOISE, "compress") if has_libarchive() else b"",
}


def mutated(data, chance):
    """The same bytes with some changed, cut out or doubled."""
    data = bytearray(data)
    for _ in range(chance.randint(1, 8)):
        at = chance.choice(
            [chance.randrange(len(data)), chance.randrange(min(200, len(data))), -chance.randint(1, 200)]
        )
        match chance.randrange(4):
            case 0:
                data[at] = chance.randrange(256)
            case 1:
                data[at] = 255
            case 2:
                del data[at : at + chance.randint(1, 50)]
            case 3:
                data[at:at] = data[at : at + chance.randint(1, 50)]
    return bytes(data)


def unpack_mutated(tmp_path, kind, count):
    """What became of each member of mutated archives: "read" or a code."""
    chance, outcomes = random.Random(kind), Counter[str]()
    for _ in range(count):
        for _, what, *_ in unpacked(tmp_path, mutated(MADE[kind], chance), name=f"a.{kind}"):
            outcomes["read" if isinstance(what, bytes) else what] += 1
    return outcomes


@pytest.mark.parametrize("kind", MADE)
def test_mutated_archives_end_in_our_outcomes_and_leave_nothing(tmp_path, kind):
    outcomes = unpack_mutated(tmp_path, kind, 25)
    assert outcomes.total() >= 10, "hardly an archive ends without a word"
    assert outcomes.keys() <= {"read", *OUTCOMES}


@pytest.mark.proof
@pytest.mark.parametrize("kind", MADE)
def test_many_mutated_archives(tmp_path, kind):
    assert unpack_mutated(tmp_path, kind, 1000).keys() <= {"read", *OUTCOMES}


def test_the_size_of_the_archive_does_not_matter_to_memory(tmp_path):
    """Batches are asked for one by one: nothing is unpacked ahead."""
    (tmp_path / "a").write_bytes(tarred([(f"{n}.pdf", NOISE) for n in range(100)]))
    archive = UnpackedArchive(tmp_path / "a", "a.tar", tmp_path / "x-", WIDE, FORMATS)
    assert len(archive.next_batch()[0]) == unpacker.BATCH_MEMBERS
    assert len(list(tmp_path.glob("x-*"))) == unpacker.BATCH_MEMBERS
    archive.close()
    assert sys.getsizeof(archive) < 200
