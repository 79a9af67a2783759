"""Files of JSON Lines, packed or not."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson

from openseer.core.errors import BadRequest


def rows_of(file: Path) -> Iterator[dict[str, Any]]:
    """Every object of a file, of which there must be one at least."""
    hint = "Name a file of this kind; see the manual."
    try:
        data = file.read_bytes()
        data = gzip.decompress(data) if file.suffix == ".gz" else data
        rows = [orjson.loads(line) for line in data.split(b"\n") if line.strip()]
    except (OSError, EOFError, ValueError) as error:
        raise BadRequest(f"{file} cannot be read as JSON Lines: {error}.", hint) from None
    if not rows:
        raise BadRequest(f"There is nothing in {file}.", hint)
    yield from rows
