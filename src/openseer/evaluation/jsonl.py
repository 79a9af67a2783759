"""JSON Lines files, optionally gzipped."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson

from openseer.core.errors import BadRequest


def rows_of(file: Path) -> Iterator[dict[str, Any]]:
    """Objects of a file; an empty file is an error."""
    hint = "Name a file of this kind; see the manual."
    try:
        data = file.read_bytes()
        data = gzip.decompress(data) if file.suffix == ".gz" else data
        rows = [orjson.loads(line) for line in data.split(b"\n") if line.strip()]
    except (OSError, EOFError, ValueError) as error:
        raise BadRequest(f"{file} cannot be read as JSON Lines: {error}.", hint) from None
    if not rows:
        raise BadRequest(f"{file} is empty.", hint)
    yield from rows
