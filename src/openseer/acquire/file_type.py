"""The type of a file from its bytes, never from its name."""

from __future__ import annotations

from collections.abc import Callable

PDF = "application/pdf"
HEAD = 4096
"""Bytes that are looked at."""

SIGNATURES = (
    (b"%!PS", "application/postscript"),
    (b"PK\x03\x04", "application/zip"),
    (b"PK\x05\x06", "application/zip"),
    (b"\x1f\x8b", "application/gzip"),
    (b"{\\rtf", "application/rtf"),
    (b"\xd0\xcf\x11\xe0", "application/x-ole-storage"),
    (b"\x89PNG", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
)
"""What is told apart where libmagic is missing."""

CONTAINERS = tuple(mark for mark, mime in SIGNATURES if mime != "application/postscript")
"""How files begin that may hold others. PostScript is none of them: printers' wrappers stand before real PDFs."""

PAGES = (b"<!doctype html", b"<html")
"""How web pages begin."""


def looks_like_pdf(head: bytes) -> bool:
    """Readers accept some rubbish before the mark, and so do we; but what begins like another thing may hold a PDF, and
    is none."""
    return b"%PDF-" in head[:1024] and not head.startswith(CONTAINERS)


def sniff(head: bytes) -> str:
    """The mime type of a file that begins like this."""
    if not head:
        return "application/x-empty"
    return PDF if looks_like_pdf(head) else _other(head)


def by_marks(head: bytes) -> str:
    """The same by a few marks alone, for a process that must not let a library look at foreign bytes."""
    if not head:
        return "application/x-empty"
    return PDF if looks_like_pdf(head) else _by_signature(head)


def _by_signature(head: bytes) -> str:
    if head[:256].lstrip().lower().startswith(PAGES):
        return "text/html"
    for mark, mime in SIGNATURES:
        if head.startswith(mark):
            return mime
    return "application/octet-stream" if b"\0" in head else "text/plain"


def _best_judge() -> Callable[[bytes], str]:
    """libmagic where it is installed (setup says when it is not), our few signatures elsewhere."""
    try:
        import magic  # an optional dependency: its wheel needs the system's libmagic
    except ImportError:
        return _by_signature
    return lambda head: str(magic.from_buffer(head, mime=True))


_other = _best_judge()
