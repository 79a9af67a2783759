"""`openseer extractors`"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import click

from openseer.cli.output import print_json
from openseer.evaluation import samples
from openseer.extract.reader import PAGES_VERSION, extractors, read

MEASURED_ON = 8
"""Sample papers that are read to learn the shares."""


class Row(NamedTuple):
    """One extractor; the first row stands for the pages, which all of them read."""

    name: str
    version: int
    needs: tuple[str, ...]
    share: float


@click.command("extractors")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(as_json: bool) -> None:
    """List what reads a document, and its share of the time, measured on some sample papers."""
    spent = _spent()
    whole = sum(spent.values())
    rows = [Row("pages", PAGES_VERSION, (), (spent["pages"] + spent["lines"]) / whole)]
    rows += [Row(one.name, one.version, one.needs, spent.get(one.name, 0.0) / whole) for one in extractors()]
    if as_json:
        print_json([row._replace(share=round(row.share, 3))._asdict() for row in rows])
        return
    click.echo(f"{'name':<12} {'version':>7} {'time':>6}  needs")
    for row in rows:
        click.echo(f"{row.name:<12} {row.version:>7} {row.share:>6.0%}  {', '.join(row.needs) or '-'}")


def _spent() -> dict[str, float]:
    """Step -> milliseconds for some sample papers; one more is read first, to load the models."""
    spent: dict[str, float] = {}
    names = [name for name in samples.names() if samples.gold(name)["academic"]]
    with TemporaryDirectory() as folder:
        for number, file in enumerate(samples.make(Path(folder), names[: MEASURED_ON + 1])):
            for step, time in read(file).timing_ms.items() if number else ():
                spent[step] = spent.get(step, 0.0) + time
    return spent
