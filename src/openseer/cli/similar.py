"""`openseer similar NAME`"""

from __future__ import annotations

import sys
from contextlib import closing
from pathlib import Path

import click

from openseer.catalog.identifiers import find
from openseer.catalog.indexing.projection import indexed_or_computed
from openseer.catalog.search_context import search_context
from openseer.catalog.serializers import similar_body
from openseer.cli.output import errors, print_json, print_work
from openseer.core.model.document import Viewer
from openseer.core.text.printable_path import printable
from openseer.ingest.one_off import OneOffReader
from openseer.search.similar import KINDS, SimilarWork, similar_to_pasted, similar_works
from openseer.storage.open import Library, open_library


@click.command("similar")
@click.argument("name")
@click.option("--by", "kind", type=click.Choice(["all", *KINDS]), default="all", show_default=True)
@click.option("--limit", type=click.IntRange(1, 50), default=10, show_default=True)
@click.option("--no-meaning", is_flag=True, help="By words alone, though vectors are there.")
@click.option("--json", "as_json", is_flag=True, help="Print the body of /api/similar.")
@click.pass_obj
def command(data: Path, name: str, kind: str, limit: int, no_meaning: bool, as_json: bool) -> None:
    """List works like one of the library (work id, SHA-1 or DOI), like a file that is in no library, or like the text
    on standard input ("-"); of the latter two only the text is known, so that --by says nothing."""
    with open_library(data) as library:
        context = search_context(library, index=library.ready_index())
        text = _text(library, name)
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
        errors.print("Nothing here is like it.")
    for number, one in enumerate(found, 1):
        _print(number, one)


def _text(library: Library, name: str) -> str | None:
    """What stands on standard input or in a file; None when there is no such file."""
    if name == "-":
        return sys.stdin.read()
    if not Path(name).is_file():
        return None
    with closing(OneOffReader(library)) as glances:
        return glances.of_file(Path(name))


def _print(number: int, one: SimilarWork) -> None:
    print_work(number, one.work)
    click.echo(f"     {'; '.join(one.reasons)}")
