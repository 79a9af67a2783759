"""Names of members: decoded, checked, printable."""

from __future__ import annotations

import re

from openseer.acquire.archives.kinds import ArchiveKind

MAX_NAME_LENGTH = 300
JAPANESE_RUN = re.compile("[\u3041-\u30ff\u4e00-\u9fff\u3005]{2}")
"""Two kana or kanji: letters with accents of other encodings look like single ones."""
SAFE_SUFFIX = re.compile(r"\.[A-Za-z0-9]{1,8}")
HIDDEN_FILES = ("Thumbs.db", "desktop.ini")


def decode_name(name: bytes, fallback: str) -> str:
    """A name in UTF-8 or Shift-JIS, else in the fallback encoding.

    >>> decode_name("文章1.txt".encode("shift-jis"), "cp437"), decode_name(b"\\x9aber.txt", "cp437")
    ('文章1.txt', 'Über.txt')
    """
    for encoding in ("utf-8", "cp932"):
        try:
            decoded = name.decode(encoding)
        except UnicodeDecodeError:
            continue
        if encoding == "utf-8" or JAPANESE_RUN.search(decoded):
            return decoded
    return name.decode(fallback, "replace")


def leads_out(name: str) -> bool:
    """True for a path that is absolute, names a drive or goes up.

    >>> leads_out("a/../../b"), leads_out("/etc/b"), leads_out("C:\\\\b"), leads_out("a..b/c")
    (True, True, True, False)
    """
    parts = name.replace("\\", "/").split("/")
    return ".." in parts or parts[0] == "" or ":" in parts[0]


def is_hidden(name: str) -> bool:
    """True for hidden files and those of file managers."""
    parts = name.replace("\\", "/").split("/")
    return "__MACOSX" in parts or parts[-1] in HIDDEN_FILES or parts[-1].startswith(".")


def printable_name(name: str) -> str:
    """Name of a member as printable text.

    >>> printable_name("a\\x00b\\x1b[2J/c.pdf")
    'a b [2J/c.pdf'
    """
    return "".join(char if char.isprintable() else " " for char in name)[-MAX_NAME_LENGTH:]


def unique_name(name: str, number: int) -> str:
    """The name of the second, third ... member of one name.

    >>> unique_name("a/b.pdf", 2)
    'a/b (2).pdf'
    """
    folder, slash, file = name.rpartition("/")
    stem, dot, suffix = file.rpartition(".")
    return f"{folder}{slash}{stem} ({number}).{suffix}" if dot and stem else f"{name} ({number})"


def inner_name(archive: str, kind: ArchiveKind) -> str:
    """Name of the file in a compressed file.

    >>> from openseer.acquire.archives.kinds import GZIP
    >>> inner_name("x/paper.ps.gz", GZIP), inner_name("all.tgz", GZIP), inner_name("data", GZIP)
    ('paper.ps', 'all.tar', 'data')
    """
    name = archive.rpartition("/")[2]
    for suffix, inner in kind.suffixes:
        if name.lower().endswith(suffix) and len(name) > len(suffix):
            return name[: -len(suffix)] + inner
    return name


def spool_suffix(name: str) -> str:
    """The suffix of a name, if it is short and plain; else "".

    >>> spool_suffix("a.PDF"), spool_suffix("a.b/c"), spool_suffix("a.x y")
    ('.PDF', '', '')
    """
    base = name.rpartition("/")[2]
    dot = base.rfind(".")
    return base[dot:] if dot > 0 and SAFE_SUFFIX.fullmatch(base[dot:]) else ""
