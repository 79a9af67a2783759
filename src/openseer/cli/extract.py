"""`openseer extract FILE...`: extract metadata and text from files; stores nothing."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import click
import orjson

from openseer.acquire.local_files import files_in
from openseer.cli.output import stderr
from openseer.core.errors import Unreadable
from openseer.extract.output.registry import FORMATS, JSON
from openseer.ingest.extract_files import extract_files, is_archive
from openseer.storage.open import load_settings


@click.command("extract")
@click.argument("files", nargs=-1, required=True)
@click.option(
    "--format", "form", type=click.Choice([JSON, *FORMATS]), default=JSON, help="Output format; default: json."
)
@click.option("--workers", type=click.IntRange(1, 256), help="Number of worker processes; default: one per core.")
@click.option("--evidence", is_flag=True, help="Add the position and confidence of each field (json).")
@click.option("--pretty", is_flag=True, help="Indent the JSON.")
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write DIR/<stem>.json (.tei.xml, ...) instead of printing.",
)
@click.pass_obj
def command(
    data: Path, files: tuple[str, ...], form: str, workers: int | None, evidence: bool, pretty: bool, out: Path | None
) -> None:
    """Extract files, folders or archives ("-": paths from stdin) and print one JSON line per file; stores nothing."""
    settings = load_settings(data)
    paths = list(_paths_of(files))
    if form != JSON and out is None and len(paths) != 1:
        raise click.UsageError(f"--format {form} can print only one file, not {len(paths)}: add --out DIR.")
    if form != JSON and out is None and is_archive(paths[0]):
        raise click.UsageError(f"--format {form} can print only one file, not an archive: add --out DIR.")
    failed, written = 0, Counter[str]()
    formats = [] if form == JSON else [form]
    for path, parts in extract_files(paths, settings, formats, evidence, workers):
        error = orjson.loads(parts[0])["error"]
        failed += bool(error)
        if form != JSON and error:
            stderr.print(f"{path}: {error['code']}: {error['message']}", markup=False)
            continue
        output = _json(parts[0], pretty) if form == JSON else parts[1]
        if out is None:
            click.echo(output, nl=form == JSON)
        else:
            suffix = JSON if form == JSON else FORMATS[form].suffix
            _write(out, Path(path).stem, suffix, output + b"\n" * (form == JSON), written)
    if failed:
        sys.exit(1)


def _json(line: bytes, pretty: bool) -> bytes:
    return orjson.dumps(orjson.loads(line), option=orjson.OPT_INDENT_2) if pretty else line


def _write(folder: Path, stem: str, suffix: str, data: bytes, written: Counter[str]) -> None:
    """Write DIR/<stem>.<suffix>; a second file of that name becomes <stem>-2.<suffix>."""
    written[stem] += 1
    name = stem if written[stem] == 1 else f"{stem}-{written[stem]}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{name}.{suffix}").write_bytes(data)
    except OSError as error:
        raise Unreadable(f"Cannot write into {folder}: {error.strerror}.") from None


def _paths_of(files: tuple[str, ...]) -> Iterator[str]:
    lines = (line.rstrip("\n") for line in sys.stdin if line.strip()) if files == ("-",) else iter(files)
    for name in lines:
        path = Path(name)
        if len(name) < 4096 and os.path.isdir(path):  # noqa: PTH112 - Path.is_dir raises for a name that is too long
            yield from files_in([path], lambda where, what: stderr.print(f"{where}: {what}"))
        else:
            yield name
