"""Registration of found files: a row and a task for each, a lease for each that is to be read."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from openseer.core.errors import TooLarge, UnsupportedType
from openseer.core.model.document import FileFacts
from openseer.core.model.resource import Resource
from openseer.core.model.task import READER, Task
from openseer.storage.open import Library
from openseer.storage.protocols.records import Registration, Writer

LEASE_SECONDS, RENEW_SECONDS = 300.0, 60.0
"""Length of a lease, and the interval of its renewal."""


@dataclass(frozen=True, slots=True)
class LeaseOwner:
    """A process with the extractor and version for which it leases tasks."""

    version: int
    process: str
    extractor: str = READER


@dataclass(frozen=True, slots=True)
class Registered:
    """A registered file."""

    known: bool
    """True if it needs no extraction now."""
    leased: bool
    """True if this process owns the lease; false with `known` false: another live process does."""
    task: Task
    outcome: str = ""
    """Outcome of the document by an earlier run."""
    detail: str = ""
    """Its reason, if it was not ingested."""


def register(
    library: Library,
    files: Sequence[tuple[Resource, FileFacts]],
    owner: LeaseOwner,
    job: str = "",
    readable: Collection[str] = (),
) -> list[Registered]:
    """Register files and lease the tasks that are not done, all in one transaction.

    Of `readable` files those are read again that an earlier release, or one without a program, had no reader for."""
    with library.records.writing() as writer:
        registrations: list[Registration] = [
            _reopened(writer, writer.register(resource, facts, owner.version, owner.extractor, job), owner, readable)
            for resource, facts in files
        ]
        open_tasks = [one.task for one in registrations if not one.known]
        leased = writer.lease(open_tasks, owner.process, LEASE_SECONDS)
    return [
        Registered(one.known, not one.known and one.task.sha1 in leased, one.task, one.outcome, one.detail)
        for one in registrations
    ]


def _reopened(writer: Writer, one: Registration, owner: LeaseOwner, readable: Collection[str]) -> Registration:
    if one.known and one.outcome == UnsupportedType.code and one.task.sha1 in readable:
        return replace(one, known=False, task=writer.new_generation(one.task.sha1, owner.version, owner.extractor))
    return one


def rejection(facts: FileFacts, max_bytes: int) -> tuple[str, str] | None:
    """Outcome and reason of a file that no reader is given: empty or too large."""
    if facts.size == 0:
        return "empty", "The file is empty."
    return ("too_large", str(TooLarge(facts.size, max_bytes))) if facts.size > max_bytes else None
