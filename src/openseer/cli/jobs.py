"""`openseer jobs`: list jobs; pause, resume, cancel or retry one."""

from __future__ import annotations

from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

import click

from openseer.cli.output import plural, print_json, printable_text, stderr
from openseer.core.model.task import Job, JobState
from openseer.storage.open import open_library


@click.group("jobs", invoke_without_command=True)
@click.option("--limit", type=click.IntRange(1, 100_000), default=20, show_default=True, help="Maximum number of jobs.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def command(ctx: click.Context, limit: int, as_json: bool) -> None:
    """List jobs with their progress; or pause, resume, cancel or retry one."""
    if ctx.invoked_subcommand:
        return
    with open_library(ctx.obj) as library:
        jobs = library.records.jobs(limit)
    if as_json:
        print_json([asdict(job) for job in jobs])
        return
    for job in jobs:
        click.echo(_line(job))


def _line(job: Job) -> str:
    when = datetime.fromtimestamp(job.at, UTC).strftime("%Y-%m-%d %H:%M")
    counts = ", ".join(f"{count:,} {what}" for what, count in job.counts.items()) or "no documents yet"
    return f"{job.id}  {when}  {job.state:<9}  {printable_text(job.what)}: {counts}"


def _set_state(data: Path, name: str, state: JobState) -> None:
    with open_library(data) as library:
        with library.records.writing() as writer:
            writer.set_job(name, state)
        click.echo(_line(library.records.job(name)))


@command.command("pause")
@click.argument("name", metavar="ID")
@click.pass_obj
def pause(data: Path, name: str) -> None:
    """Pause a running job."""
    _set_state(data, name, JobState.PAUSED)


@command.command("resume")
@click.argument("name", metavar="ID")
@click.pass_obj
def resume(data: Path, name: str) -> None:
    """Resume a paused job."""
    _set_state(data, name, JobState.ACTIVE)


@command.command("cancel")
@click.argument("name", metavar="ID")
@click.pass_obj
def cancel(data: Path, name: str) -> None:
    """Cancel a job: its waiting documents leave the queue, ingested documents stay."""
    _set_state(data, name, JobState.CANCELLED)


@command.command("retry")
@click.argument("name", metavar="ID")
@click.pass_obj
def retry(data: Path, name: str) -> None:
    """Queue failed, quarantined and cancelled documents of a job again."""
    with open_library(data) as library, library.records.writing() as writer:
        count = writer.retry_job(name)
    stderr.print(f"{plural(count, 'document')} queued again; `openseer worker` or the next ingest will process them")
