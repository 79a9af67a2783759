"""What a person decides about works and documents. Each decision is an act with a reason, lasts, and can be undone."""

from __future__ import annotations

import re

from openseer.catalog.work_view import find
from openseer.core.errors import BadRequest
from openseer.core.model.description import header_id, work_id_of
from openseer.core.model.document import Viewer, Visibility
from openseer.match.clustering import cluster
from openseer.match.resolver import resolve
from openseer.storage.open import Library

SHA1 = re.compile(r"[0-9a-fA-F]{40}")


def merge(library: Library, one: str, other: str, why: str) -> int:
    """Say that two works (ids, SHA-1s or DOIs) are one; the number of the act."""
    first, second = (find(library, name, Viewer.OPERATOR) for name in (one, other))
    if first == second:
        raise BadRequest(f"{one} and {other} are one work already.", "Nothing is to be done.")
    pair = (library.records.members(first)[0], library.records.members(second)[0])
    return _decide(library, {pair: True}, "merge", why)


def split(library: Library, work: str, part: str, why: str) -> int:
    """Say that a part of a work is none of it: the document with this SHA-1, or what founded this work id."""
    root = find(library, work, Viewer.OPERATOR)
    members = library.records.members(root)
    wanted = header_id(part.lower()) if SHA1.fullmatch(part) else ""
    name = next((one for one in members if one == wanted or work_id_of(one) == part), None)
    if name is None:
        raise BadRequest(f"{part} is no part of {root}.", "Name the SHA-1 of a file of the work, or one of its ids.")
    if len(members) == 1:
        raise BadRequest(f"{root} has no other part.", "Nothing is to be done.")
    return _decide(library, {(name, other): False for other in members if other != name}, "split", why)


def _decide(library: Library, bonds: dict[tuple[str, str], bool | None], what: str, why: str) -> int:
    with library.records.writing() as writer:
        act = writer.curate(bonds, what, why)
        writer.recluster({name for pair in bonds for name in pair}, cluster)
    return act


def delete(library: Library, sha1: str, why: str, visibility: Visibility = Visibility.DELETED) -> int:
    """Take a document out of the library, or close it; its rows and files stay, so that it can be undone."""
    with library.records.writing() as writer:
        resolve(writer, {}, writer.retract(sha1.lower(), why, visibility))
        return library.records.curation_actions(1)[0].id  # inside: nobody else can act before the commit


def undo(library: Library, act: int, why: str) -> int:
    """Make an act undone; the number of the act that does so."""
    with library.records.writing() as writer:
        resolve(writer, {}, writer.undo(act, why))
        return library.records.curation_actions(1)[0].id
