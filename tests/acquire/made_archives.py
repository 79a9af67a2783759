"""Archives made in code: ordinary, damaged, hostile."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import struct
import tarfile
import tempfile
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import libarchive

PAPER = b"%PDF-1.4 a paper"
ZEROS = 64 << 20
COMPRESSORS: dict[str, Callable[[bytes], bytes]] = {"gz": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress}


def packed(members):
    """A ZIP of (name or ZipInfo, data)."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members:
            archive.writestr(name, data)
    return out.getvalue()


def tarred(members, compression="", encoding="utf-8"):
    """A tar archive of (name or TarInfo, data)."""
    out = io.BytesIO()
    form = {"encoding": encoding, "format": tarfile.GNU_FORMAT}
    with tarfile.open(fileobj=out, mode=f"w:{compression}", **form) as archive:  # type: ignore[call-overload]
        for name, data in members:
            info = name if isinstance(name, tarfile.TarInfo) else tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return out.getvalue()


def tar_special(name, kind, target=""):
    """A link, device or pipe in a tar archive."""
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, target
    return info, b""


def written(members, form, compression=None):
    """An archive written by libarchive: 7zip, cpio, cpio_newc."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a"
        with libarchive.file_writer(str(path), form, compression) as archive:
            for name, data in members:
                archive.add_file_from_memory(name, len(data), data)
        return path.read_bytes()


def compressed(data, kind):
    """One compressed file."""
    if kind in ("zstd", "compress"):
        return _raw(data, kind)
    return COMPRESSORS[kind](data)


def _raw(data, kind):
    """One file through a filter of libarchive, in its raw format."""
    ffi = libarchive.ffi
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a"
        archive = ffi.write_new()
        ffi.get_write_filter_function(kind)(archive)
        ffi.get_write_format_function("raw")(archive)
        ffi.write_open_filename_w(archive, str(path))
        with libarchive.entry.new_archive_entry() as entry:
            ffi.entry_set_filetype(entry, 0o100000)
            ffi.write_header(archive, entry)
            ffi.write_data(archive, data, len(data))
        ffi.write_close(archive)
        ffi.write_free(archive)
        return path.read_bytes()


def rar(name, data, is_encrypted=False):
    """A RAR 4 archive of one stored file; its flag may claim that it is encrypted."""
    flags = 0x8004 if is_encrypted else 0x8000
    fields = struct.pack("<LLBLLBBHL", len(data), len(data), 3, zlib.crc32(data), 0, 20, 0x30, len(name), 0o100644)
    head = struct.pack("<BHH", 0x74, flags, 7 + len(fields) + len(name)) + fields + name
    main = struct.pack("<BHH", 0x73, 0, 13) + bytes(6)
    blocks = b"".join(struct.pack("<H", zlib.crc32(block) & 0xFFFF) + block for block in (main, head))
    return b"Rar!\x1a\x07\x00" + blocks + data + b"\xc4\x3d\x7b\x00\x40\x07\x00"


def encrypted_7z(name, data, also_header=False):
    """A 7z archive whose content, or also its list of files, needs a password."""
    coder = b"\x01\x24\x06\xf1\x07\x01\x02\x13\x00"
    streams = (
        bytes([6, 0, 1, 9, len(data), 0])
        + b"\x07\x0b\x01\x00" + coder + bytes([12, len(data), 0])
        + b"\x00"
    )  # fmt: skip
    names = b"\x00" + (name + "\0").encode("utf-16-le")
    files = b"\x05\x01\x11" + bytes([len(names)]) + names + b"\x00"
    header = b"\x17" + streams if also_header else b"\x01\x04" + streams[:-1] + b"\x08\x00\x00" + files + b"\x00"
    start = struct.pack("<QQL", len(data), len(header), zlib.crc32(header))
    return b"7z\xbc\xaf\x27\x1c\x00\x04" + struct.pack("<L", zlib.crc32(start)) + start + data + header


def encrypted_zip():
    """A ZIP with one encrypted and one open member."""
    data = bytearray(packed([("secret.pdf", PAPER), ("open.pdf", PAPER)]))
    for mark, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(mark) + place] |= 1
    return bytes(data)


def overlapping_zip():
    """A ZIP whose directory names the same data twice."""
    data = packed([("a.pdf", PAPER)])
    start, end = data.index(b"PK\x01\x02"), data.index(b"PK\x05\x06")
    entry = data[start:end]
    close = struct.pack("<HHHHLLH", 0, 0, 2, 2, 2 * len(entry), start, 0)
    return data[:start] + 2 * entry + b"PK\x05\x06" + close


def zeros_gz(count):
    """So many bytes of zeros as gzip, in parts."""
    return gzip.compress(bytes(ZEROS)) * (count // ZEROS)


def zeros_tar_gz(count, name="zeros.pdf"):
    """A tar.gz of a file of zeros, and one behind it."""
    info = tarfile.TarInfo(name)
    info.size = count
    head = gzip.compress(info.tobuf(tarfile.GNU_FORMAT))
    return head + zeros_gz(count) + gzip.compress(tarred([("good.pdf", PAPER)]))


def zeros_zip(count):
    """A ZIP of a file of zeros, made of equal parts of a deflate stream, and one behind it."""
    press = zlib.compressobj(9, zlib.DEFLATED, -15)
    part = press.compress(bytes(ZEROS)) + press.flush(zlib.Z_FULL_FLUSH)
    body = part * (count // ZEROS) + b"\x03\x00"
    good = packed([("good.pdf", PAPER)])
    central = good.index(b"PK\x01\x02")
    name, sizes = b"zeros.pdf", (0, len(body), count & 0xFFFFFFFF)
    local = b"PK\x03\x04" + struct.pack("<HHHHHLLLHH", 20, 0, 8, 0, 0, *sizes, len(name), 0) + name + body
    first = b"PK\x01\x02" + struct.pack("<HHHHHHLLLHHHHHLL", 20, 20, 0, 8, 0, 0, *sizes, len(name), 0, 0, 0, 0, 0, 0)
    second = bytearray(good[central : good.index(b"PK\x05\x06")])
    second[42:46] = struct.pack("<L", len(local))
    directory = first + name + second
    start = len(local) + central
    end = b"PK\x05\x06" + struct.pack("<HHHHLLH", 0, 0, 2, 2, len(directory), start, 0)
    return local + good[:central] + directory + end


def nested(levels):
    """A paper in so many ZIPs."""
    data, name = PAPER, "paper.pdf"
    for level in range(levels):
        data, name = packed([(name, data)]), f"{level}.zip"
    return data


def named_zip(name):
    """A ZIP whose member has a name in these bytes, without the flag of UTF-8."""
    data = packed([("x" * len(name), PAPER)])
    return data.replace(b"x" * len(name), name)
