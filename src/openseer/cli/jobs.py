"""`openseer jobs`"""

from __future__ import annotations

from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

import click

from openseer.cli.output import errors, plural, print_json
from openseer.core.model.task import Job, JobState
from openseer.storage.open import open_library


@click.group("jobs", invoke_without_command=True)
@click.option("--limit", type=click.IntRange(1, 100_000), default=20, show_default=True, help="How many.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def command(ctx: click.Context, limit: int, as_json: bool) -> None:
    """List what was asked for and how far it has come; or pause, resume, cancel, retry one."""
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
    counts = ", ".join(f"{count:,} {what}" for what, count in job.counts.items()) or "nothing seen yet"
    return f"{job.id}  {when}  {job.state:<9}  {job.what}: {counts}"


def _set(data: Path, name: str, state: JobState) -> None:
    with open_library(data) as library:
        with library.records.writing() as writer:
            writer.set_job(name, state)
        click.echo(_line(library.records.job(name)))


@command.command("pause")
@click.argument("name", metavar="ID")
@click.pass_obj
def pause(data: Path, name: str) -> None:
    """Let a running job hand out nothing more until it is resumed."""
    _set(data, name, JobState.PAUSED)


@command.command("resume")
@click.argument("name", metavar="ID")
@click.pass_obj
def resume(data: Path, name: str) -> None:
    """Let a paused job go on."""
    _set(data, name, JobState.ACTIVE)


@command.command("cancel")
@click.argument("name", metavar="ID")
@click.pass_obj
def cancel(data: Path, name: str) -> None:
    """End a job; what it has not read yet leaves the queue. What was taken in stays."""
    _set(data, name, JobState.CANCELLED)


@command.command("retry")
@click.argument("name", metavar="ID")
@click.pass_obj
def retry(data: Path, name: str) -> None:
    """Put what failed, is in quarantine or was cancelled back into the queue."""
    with open_library(data) as library, library.records.writing() as writer:
        count = writer.retry_job(name)
    errors.print(f"{plural(count, 'document')} will be read again by `openseer worker` or the next ingest")
