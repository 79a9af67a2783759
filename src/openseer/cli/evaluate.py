"""`openseer evaluate KIND GOLD`: evaluate accuracy against a gold standard."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import click

from openseer.cli.output import print_json, stderr
from openseer.core.errors import Unreadable
from openseer.evaluation.evaluate import KINDS, evaluate


@click.command("evaluate")
@click.argument("kind", metavar="KIND", type=click.Choice(list(KINDS)))
@click.argument("gold", type=click.Path(exists=True, path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option(
    "--out", type=click.Path(dir_okay=False, path_type=Path), help="Write the extracted values, one line per document."
)
@click.option("--workers", type=click.IntRange(1, 256), help="Number of worker processes; default: one per core.")
def command(kind: str, gold: Path, as_json: bool, out: Path | None, workers: int | None) -> None:
    """Evaluate the default configuration against a gold standard: percentage correct for each field.

    KIND: header, references, deep (GOLD a folder of papers), academic (one with index.jsonl), reference-strings,
    cluster, match, reference-doi (.jsonl, .jsonl.gz), search (a folder with docs.jsonl.gz, queries.jsonl and qrels.tsv:
    the index alone, ranked by words, and by words and embeddings; --out writes a TREC run of the latter),
    topics (a library: full texts among the first ten results of topics, and cited works found first by name),
    similar (a library, or a file of records from which a graph is made: a tenth of the citations is hidden and
    searched for among the first twenty similar works).
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
    overlap = "not recorded" if found.learned is None else f"{found.learned}"
    stderr.print(f"{found.documents:,} documents; number of them used to train a model: {overlap}")


def _lines(scores: Mapping[str, float]) -> Iterator[str]:
    """One score per line; scores of several rankings (`ranking.score`) side by side."""
    rankings = list(dict.fromkeys(name.partition(".")[0] for name in scores))
    names = list(dict.fromkeys(name.partition(".")[2] for name in scores))
    if "bm25" not in rankings:
        yield from (f"{value:>6.1f}  {name}" for name, value in scores.items())
        return
    yield "".join(f"{ranking:>9}" for ranking in rankings)
    for name in names:
        yield "".join(f"{scores[f'{ranking}.{name}']:>9.1f}" for ranking in rankings) + f"  {name}"
