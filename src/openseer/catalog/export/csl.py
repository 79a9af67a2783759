"""CSL-JSON: what citation styles are made from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import orjson

from openseer.catalog.export.publication_types import kind_of, lasting_address, names
from openseer.core.model.work import IndexedWork

TYPES = {
    "article": "article-journal", "conference": "paper-conference", "report": "report", "thesis": "thesis",
    "book": "book", "chapter": "chapter", "preprint": "article",
}  # fmt: skip


def write(works: Sequence[IndexedWork], base: str) -> str:
    """A list of items."""
    return orjson.dumps([item(work, base) for work in works], option=orjson.OPT_INDENT_2).decode()


def item(work: IndexedWork, base: str) -> dict[str, Any]:
    """One work; what is not known is left out."""
    kind = kind_of(work)
    told = {
        "id": work.id,
        "type": TYPES.get(kind, "document"),
        "title": work.title,
        "author": [{"family": f, "given": g} if g else {"literal": f} for f, g in names(work)],
        "publisher" if kind in ("report", "thesis", "book") else "container-title": work.venue,
        "issued": {"date-parts": [[work.year]]} if work.year else None,
        "volume": work.volume,
        "page": work.pages,
        "DOI": work.doi,
        "URL": lasting_address(work, base),
        "abstract": work.abstract,
        "language": work.language,
    }
    return {name: value for name, value in told.items() if value}
