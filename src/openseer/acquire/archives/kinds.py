"""Kinds of archives, recognised by content."""

from __future__ import annotations

import re
from dataclasses import dataclass

TAR_BLOCK_BYTES, TAR_CHECKSUM = 512, slice(148, 156)
CPIO_HEADERS = (re.compile(rb"070707[0-7]{70}"), re.compile(rb"07070[12][0-9A-Fa-f]{104}"))
"""Headers in octal and in hexadecimal digits."""
CPIO_BINARY_HEADER_BYTES = 26
WEB_ARCHIVES = (b"WARC/", b"filedesc://")
"""Starts of crawls in WARC and ARC form, which are text to other readers."""


@dataclass(frozen=True, slots=True)
class ArchiveKind:
    """One archive format."""

    name: str
    mime: str
    signatures: tuple[bytes, ...] = ()
    suffixes: tuple[tuple[str, str], ...] = ()
    """Of a compressed file: its suffix, and the suffix of the file in it."""
    may_be_document: bool = False
    """True if other formats have this form, so that readers of documents are asked first."""

    @property
    def is_single_file(self) -> bool:
        """True if it is one compressed file, which may be a tar archive."""
        return bool(self.suffixes)


ZIP = ArchiveKind("ZIP", "application/zip", (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08PK\x03\x04"), (), True)
TAR = ArchiveKind("tar", "application/x-tar")
CPIO = ArchiveKind("cpio", "application/x-cpio")
GZIP = ArchiveKind("gzip", "application/gzip", (b"\x1f\x8b",), ((".tgz", ".tar"), (".gz", ""), (".z", "")), True)
BZIP2 = ArchiveKind(
    "bzip2",
    "application/x-bzip2",
    tuple(b"BZh%d" % level for level in range(1, 10)),
    ((".tbz2", ".tar"), (".tbz", ".tar"), (".bz2", "")),
    True,
)
XZ = ArchiveKind("xz", "application/x-xz", (b"\xfd7zXZ\0",), ((".txz", ".tar"), (".xz", "")), True)
ZSTD = ArchiveKind("zstd", "application/zstd", (b"\x28\xb5\x2f\xfd",), ((".tzst", ".tar"), (".zst", "")), True)
COMPRESS = ArchiveKind("compress", "application/x-compress", (b"\x1f\x9d",), ((".taz", ".tar"), (".z", "")), True)
SEVEN_ZIP = ArchiveKind("7z", "application/x-7z-compressed", (b"7z\xbc\xaf\x27\x1c",))
RAR = ArchiveKind("rar", "application/vnd.rar", (b"Rar!\x1a\x07\x00", b"Rar!\x1a\x07\x01\x00"))
KINDS = (ZIP, GZIP, BZIP2, XZ, ZSTD, COMPRESS, SEVEN_ZIP, RAR)


def kind_of(start: bytes) -> ArchiveKind | None:
    """The kind of an archive by its first bytes; None for other files."""
    for kind in KINDS:
        if start.startswith(kind.signatures):
            return kind
    if _is_tar(start):
        return TAR
    return CPIO if _is_cpio(start) else None


def is_web_archive(start: bytes) -> bool:
    """True for the records of a crawl."""
    return start.startswith(WEB_ARCHIVES)


def _is_tar(start: bytes) -> bool:
    """True if the checksum of the first header is right."""
    header = start[:TAR_BLOCK_BYTES]
    digits = header[TAR_CHECKSUM].strip(b" \0")
    if len(header) < TAR_BLOCK_BYTES or not header[0] or not digits or digits.strip(b"01234567"):
        return False
    filled = header[: TAR_CHECKSUM.start] + b" " * 8 + header[TAR_CHECKSUM.stop :]
    signed = sum(byte - 256 if byte > 127 else byte for byte in filled)
    return int(digits, 8) in (sum(filled), signed)


def _is_cpio(start: bytes) -> bool:
    if any(header.match(start) for header in CPIO_HEADERS):
        return True
    if not start.startswith((b"\xc7\x71", b"\x71\xc7")) or len(start) < CPIO_BINARY_HEADER_BYTES:
        return False
    length = int.from_bytes(start[20:22], "little" if start[0] == 0xC7 else "big")
    name = start[CPIO_BINARY_HEADER_BYTES : CPIO_BINARY_HEADER_BYTES + length]
    return 1 < length < len(start) and name.endswith(b"\0") and 0 not in name[:-1]
