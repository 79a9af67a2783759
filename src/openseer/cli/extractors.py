"""`openseer extractors`: list the extractors with version and share of the time."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import click

from openseer.cli.output import print_json
from openseer.evaluation import samples
from openseer.extract.reader import PAGES_VERSION, extractors, read

SAMPLE_PAPERS = 8
"""Sample papers on which the shares are measured."""


class ExtractorRow(NamedTuple):
    """One extractor; the first row is the page reader, which all extractors need."""

    name: str
    version: int
    needs: tuple[str, ...]
    share: float


@click.command("extractors")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(as_json: bool) -> None:
    """List the extractors with version and share of the time, measured on some sample papers."""
    milliseconds = _milliseconds_by_step()
    total = sum(milliseconds.values())
    rows = [ExtractorRow("pages", PAGES_VERSION, (), (milliseconds["pages"] + milliseconds["lines"]) / total)]
    rows += [
        ExtractorRow(one.name, one.version, one.needs, milliseconds.get(one.name, 0.0) / total) for one in extractors()
    ]
    if as_json:
        print_json([row._replace(share=round(row.share, 3))._asdict() for row in rows])
        return
    click.echo(f"{'name':<12} {'version':>7} {'time':>6}  needs")
    for row in rows:
        click.echo(f"{row.name:<12} {row.version:>7} {row.share:>6.0%}  {', '.join(row.needs) or '-'}")


def _milliseconds_by_step() -> dict[str, float]:
    """Step -> milliseconds on the sample papers; one more paper is read first, to load the models."""
    milliseconds: dict[str, float] = {}
    names = [name for name in samples.names() if samples.gold(name)["academic"]]
    with TemporaryDirectory() as folder:
        for number, file in enumerate(samples.make(Path(folder), names[: SAMPLE_PAPERS + 1])):
            for step, time in read(file).timing_ms.items() if number else ():
                milliseconds[step] = milliseconds.get(step, 0.0) + time
    return milliseconds
