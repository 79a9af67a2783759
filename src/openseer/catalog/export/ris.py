"""RIS: a line for each datum, for reference managers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from openseer.catalog.export.publication_types import file_address, kind_of, lasting_address, names, pages
from openseer.core.model.work import IndexedWork

TYPES = {
    "article": "JOUR", "conference": "CONF", "report": "RPRT", "thesis": "THES", "chapter": "CHAP", "book": "BOOK",
    "preprint": "UNPB",
}  # fmt: skip


def write(works: Sequence[IndexedWork], base: str) -> str:
    """All works; TY first and ER last of each."""
    return "".join("".join(f"{tag}  - {_line(value)}\r\n" for tag, value in _tags(work, base)) for work in works)


def _line(value: str) -> str:
    return " ".join(value.split())


def _tags(work: IndexedWork, base: str) -> Iterator[tuple[str, str]]:
    kind = kind_of(work)
    first, last = pages(work)
    yield "TY", TYPES.get(kind, "GEN")
    told = [
        *(("AU", f"{family}, {given}" if given else family) for family, given in names(work)),
        ("TI", work.title),
        ("JO" if kind == "article" else "PB" if kind in ("report", "thesis", "book") else "T2", work.venue),
        ("PY", str(work.year or "")),
        ("VL", work.volume),
        ("SP", first),
        ("EP", last),
        ("DO", work.doi),
        ("UR", lasting_address(work, base)),
        ("L1", file_address(work, base)),
        ("AB", work.abstract),
        *(("KW", word) for word in work.keywords),
        ("LA", work.language),
    ]
    yield from ((tag, value) for tag, value in told if value)
    yield "ER", ""
