"""`openseer export QUERY|ID`: export works: BibTeX, RIS, CSL-JSON, XML, feeds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TextIO

import click

from openseer.catalog.export.registry import FORMATS
from openseer.catalog.identifiers import find
from openseer.catalog.indexing.projection import indexed
from openseer.cli.output import plural, stderr
from openseer.core.model.document import Viewer
from openseer.core.model.query import SearchQuery, Word
from openseer.core.model.work import IndexedWork
from openseer.search.context import SearchContext
from openseer.search.pagination import Cursor
from openseer.search.query.operators import resolve_operators
from openseer.search.query.parser import parse
from openseer.storage.open import Library, open_library

PAGE_SIZE = 500
ID_FIELDS = ("id", "sha1", "doi", "arxiv")
"""Fields whose value identifies one work."""


@click.command("export")
@click.argument("query", nargs=-1)
@click.option(
    "--format", "form", type=click.Choice(list(FORMATS)), default="bibtex", show_default=True, help="Export format."
)
@click.option("--limit", type=click.IntRange(1), default=10_000, show_default=True, help="Maximum number of works.")
@click.option("--out", type=click.File("w", encoding="utf-8"), default="-", help="File; default: standard output.")
@click.option("--site", default="", help="URL of the web site, for links to the works.")
@click.pass_obj
def command(data: Path, query: tuple[str, ...], form: str, limit: int, out: TextIO, site: str) -> None:
    """Export the works of a query, or one work by its work id, SHA-1 or DOI."""
    with open_library(data) as library:
        works = _work_by_id(library, " ".join(query)) or _works_of_query(library, " ".join(query), limit)
        out.write(FORMATS[form].write(works, site.rstrip("/")))
    stderr.print(f"{plural(len(works), 'work')} written", markup=False)


def _work_by_id(library: Library, name: str) -> list[IndexedWork]:
    """The work with this id; empty for a query."""
    if not isinstance(node := parse(name), Word) or node.field not in ID_FIELDS:
        return []
    return [indexed(library, find(library, node.text, Viewer.PUBLIC))]


def _works_of_query(library: Library, query: str, limit: int) -> list[IndexedWork]:
    context = SearchContext(library.ready_index(), library.records)
    search_query = SearchQuery(resolve_operators(context, parse(query)), "citations", limit=min(PAGE_SIZE, limit))
    return [work for _, work in zip(range(limit), _all_works(context, search_query), strict=False)]


def _all_works(context: SearchContext, search_query: SearchQuery) -> Iterator[IndexedWork]:
    """All works of a query, page by page, the most cited first."""
    cursor = Cursor()
    while True:
        found = context.index.search(replace(search_query, since=cursor.order_key, offset=cursor.offset))
        yield from (hit.work for hit in found.hits)
        cursor = cursor.after(found, search_query)
        if cursor == Cursor():
            return
