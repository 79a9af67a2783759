"""Curation: merge, split, retract and undo. Each is a stored action with a reason and an inverse."""

from __future__ import annotations

import re

from openseer.catalog.identifiers import find
from openseer.core.errors import BadRequest
from openseer.core.model.description import header_id, work_id_of
from openseer.core.model.document import Viewer, Visibility
from openseer.match.resolver import recluster, resolve
from openseer.storage.open import Library

SHA1 = re.compile(r"[0-9a-fA-F]{40}")


def merge(library: Library, one: str, other: str, why: str) -> int:
    """Merge two works (ids, SHA-1s or DOIs); returns the number of the curation action."""
    first, second = (find(library, name, Viewer.OPERATOR) for name in (one, other))
    if first == second:
        raise BadRequest(f"{one} and {other} are the same work already.", "There is nothing to merge.")
    pair = (library.records.members(first)[0], library.records.members(second)[0])
    return _decide(library, {pair: True}, "merge", why)


def split(library: Library, work: str, part: str, why: str) -> int:
    """Split a part off a work: the document with this SHA-1, or the description that minted this work id."""
    root = find(library, work, Viewer.OPERATOR)
    members = library.records.members(root)
    wanted = header_id(part.lower()) if SHA1.fullmatch(part) else ""
    name = next((one for one in members if one == wanted or work_id_of(one) == part), None)
    if name is None:
        raise BadRequest(f"{part} is no part of {root}.", "Name the SHA-1 of a file of the work, or one of its ids.")
    if len(members) == 1:
        raise BadRequest(f"{root} has no other part.", "There is nothing to split off.")
    return _decide(library, {(name, other): False for other in members if other != name}, "split", why)


def _decide(library: Library, constraints: dict[tuple[str, str], bool | None], what: str, why: str) -> int:
    with library.records.writing() as writer:
        action = writer.curate(constraints, what, why)
        recluster(writer, {name for pair in constraints for name in pair})
    return action


def delete(library: Library, sha1: str, why: str, visibility: Visibility = Visibility.DELETED) -> int:
    """Retract a document or restrict access to it; rows and files stay, so that it can be undone."""
    with library.records.writing() as writer:
        result = writer.retract(sha1.lower(), why, visibility)
        resolve(writer, {}, result.affected)
    return result.action


def accept(library: Library, name: str, why: str) -> int:
    """Confirm that a doubtful document is a paper; returns the number of the curation action."""
    sha1 = _doubtful_document(library, name)
    with library.records.writing() as writer:
        return writer.accept(sha1, why).action


def drop(library: Library, name: str, why: str) -> int:
    """Remove a doubtful document that is not a paper; returns the number of the curation action."""
    return delete(library, _doubtful_document(library, name), why)


def _doubtful_document(library: Library, name: str) -> str:
    """The doubtful document with this SHA-1, or the one of the work with this id."""
    if SHA1.fullmatch(name):
        documents = [library.records.as_seen_by(Viewer.OPERATOR).document(name.lower())]
    else:
        work = find(library, name, Viewer.OPERATOR)
        sha1s = [one.sha1 for one in library.records.descriptions_of([work])[work] if one.kind == "header"]
        documents = list(library.records.documents_by_sha1(sha1s).values())
    doubtful = [one.sha1 for one in documents if one.is_doubtful and one.visibility is Visibility.PUBLIC]
    if len(doubtful) == 1:
        return doubtful[0]
    hint = "`openseer documents --doubtful` lists those that wait for a decision."
    if doubtful:
        raise BadRequest(f"{name} has {len(doubtful)} doubtful documents: {', '.join(doubtful)}.", "Name one of them.")
    raise BadRequest(f"{name} is not in doubt.", hint)


def undo(library: Library, action: int, why: str) -> int:
    """Undo a curation action; returns the number of the action that does so."""
    with library.records.writing() as writer:
        result = writer.undo(action, why)
        resolve(writer, {}, result.affected)
    return result.action
