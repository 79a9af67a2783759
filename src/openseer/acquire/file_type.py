"""File type detection by content, independent of the file name."""

from __future__ import annotations

from collections.abc import Callable

PDF = "application/pdf"
HEAD_BYTES = 4096
"""Bytes needed for detection."""

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
"""Magic bytes, used where libmagic is not installed."""

CONTAINERS = tuple(mark for mark, mime in SIGNATURES if mime != "application/postscript")
"""Magic bytes of files that may contain other files. PostScript is not included: printer wrappers precede real PDFs."""

HTML_STARTS = (b"<!doctype html", b"<html")
"""Starts of web pages."""


def looks_like_pdf(head: bytes) -> bool:
    """True if a PDF header is within the first 1024 bytes, as readers accept, and the file is no container."""
    return b"%PDF-" in head[:1024] and not head.startswith(CONTAINERS)


def sniff(head: bytes) -> str:
    """MIME type of a file by its first bytes."""
    if not head:
        return "application/x-empty"
    return PDF if looks_like_pdf(head) else _detect(head)


def sniff_without_libmagic(head: bytes) -> str:
    """MIME type by magic bytes alone, for processes that must not run a library on untrusted bytes."""
    if not head:
        return "application/x-empty"
    return PDF if looks_like_pdf(head) else _by_signature(head)


def _by_signature(head: bytes) -> str:
    if head[:256].lstrip().lower().startswith(HTML_STARTS):
        return "text/html"
    for signature, mime in SIGNATURES:
        if head.startswith(signature):
            return mime
    return "application/octet-stream" if b"\0" in head else "text/plain"


def _best_detector() -> Callable[[bytes], str]:
    """libmagic if it is installed, else the built-in signatures."""
    try:
        import magic  # an optional dependency: its wheel needs the system's libmagic
    except ImportError:
        return _by_signature
    return lambda head: str(magic.from_buffer(head, mime=True))


_detect = _best_detector()
