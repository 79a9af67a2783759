"""RIS export, for reference managers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from openseer.catalog.export.publication_types import (
    author_names,
    file_url,
    page_range,
    persistent_url,
    publication_type,
)
from openseer.core.model.work import IndexedWork

TYPES = {
    "article": "JOUR", "conference": "CONF", "report": "RPRT", "thesis": "THES", "chapter": "CHAP", "book": "BOOK",
    "preprint": "UNPB",
}  # fmt: skip


def write(works: Sequence[IndexedWork], base: str) -> str:
    """All works, each from TY to ER."""
    return "".join("".join(f"{tag}  - {_line(value)}\r\n" for tag, value in _tags(work, base)) for work in works)


def _line(value: str) -> str:
    return " ".join(value.split())


def _tags(work: IndexedWork, base: str) -> Iterator[tuple[str, str]]:
    kind = publication_type(work)
    first, last = page_range(work)
    yield "TY", TYPES.get(kind, "GEN")
    values = [
        *(("AU", f"{family}, {given}" if given else family) for family, given in author_names(work)),
        ("TI", work.title),
        ("JO" if kind == "article" else "PB" if kind in ("report", "thesis", "book") else "T2", work.venue),
        ("PY", str(work.year or "")),
        ("VL", work.volume),
        ("SP", first),
        ("EP", last),
        ("DO", work.doi),
        ("UR", persistent_url(work, base)),
        ("L1", file_url(work, base)),
        ("AB", work.abstract),
        *(("KW", word) for word in work.keywords),
        ("LA", work.language),
    ]
    yield from ((tag, value) for tag, value in values if value)
    yield "ER", ""
