"""Shared fixtures of the extraction tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from openseer.core.errors import Rejected
from openseer.core.model.extraction import Extraction
from openseer.extract.reader import read


@pytest.fixture(scope="session")
def sample_extractions(sample_papers: Path) -> dict[str, Extraction]:
    """Every sample that can be read, as it is read."""
    found = {}
    for path in sorted(sample_papers.glob("*.pdf")):
        try:
            found[path.name] = read(path)
        except Rejected:
            continue  # the scan has no text
    return found
