"""`openseer documents`: list documents with outcome and reason."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from openseer.cli.output import plural, print_json, stderr
from openseer.core.errors import OUTCOMES
from openseer.core.model.document import Document, DocumentSelection, Viewer
from openseer.core.text.printable_path import printable
from openseer.storage.open import open_library

OTHER_OUTCOMES = tuple(one for one in OUTCOMES if one != "ingested")


@click.command("documents")
@click.option(
    "--outcome",
    "outcomes",
    multiple=True,
    type=click.Choice([*OUTCOMES, "waiting"]),
    metavar="OUTCOME",
    help="Only documents with this outcome; repeatable.",
)
@click.option("--rejected", is_flag=True, help="Only documents that were not ingested.")
@click.option("--doubtful", is_flag=True, help="Only ingested documents that are probably not papers.")
@click.option("--job", default="", metavar="ID", help="Only documents of a job; `openseer jobs` lists their ids.")
@click.option("--limit", type=click.IntRange(0), default=100, show_default=True, help="Maximum number; 0: all.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_obj
def command(
    data: Path, outcomes: tuple[str, ...], rejected: bool, doubtful: bool, job: str, limit: int, as_json: bool
) -> None:
    """List documents with their outcome and the reason, the last added first."""
    selection = DocumentSelection(outcomes, job, doubtful)
    if rejected:
        selection = replace(selection, outcomes=(*outcomes, *OTHER_OUTCOMES))
    with open_library(data) as library:
        if job:
            library.records.job(job)
        total, found = library.records.as_seen_by(Viewer.OPERATOR).list_documents(selection, 0, limit or 2**31 - 1)
    if as_json:
        print_json({"total": total, "documents": [document_record(one) for one in found]})
        return
    for one in found:
        click.echo("\n".join(_lines(one)))
    more = f", {total - len(found):,} more with --limit 0" if total > len(found) else ""
    stderr.print(f"{plural(total, 'document')}{more}")


def document_record(document: Document) -> dict[str, Any]:
    """A document as JSON."""
    return {
        "sha1": document.sha1,
        "outcome": document.outcome or "waiting",
        "reason": document.detail,
        "type": document.mime,
        "bytes": document.size,
        "pages": document.pages,
        "visibility": str(document.visibility),
        "added": datetime.fromtimestamp(document.added_at, UTC).isoformat(timespec="seconds"),
        "probability": document.scholarly,
        "doubtful": document.is_doubtful,
        "sources": [one.url for one in document.sources],
    }


def _lines(document: Document) -> list[str]:
    when = datetime.fromtimestamp(document.added_at, UTC).strftime("%Y-%m-%d %H:%M")
    outcome = (document.outcome or "waiting").replace("_", " ")
    sources = [printable(one.url.removeprefix("file://")) for one in document.sources] or ["(source not recorded)"]
    lines = [f"{document.sha1}  {when}  {outcome}  {sources[0]}"]
    if document.detail:
        lines.append(f"    {printable(document.detail)}")
    if document.is_doubtful:
        lines.append(f"    probably not a paper (probability {document.scholarly or 0:.0%}); accept or drop it")
    return lines
