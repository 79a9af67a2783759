"""`openseer search QUERY`: search the library."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import click

from openseer.catalog.search_context import search_context
from openseer.catalog.serializers import search_body
from openseer.cli.output import plural, print_json, print_work, stderr
from openseer.core.model.query import Sort
from openseer.search.service import SearchRequest, search
from openseer.storage.open import open_library


@click.command("search")
@click.argument("query", nargs=-1)
@click.option("--page", type=click.IntRange(1), default=1, show_default=True, help="Page of the results.")
@click.option("--size", type=click.IntRange(1, 100), default=10, show_default=True, help="Results per page.")
@click.option("--sort", type=click.Choice(get_args(Sort)), default="relevance", show_default=True, help="Sort order.")
@click.option("--full-text", is_flag=True, help="Only works with full text.")
@click.option("--json", "as_json", is_flag=True, help="Print the body of /api/search.")
@click.pass_obj
def command(
    data: Path, query: tuple[str, ...], page: int, size: int, sort: Sort, full_text: bool, as_json: bool
) -> None:
    """Search the library, e.g. `openseer search title:crawling year:1999-2004`."""
    with open_library(data) as library:
        response = search(
            search_context(library, index=library.ready_index()),
            SearchRequest(" ".join(query), page, size, sort, full_text),
        )
    if as_json:
        print_json(search_body(response))
        return
    stderr.print(
        f"{plural(response.total, 'result')} for {response.understood} ({response.took_ms:.0f} ms)", markup=False
    )
    for number, result in enumerate(response.results, (page - 1) * size + 1):
        print_work(number, result.work)
        if result.snippet:
            page_label = f"p. {result.snippet.page}: " if result.snippet.page else ""
            click.echo(f"     {page_label}{result.snippet.plain}")
