"""CSL-JSON export, the input of citation styles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import orjson

from openseer.catalog.export.publication_types import author_names, persistent_url, publication_type
from openseer.core.model.work import IndexedWork

TYPES = {
    "article": "article-journal", "conference": "paper-conference", "report": "report", "thesis": "thesis",
    "book": "book", "chapter": "chapter", "preprint": "article",
}  # fmt: skip


def write(works: Sequence[IndexedWork], base: str) -> str:
    """All works as a JSON list of items."""
    return orjson.dumps([csl_item(work, base) for work in works], option=orjson.OPT_INDENT_2).decode()


def csl_item(work: IndexedWork, base: str) -> dict[str, Any]:
    """One work as a CSL item, without empty fields."""
    kind = publication_type(work)
    values = {
        "id": work.id,
        "type": TYPES.get(kind, "document"),
        "title": work.title,
        "author": [{"family": f, "given": g} if g else {"literal": f} for f, g in author_names(work)],
        "publisher" if kind in ("report", "thesis", "book") else "container-title": work.venue,
        "issued": {"date-parts": [[work.year]]} if work.year else None,
        "volume": work.volume,
        "page": work.pages,
        "DOI": work.doi,
        "URL": persistent_url(work, base),
        "abstract": work.abstract,
        "language": work.language,
    }
    return {name: value for name, value in values.items() if value}
