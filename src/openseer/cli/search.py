"""`openseer search QUERY`"""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import click

from openseer.cli.screen import errors, plural, print_json
from openseer.library.opening import open_library
from openseer.lookup import named_by
from openseer.queries import Sort
from openseer.search.answers import Asked, ask
from openseer.search.meaning import meaning
from openseer.search.relations import Holdings
from openseer.search.reranker import learned_reranker
from openseer.shapes import search_body


@click.command("search")
@click.argument("query", nargs=-1)
@click.option("--page", type=click.IntRange(1), default=1, show_default=True)
@click.option("--size", type=click.IntRange(1, 100), default=10, show_default=True)
@click.option("--sort", type=click.Choice(get_args(Sort)), default="relevance", show_default=True)
@click.option("--full-text", is_flag=True, help="Only works whose full text is here.")
@click.option("--json", "as_json", is_flag=True, help="Print the body of /api/search.")
@click.pass_obj
def command(
    data: Path, query: tuple[str, ...], page: int, size: int, sort: Sort, full_text: bool, as_json: bool
) -> None:
    """Search the library, e.g. `openseer search title:crawling year:1999-2004`."""
    with open_library(data) as library:
        weights = library.weights
        holdings = Holdings(library.open_index(), library.records, named_by, lambda: learned_reranker(weights))
        answered = ask(holdings, Asked(" ".join(query), page, size, sort, full_text), meaning())
    if as_json:
        print_json(search_body(answered))
        return
    errors.print(
        f"{plural(answered.total, 'work')} for {answered.understood} ({answered.took_ms:.0f} ms)", markup=False
    )
    for number, result in enumerate(answered.results, (page - 1) * size + 1):
        work = result.work
        click.echo(f"{number:>3}. {click.style(work.title or '(no title)', bold=True)}")
        byline = ", ".join(work.authors[:4]) + (" et al." if len(work.authors) > 4 else "")
        facts = [
            byline,
            str(work.year or ""),
            f"cited by {work.cited}",
            work.id,
            "" if work.documents else "citation only",
        ]
        click.echo("     " + " - ".join(fact for fact in facts if fact))
        if result.snippet:
            place = f"p. {result.snippet.page}: " if result.snippet.page else ""
            click.echo(f"     {place}{result.snippet.plain}")
