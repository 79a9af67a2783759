"""`openseer bench`: run benchmarks and compare with published figures."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click

from openseer.cli.output import print_json, stderr
from openseer.core.errors import BadRequest
from openseer.core.model.query import Everything, SearchQuery
from openseer.evaluation.bench.index import PUBLISHED, IndexRun, bench_index
from openseer.evaluation.bench.ingest import PUBLISHED as PUBLISHED_INGEST
from openseer.evaluation.bench.ingest import (
    IngestRun,
    RunSample,
    bench_pdfs,
    bench_synthetic,
    private_mb,
    process_tree,
    varied_copies,
)
from openseer.evaluation.bench.load import PUBLISHED as PUBLISHED_LOAD
from openseer.evaluation.bench.load import bench_load, bench_ramp, sample_requests
from openseer.evaluation.corpora.synthetic import REFERENCES
from openseer.storage.open import open_library


@click.group("bench")
def command() -> None:
    """Run benchmarks and compare with published figures."""


@command.command("index")
@click.option("--records", type=click.IntRange(1), default=1_000_000, show_default=True, help="Records to index.")
@click.option(
    "--base",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="JSON Lines (also .gz) of records to vary; default: the sample papers.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def index(records: int, base: Path | None, as_json: bool) -> None:
    """Index varied metadata records in a temporary directory, as `reindex` does."""
    with stderr.status("indexing") as status:
        run = bench_index(records, base, lambda done: status.update(f"indexing: {done:,} of {records:,}"))
    if as_json:
        print_json({**asdict(run), "seconds_for_a_million": round(run.seconds_for(10**6), 1), "published": PUBLISHED})
    else:
        _print_index(run)


@command.command("ingest")
@click.option("--papers", type=click.IntRange(1), help="Number of PDFs to ingest, varied copies of those in --source.")
@click.option("--source", type=click.Path(exists=True, file_okay=False, path_type=Path), help="Folder of PDFs to vary.")
@click.option("--synthetic", type=click.IntRange(1), help="Number of synthetic papers to ingest without extraction.")
@click.option(
    "--base",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="JSON Lines (also .gz) of records to make synthetic papers from; default: the sample papers.",
)
@click.option(
    "--references",
    type=click.IntRange(3),
    default=REFERENCES,
    show_default=True,
    help="References of a synthetic paper.",
)
@click.option(
    "--keep",
    type=click.Path(file_okay=False, path_type=Path),
    help="Keep library and copies in this directory.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def ingest(
    papers: int | None,
    source: Path | None,
    synthetic: int | None,
    base: Path | None,
    references: int,
    keep: Path | None,
    as_json: bool,
) -> None:
    """Ingest varied copies of real PDFs, or synthetic papers that load only writer and index."""
    if (papers is None) == (synthetic is None) or (papers is not None and source is None):
        raise BadRequest("No papers to ingest.", "Use `--papers 500 --source FOLDER`, or `--synthetic 10000`.")
    with ExitStack() as stack:
        folder = keep or Path(stack.enter_context(TemporaryDirectory(prefix="openseer-bench-")))
        library = stack.enter_context(open_library(folder / "library", create=True))
        if synthetic is not None:
            run = bench_synthetic(library, synthetic, base, references, _print_step)
        elif source is not None and papers is not None:
            with stderr.status("copying"):
                copies = varied_copies(source, folder / "copies", papers)
            run = bench_pdfs(library, copies, _print_step)
    if as_json:
        print_json({**asdict(run), "published": PUBLISHED_INGEST})
    else:
        _print_ingest(run)


def _print_step(step: RunSample) -> None:
    stderr.print(
        f"{step.papers:>9,} papers  {step.papers_per_second:>7,.1f}/s  writer {step.writing_ms:>6.2f} ms  "
        f"{step.memory_mb:,} + {step.catchup_mb:,} MB  {step.behind:,} changes behind"
    )


def _print_ingest(run: IngestRun) -> None:
    for outcome, count in run.outcomes.items():
        click.echo(f"{count:>10,}  {outcome}")
    click.echo(f"{run.seconds:>10,.1f}  seconds (searchable after {run.indexed_after:,.1f})")
    published = f"published: {PUBLISHED_INGEST['papers_per_second']} on {PUBLISHED_INGEST['processes']} processes"
    click.echo(f"{run.papers_per_second:>10,.1f}  papers/s ({published})")
    click.echo(f"{run.writer_papers_per_second:>10,.1f}  papers/s limit of the writer")
    click.echo(f"{run.works_per_second:>10,.1f}  works/s, {run.citations_per_second:,.1f} citations/s")
    click.echo(f"{run.works:>10,}  works, {run.citations:,} citations")
    for what, size in run.bytes_per_work.items():
        click.echo(f"{size:>10,}  bytes per work in the {what}")
    click.echo(f"{run.found_ms['median']:>10,.0f}  ms from acknowledged to searchable (p99 {run.found_ms['p99']:,.0f})")


def _print_index(run: IndexRun) -> None:
    click.echo(f"{run.records_per_second:>10,}  records/s")
    details = f"{run.cpu_seconds:,.1f} of one core; generating records: {run.making_seconds:,.1f}"
    click.echo(f"{run.seconds:>10,.1f}  seconds ({details})")
    click.echo(f"{run.bytes_per_record:>10,}  bytes per record")
    click.echo(f"{run.peak_mb:>10,}  MB peak memory")
    click.echo("seconds for a million records:")
    for name, seconds in {f"openseer, {run.cores} cores": run.seconds_for(10**6), **PUBLISHED}.items():
        click.echo(f"{seconds:>10,.0f}  {name}")
    stderr.print("The published figures are from a machine with more cores.")


@command.command("load")
@click.option("--users", type=click.IntRange(1), default=100, show_default=True, help="Concurrent users.")
@click.option("--seconds", type=click.IntRange(1), default=60, show_default=True, help="Duration once all users run.")
@click.option(
    "--ramp",
    type=click.IntRange(0),
    default=0,
    help="Then add ten users per second, up to so many, until requests fail.",
)
@click.option("--facets", is_flag=True, help="Request six facets with each search.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_obj
def load(data: Path, users: int, seconds: int, ramp: int, facets: bool, as_json: bool) -> None:
    """Serve the library on a free port and load it with the published mix of requests, without a result cache."""
    with open_library(data) as library:
        presets = sample_requests(library, facets)
        works = library.open_index().search(SearchQuery(Everything(), limit=1)).total
    with _server(data) as (port, pid):
        tally = bench_load(port, presets, users, seconds)
        body: dict[str, Any] = {"works": works, "users": users, "failures": tally.failures, "ms": tally.table()}
        body["requests_per_second"] = round(body["ms"]["all"]["requests"] / seconds, 1)
        body["serve_mb"] = sum(private_mb(one) for one in process_tree(pid))
        if ramp:
            body["ramp"] = asdict(bench_ramp(port, presets, ramp, lambda line: stderr.print(line)))
    if as_json:
        print_json({**body, "published": PUBLISHED_LOAD})
        return
    for kind, row in body["ms"].items():
        figures = "  ".join(f"{name} {value:>8,}" for name, value in row.items())
        click.echo(f"{kind:>11}  {figures}  published {PUBLISHED_LOAD[kind]}")
    click.echo(
        f"{body['requests_per_second']} requests/s, {tally.failures} failures, {body['serve_mb']} MB, {works:,} works"
    )


@contextmanager
def _server(data: Path) -> Iterator[tuple[int, int]]:
    """A server process without a result cache: its port and process id."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = int(free.getsockname()[1])
    environment = {**os.environ, "OPENSEER_WEB__RESULT_CACHE_SIZE": "0"}
    command = [sys.executable, "-P", "-m", "openseer", "--data", str(data), "serve", "--port", str(port)]
    with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:
        try:
            deadline = time.monotonic() + 60
            while time.monotonic() < deadline:
                with suppress(OSError), urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=5):
                    break
                time.sleep(0.2)
            yield port, server.pid
        finally:
            server.terminate()
            server.wait(60)
