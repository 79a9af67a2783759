"""Hashes of files."""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from pathlib import Path

from openseer.core.model.document import FileFacts
from openseer.core.model.file_head import BLOCK_BYTES, HEAD_BYTES, FileHead, MarkFinder


def hash_file(path: Path, marks: Collection[bytes] = (), name: str = "") -> tuple[FileFacts, FileHead]:
    """SHA-1, SHA-256 and size of a file in one pass, with its head and the marks that it has."""
    sha1, sha256 = hashlib.sha1(usedforsecurity=False), hashlib.sha256()
    finder = MarkFinder(marks)
    start, size = b"", 0
    with path.open("rb") as stream:
        while block := stream.read(BLOCK_BYTES):
            start = start or block[:HEAD_BYTES]
            size += len(block)
            finder.add(block)
            sha1.update(block)
            sha256.update(block)
    head = FileHead(start, name or path.name, frozenset(finder.found))
    return FileFacts(sha1.hexdigest(), sha256.hexdigest(), size), head
