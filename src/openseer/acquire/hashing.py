"""Hashes of files."""

from __future__ import annotations

import hashlib
from pathlib import Path

from openseer.acquire.file_type import HEAD_BYTES
from openseer.core.model.document import FileFacts

BLOCK_BYTES = 1 << 20


def hash_file(path: Path) -> tuple[FileFacts, bytes]:
    """SHA-1, SHA-256 and size of a file in one pass, and its first bytes."""
    sha1, sha256 = hashlib.sha1(usedforsecurity=False), hashlib.sha256()
    head, size = b"", 0
    with path.open("rb") as stream:
        while block := stream.read(BLOCK_BYTES):
            head = head or block[:HEAD_BYTES]
            size += len(block)
            sha1.update(block)
            sha256.update(block)
    return FileFacts(sha1.hexdigest(), sha256.hexdigest(), size), head
