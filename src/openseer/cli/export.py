"""`openseer export QUERY|ID`"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TextIO

import click

from openseer.catalog.export.registry import FORMATS
from openseer.catalog.identifiers import find
from openseer.catalog.indexing.projection import indexed
from openseer.cli.output import errors, plural
from openseer.core.model.document import Viewer
from openseer.core.model.query import SearchQuery, Word
from openseer.core.model.work import IndexedWork
from openseer.search.context import SearchContext
from openseer.search.pagination import Cursor
from openseer.search.query.operators import resolve_operators
from openseer.search.query.parser import parse
from openseer.storage.open import Library, open_library

PAGE = 500
NAMES = ("id", "sha1", "doi", "arxiv")
"""Fields of which a value names one work."""


@click.command("export")
@click.argument("query", nargs=-1)
@click.option("--format", "form", type=click.Choice(list(FORMATS)), default="bibtex", show_default=True)
@click.option("--limit", type=click.IntRange(1), default=10_000, show_default=True, help="Works at the most.")
@click.option("--out", type=click.File("w", encoding="utf-8"), default="-", help="Default: standard output.")
@click.option("--site", default="", help="Address of the web site, for links to the works.")
@click.pass_obj
def command(data: Path, query: tuple[str, ...], form: str, limit: int, out: TextIO, site: str) -> None:
    """Write works down for other programs: those of a query, or one by its work id, SHA-1 or DOI."""
    with open_library(data) as library:
        works = _named(library, " ".join(query)) or _found(library, " ".join(query), limit)
        out.write(FORMATS[form].write(works, site.rstrip("/")))
    errors.print(f"{plural(len(works), 'work')} written", markup=False)


def _named(library: Library, name: str) -> list[IndexedWork]:
    """The one work that a name names; nothing for a query."""
    if not isinstance(asked := parse(name), Word) or asked.field not in NAMES:
        return []
    return [indexed(library, find(library, asked.text, Viewer.PUBLIC))]


def _found(library: Library, query: str, limit: int) -> list[IndexedWork]:
    context = SearchContext(library.ready_index(), library.records)
    search_query = SearchQuery(resolve_operators(context, parse(query)), "citations", limit=min(PAGE, limit))
    return [work for _, work in zip(range(limit), _walk(context, search_query), strict=False)]


def _walk(context: SearchContext, search_query: SearchQuery) -> Iterator[IndexedWork]:
    """All of it, page by page, the most cited first."""
    cursor = Cursor()
    while True:
        found = context.index.search(replace(search_query, since=cursor.order_key, offset=cursor.offset))
        yield from (hit.work for hit in found.hits)
        cursor = cursor.after(found, search_query)
        if cursor == Cursor():
            return
