"""`openseer evaluate KIND GOLD`"""

from __future__ import annotations

from pathlib import Path

import click

from openseer.cli.screen import errors, print_json
from openseer.errors import Unreadable
from openseer.measure.evaluate import KINDS, evaluate


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
    cluster, match, reference-doi (.jsonl, .jsonl.gz).
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
    for name, value in found.scores.items():
        click.echo(f"{value:>6.1f}  {name}")
    for miss in found.misses:
        click.echo(f"        {miss}")
    seen = "is not recorded" if found.learned is None else f"is {found.learned}"
    errors.print(f"{found.documents:,} documents; the number among them that a model learned from {seen}")
