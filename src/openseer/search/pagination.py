"""Pagination: cursors, and snapshots of result lists so that pages neither repeat nor lose works."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Sequence
from dataclasses import dataclass, replace

from openseer.core.errors import BadRequest, CursorExpired
from openseer.core.model.query import And, IdSet, Node, Not, SearchQuery
from openseer.storage.protocols.index import Hit, Index, SearchHits
from openseer.storage.protocols.sessions import Ranked, ResultSnapshots

BEGIN = "*"
"""Token of the first page."""
SNAPSHOT_STEP = 200
"""Works that are added to a snapshot when its end is reached; the first of them are re-ranked."""
MAX_SNAPSHOT = 10_000
"""Works of a snapshot; beyond them a cursor only counts an offset."""


@dataclass(frozen=True, slots=True)
class Cursor:
    """A position in a result list."""

    order_key: int | None = None
    """Order key of the last work shown; the list continues there."""
    offset: int = 0
    """Works already shown: of this order key, or of the whole list if there is no key."""
    snapshot: str = ""
    """Name of the result snapshot in which the offset counts."""
    fingerprint: str = ""
    """Fingerprint of the request; a cursor is valid for this request only."""

    @classmethod
    def of(cls, token: str) -> Cursor:
        """Decode a token; "*" is the beginning."""
        if token == BEGIN:
            return cls()
        try:
            decoded = base64.urlsafe_b64decode(token.encode() + b"==").decode("ascii")
            key, offset, snapshot, fingerprint = decoded.split(":")
            return cls(int(key) if key else None, max(0, min(10**9, int(offset))), snapshot, fingerprint)
        except (ValueError, binascii.Error, UnicodeError):
            raise BadRequest(f"Unknown cursor {token[:40]}.", "Begin with cursor=*.") from None

    @property
    def token(self) -> str:
        """Encoded form for clients; "" for the beginning."""
        if replace(self, fingerprint="") == Cursor():
            return ""
        key = "" if self.order_key is None else self.order_key
        encoded = f"{key}:{self.offset}:{self.snapshot}:{self.fingerprint}"
        return base64.urlsafe_b64encode(encoded.encode("ascii")).decode("ascii").rstrip("=")

    def after(self, found: SearchHits, query: SearchQuery) -> Cursor:
        """Cursor of the next page; `Cursor()` if this page was the last."""
        if len(found.hits) < query.limit:
            return Cursor()
        if query.sort == "relevance":
            return Cursor(None, query.offset + query.limit)
        last = found.hits[-1].order_key
        same = sum(hit.order_key == last for hit in found.hits)
        return Cursor(last, same + (self.offset if last == self.order_key else 0))


@dataclass(frozen=True, slots=True)
class SnapshotPages:
    """Pages of a list by relevance, read from a result snapshot."""

    index: Index
    snapshots: ResultSnapshots
    cursor: Cursor
    size: int

    def index_query(self, query: SearchQuery) -> SearchQuery:
        """The query for the index: the first step of the snapshot at the beginning, later only the total."""
        return replace(query, offset=0, limit=1 if self.cursor.snapshot else max(SNAPSHOT_STEP, self.size))

    def page(self, found: SearchHits, query: SearchQuery) -> tuple[SearchHits, Cursor]:
        """The hits of this page, given the answer to `query`, and the cursor of the next one."""
        if not self.cursor.snapshot:
            return self._first_page(found)
        listed = self.snapshots.get(self.cursor.snapshot)
        if listed is None:
            raise CursorExpired
        end = self.cursor.offset + self.size
        if end >= len(listed) and len(listed) < MAX_SNAPSHOT:
            listed = self._extended(listed, query)
        shown = replace(found, hits=tuple(self._current_hits(listed)))
        if end < len(listed):
            return shown, replace(self.cursor, offset=end)
        return shown, Cursor(None, end) if len(listed) >= MAX_SNAPSHOT else Cursor()

    def _first_page(self, found: SearchHits) -> tuple[SearchHits, Cursor]:
        shown = replace(found, hits=found.hits[: self.size])
        if len(found.hits) <= self.size:
            return shown, Cursor()
        name = self.snapshots.put([(hit.work.id, hit.score) for hit in found.hits])
        return shown, Cursor(None, self.size, name)

    def _extended(self, listed: list[Ranked], query: SearchQuery) -> list[Ranked]:
        """Append the best works that are not in the snapshot yet."""
        others = _without(query.tree, [work for work, _ in listed])
        hits = self.index.search(replace(query, tree=others, limit=SNAPSHOT_STEP, facets=())).hits
        if hits:
            listed = [*listed, *((hit.work.id, hit.score) for hit in hits)]
            self.snapshots.put(listed, self.cursor.snapshot)
        return listed

    def _current_hits(self, listed: Sequence[Ranked]) -> list[Hit]:
        """The works of this page as indexed now, without removed works and works merged with one shown before."""
        start = self.cursor.offset
        on_page = listed[start : start + self.size]
        works = self.index.find([work for work, _ in on_page])
        shown = {work for work, _ in listed[:start]}
        hits = []
        for name, score in on_page:
            work = works.get(name)
            if work is not None and shown.isdisjoint((work.id, *work.ids)):
                hits.append(Hit(work, score))
                shown.update((work.id, *work.ids))
        return hits


def _without(tree: Node, works: Sequence[str]) -> Node:
    return And((tree, Not(IdSet("id", tuple(works)))))
