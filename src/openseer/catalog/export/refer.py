"""Refer/BibIX export, for EndNote."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from openseer.catalog.export.publication_types import author_names, persistent_url, publication_type
from openseer.core.model.work import IndexedWork

TYPES = {
    "article": "Journal Article", "conference": "Conference Paper", "report": "Report", "thesis": "Thesis",
    "book": "Book", "chapter": "Book Section",
}  # fmt: skip
VENUE_TAGS = {"article": "%J", "conference": "%B", "chapter": "%B", "report": "%R"}


def write(works: Sequence[IndexedWork], base: str) -> str:
    """All works, separated by empty lines."""
    return "\n".join(
        "".join(f"{tag} {' '.join(value.split())}\n" for tag, value in _tags(work, base)) for work in works
    )


def _tags(work: IndexedWork, base: str) -> Iterator[tuple[str, str]]:
    kind = publication_type(work)
    values = [
        ("%0", TYPES.get(kind, "Generic")),
        ("%T", work.title),
        *(("%A", f"{family}, {given}" if given else family) for family, given in author_names(work)),
        (VENUE_TAGS.get(kind, "%I"), work.venue),
        ("%D", str(work.year or "")),
        ("%P", work.pages),
        ("%V", work.volume),
        ("%U", persistent_url(work, base)),
        ("%X", work.abstract),
        *(("%K", word) for word in work.keywords),
    ]
    yield from ((tag, value) for tag, value in values if value)
