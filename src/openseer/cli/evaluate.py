"""`openseer evaluate KIND GOLD`"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import click

from openseer.cli.output import errors, print_json
from openseer.core.errors import Unreadable
from openseer.evaluation.evaluate import KINDS, evaluate


@click.command("evaluate")
@click.argument("kind", metavar="KIND", type=click.Choice(list(KINDS)))
@click.argument("gold", type=click.Path(exists=True, path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option(
    "--out", type=click.Path(dir_okay=False, path_type=Path), help="Write what was read, one line a document."
)
@click.option("--workers", type=click.IntRange(1, 256), help="Reading processes; default: one for each core.")
def command(kind: str, gold: Path, as_json: bool, out: Path | None, workers: int | None) -> None:
    """Measure the default configuration against gold: per cent right, field by field.

    KIND: header, references, deep (GOLD a folder of papers), academic (one with index.jsonl), reference-strings,
    cluster, match, reference-doi (.jsonl, .jsonl.gz), search (a folder with docs.jsonl.gz, queries.jsonl and qrels.tsv:
    the index alone, put in order by words, and by meaning too; --out writes a TREC run of the last),
    similar (a library, or a file of records over which a graph is made: a tenth of the citations is hidden, and looked
    for among the first twenty similar works).
    """
    found = evaluate(kind, gold, workers)
    if out is not None:
        try:
            out.write_bytes(b"".join(line + b"\n" for line in found.lines))
        except OSError as error:
            raise Unreadable(f"Cannot write {out}: {error.strerror}.") from None
    if as_json:
        scores = {name: round(value, 2) for name, value in found.scores.items()}
        counts = {"documents": found.documents, "learned_from": found.learned}
        print_json({"kind": kind, **counts, "scores": scores, "misses": found.misses})
        return
    for line in _lines(found.scores):
        click.echo(line)
    for miss in found.misses:
        click.echo(f"        {miss}")
    seen = "is not recorded" if found.learned is None else f"is {found.learned}"
    errors.print(f"{found.documents:,} documents; the number among them that a model learned from {seen}")


def _lines(scores: Mapping[str, float]) -> Iterator[str]:
    """One figure a line; figures of several ways of ranking (`way.figure`) side by side."""
    ways = list(dict.fromkeys(name.partition(".")[0] for name in scores))
    figures = list(dict.fromkeys(name.partition(".")[2] for name in scores))
    if "bm25" not in ways:
        yield from (f"{value:>6.1f}  {name}" for name, value in scores.items())
        return
    yield "".join(f"{way:>9}" for way in ways)
    for figure in figures:
        yield "".join(f"{scores[f'{way}.{figure}']:>9.1f}" for way in ways) + f"  {figure}"
