"""`openseer extract FILE...`"""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import click
import orjson

from openseer.acquire.local_files import files_in
from openseer.cli.output import errors
from openseer.core.errors import Unreadable
from openseer.extract.output.registry import FORMATS, JSON
from openseer.ingest.extract_files import extract_files
from openseer.storage.open import load_settings


@click.command("extract")
@click.argument("files", nargs=-1, required=True)
@click.option(
    "--format", "form", type=click.Choice([JSON, *FORMATS]), default=JSON, help="What to write; default: json."
)
@click.option("--workers", type=click.IntRange(1, 256), help="Reading processes; default: one for each core.")
@click.option("--evidence", is_flag=True, help="Say where each datum stands (json).")
@click.option("--pretty", is_flag=True, help="Indent the JSON.")
@click.option(
    "--out", type=click.Path(file_okay=False, path_type=Path), help="Write DIR/<stem>.json (.tei.xml, ...) instead."
)
@click.pass_obj
def command(
    data: Path, files: tuple[str, ...], form: str, workers: int | None, evidence: bool, pretty: bool, out: Path | None
) -> None:
    """Read files (folders, "-" for a list) and print one JSON line for each, in the order given; keeps nothing."""
    settings = load_settings(data)
    paths = list(_named(files))
    if form != JSON and out is None and len(paths) != 1:
        raise click.UsageError(f"--format {form} prints one file, and {len(paths)} are named: add --out DIR.")
    bad, written = 0, Counter[str]()
    formats = [] if form == JSON else [form]
    for path, frames in extract_files(paths, settings, formats, evidence, workers):
        trouble = orjson.loads(frames[0])["error"]
        bad += bool(trouble)
        if form != JSON and trouble:
            errors.print(f"{path}: {trouble['code']}: {trouble['message']}", markup=False)
            continue
        shown = _json(frames[0], pretty) if form == JSON else frames[1]
        if out is None:
            click.echo(shown, nl=form == JSON)
        else:
            suffix = JSON if form == JSON else FORMATS[form].suffix
            _write(out, Path(path).stem, suffix, shown + b"\n" * (form == JSON), written)
    if bad:
        sys.exit(1)


def _json(line: bytes, pretty: bool) -> bytes:
    return orjson.dumps(orjson.loads(line), option=orjson.OPT_INDENT_2) if pretty else line


def _write(folder: Path, stem: str, suffix: str, data: bytes, written: Counter[str]) -> None:
    """DIR/<stem>.<suffix>; a second file of that name becomes <stem>-2.<suffix>."""
    written[stem] += 1
    name = stem if written[stem] == 1 else f"{stem}-{written[stem]}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{name}.{suffix}").write_bytes(data)
    except OSError as error:
        raise Unreadable(f"Cannot write into {folder}: {error.strerror}.") from None


def _named(files: tuple[str, ...]) -> Iterator[str]:
    lines = (line.rstrip("\n") for line in sys.stdin if line.strip()) if files == ("-",) else iter(files)
    for name in lines:
        path = Path(name)
        if len(name) < 4096 and os.path.isdir(path):  # noqa: PTH112 - Path.is_dir raises for a name that is too long
            yield from files_in([path], lambda where, what: errors.print(f"{where}: {what}"))
        else:
            yield name
