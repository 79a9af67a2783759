"""`openseer extract FILE...`"""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import click
import orjson

from openseer.acquire.imports.folder import files_in, printable
from openseer.cli.screen import errors
from openseer.errors import Crashed, Memory, OpenseerError, Timeout, Unreadable
from openseer.library.opening import load_settings
from openseer.pipeline import extract_file, order_path
from openseer.records.extraction import Extraction
from openseer.settings import Settings
from openseer.workers import Answer, Crew, Limits

FAILURES: dict[str, type[OpenseerError]] = {"timeout": Timeout, "memory": Memory, "crashed": Crashed}


@click.command("extract")
@click.argument("files", nargs=-1, required=True)
@click.option("--workers", type=click.IntRange(1, 256), help="Reading processes; default: one for each core.")
@click.option("--evidence", is_flag=True, help="Say where each datum stands.")
@click.option("--pretty", is_flag=True, help="Indent the JSON.")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), help="Write DIR/<stem>.json instead.")
@click.pass_obj
def command(
    data: Path, files: tuple[str, ...], workers: int | None, evidence: bool, pretty: bool, out: Path | None
) -> None:
    """Read files (folders, "-" for a list) and print one JSON line for each, in the order given; keeps nothing."""
    settings = load_settings(data)
    paths = list(_named(files))
    bad, written = 0, Counter[str]()
    for path, line in _in_order(paths, settings, workers, evidence):
        record = orjson.loads(line)
        bad += bool(record["error"])
        shown = orjson.dumps(record, option=orjson.OPT_INDENT_2) if pretty else line
        if out is None:
            click.echo(shown.decode())
        else:
            _write(out, Path(path).stem, shown + b"\n", written)
    if bad:
        sys.exit(1)


def _write(folder: Path, stem: str, data: bytes, written: Counter[str]) -> None:
    """DIR/<stem>.json; a second file of that name becomes <stem>-2.json."""
    written[stem] += 1
    name = stem if written[stem] == 1 else f"{stem}-{written[stem]}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{name}.json").write_bytes(data)
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


def _in_order(paths: list[str], settings: Settings, workers: int | None, evidence: bool) -> Iterator[tuple[str, bytes]]:
    """Answers come as they are ready and leave in the order of the arguments."""
    order = {"min_words": settings.extract.min_words, "max_bytes": settings.extract.max_bytes, "evidence": evidence}
    jobs = ((number, orjson.dumps({"path": order_path(Path(path)), **order})) for number, path in enumerate(paths))
    limits = Limits(settings.workers.timeout, settings.workers.memory_mb)
    size = min(workers or settings.workers.count or os.cpu_count() or 1, max(1, len(paths)))
    ready: dict[int, bytes] = {}
    following = 0
    with Crew[int](extract_file, size, limits) as crew:
        for answer in crew.run(jobs):
            if answer is not None:
                ready[answer.key] = answer.frames[0] if answer.frames else _failed(paths[answer.key], answer)
            while following in ready:
                yield paths[following], ready.pop(following)
                following += 1


def _failed(path: str, answer: Answer[int]) -> bytes:
    error = FAILURES[answer.failure](answer.detail)
    return orjson.dumps(Extraction(file=printable(path), error=error.as_record()).as_record())
