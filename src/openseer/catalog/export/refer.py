"""Refer/BibIX, as EndNote reads it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from openseer.catalog.export.publication_types import kind_of, lasting_address, names
from openseer.core.model.work import IndexedWork

TYPES = {
    "article": "Journal Article", "conference": "Conference Paper", "report": "Report", "thesis": "Thesis",
    "book": "Book", "chapter": "Book Section",
}  # fmt: skip
VENUES = {"article": "%J", "conference": "%B", "chapter": "%B", "report": "%R"}


def write(works: Sequence[IndexedWork], base: str) -> str:
    """All works, an empty line between two."""
    return "\n".join(
        "".join(f"{tag} {' '.join(value.split())}\n" for tag, value in _tags(work, base)) for work in works
    )


def _tags(work: IndexedWork, base: str) -> Iterator[tuple[str, str]]:
    kind = kind_of(work)
    told = [
        ("%0", TYPES.get(kind, "Generic")),
        ("%T", work.title),
        *(("%A", f"{family}, {given}" if given else family) for family, given in names(work)),
        (VENUES.get(kind, "%I"), work.venue),
        ("%D", str(work.year or "")),
        ("%P", work.pages),
        ("%V", work.volume),
        ("%U", lasting_address(work, base)),
        ("%X", work.abstract),
        *(("%K", word) for word in work.keywords),
    ]
    yield from ((tag, value) for tag, value in told if value)
