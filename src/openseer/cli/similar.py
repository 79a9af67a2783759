"""`openseer similar NAME`: list works similar to a work, a file or a text."""

from __future__ import annotations

import sys
from contextlib import closing
from pathlib import Path

import click

from openseer.catalog.identifiers import find
from openseer.catalog.indexing.projection import indexed_or_computed
from openseer.catalog.search_context import search_context
from openseer.catalog.serializers import similar_body
from openseer.cli.output import print_json, print_work, stderr
from openseer.core.model.document import Viewer
from openseer.core.text.printable_path import printable
from openseer.ingest.one_off import OneOffReader
from openseer.search.similar import KINDS, SimilarWork, similar_to_pasted, similar_works
from openseer.storage.open import Library, open_library


@click.command("similar")
@click.argument("name")
@click.option(
    "--by", "kind", type=click.Choice(["all", *KINDS]), default="all", show_default=True, help="Kind of similarity."
)
@click.option("--limit", type=click.IntRange(1, 50), default=10, show_default=True, help="Maximum number of works.")
@click.option("--no-meaning", is_flag=True, help="Rank by words alone, even if embeddings are installed.")
@click.option("--json", "as_json", is_flag=True, help="Print the body of /api/similar.")
@click.pass_obj
def command(data: Path, name: str, kind: str, limit: int, no_meaning: bool, as_json: bool) -> None:
    """List works similar to a work of the library (work id, SHA-1 or DOI), to a file, or to the text on standard
    input ("-"); for file and text --by has no effect."""
    with open_library(data) as library:
        context = search_context(library, index=library.ready_index())
        text = _text_of(library, name)
        if text is None:
            root = find(library, printable(name), Viewer.OPERATOR)
            found = similar_works(
                context, indexed_or_computed(library, context.index, root), kind, limit, not no_meaning
            )
        else:
            root, kind = "", "text"
            found = similar_to_pasted(context, text, limit, not no_meaning)
    if as_json:
        print_json(similar_body(root, kind, found))
        return
    if not found:
        stderr.print("No similar works.")
    for number, one in enumerate(found, 1):
        _print_similar(number, one)


def _text_of(library: Library, name: str) -> str | None:
    """Text of standard input or of a file; None if there is no such file."""
    if name == "-":
        return sys.stdin.read()
    if not Path(name).is_file():
        return None
    with closing(OneOffReader(library)) as one_off:
        return one_off.of_file(Path(name))


def _print_similar(number: int, one: SimilarWork) -> None:
    print_work(number, one.work)
    click.echo(f"     {'; '.join(one.reasons)}")
