"""Reading of documents that tests make."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from openseer.core.errors import UnsupportedType
from openseer.core.model.file_head import head_of
from openseer.extract.formats import marks, reader_of
from openseer.extract.structured.document import StructuredText


@pytest.fixture
def read_bytes(tmp_path: Path) -> Callable[[bytes], StructuredText]:
    """The structure of a document, by the reader that recognises it."""

    def read(data: bytes) -> StructuredText:
        path = tmp_path / "document"
        path.write_bytes(data)
        reader = reader_of(head_of(path, marks()))
        if reader is None:
            raise UnsupportedType("a document of no known format")
        found = reader.read(path)
        assert isinstance(found, StructuredText)
        return found

    return read
