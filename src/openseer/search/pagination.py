"""A list by relevance that somebody walks through: kept, so that pages neither repeat nor lose works meanwhile."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from openseer.core.errors import CursorExpired
from openseer.core.model.query import And, IdSet, Node, Not, SearchQuery
from openseer.search.cursors import Cursor
from openseer.storage.protocols.index import Hit, Index, SearchHits
from openseer.storage.protocols.sessions import Ranked, ResultSnapshots

STRETCH = 200
"""Works by which a list grows when its end is reached; the first of them are put into order."""
LONGEST = 10_000
"""Works of a kept list; whoever goes on beyond them is only counted on."""


@dataclass(frozen=True, slots=True)
class ResultPages:
    """One reader's way through a list."""

    index: Index
    lists: ResultSnapshots
    place: Cursor
    size: int

    def question(self, question: SearchQuery) -> SearchQuery:
        """What the index is asked for: at the beginning the first stretch, later only how many works there are."""
        return replace(question, offset=0, limit=1 if self.place.list else max(STRETCH, self.size))

    def page(self, found: SearchHits, question: SearchQuery) -> tuple[SearchHits, Cursor]:
        """The works to show, of an answer to `question`, and the place where the list goes on."""
        if not self.place.list:
            return self._first(found)
        kept = self.lists.get(self.place.list)
        if kept is None:
            raise CursorExpired
        end = self.place.skip + self.size
        if end >= len(kept) and len(kept) < LONGEST:
            kept = self._longer(kept, question)
        shown = replace(found, hits=tuple(self._hits(kept)))
        if end < len(kept):
            return shown, replace(self.place, skip=end)
        return shown, Cursor(None, end) if len(kept) >= LONGEST else Cursor()

    def _first(self, found: SearchHits) -> tuple[SearchHits, Cursor]:
        shown = replace(found, hits=found.hits[: self.size])
        if len(found.hits) <= self.size:
            return shown, Cursor()
        name = self.lists.put([(hit.work.id, hit.score) for hit in found.hits])
        return shown, Cursor(None, self.size, name)

    def _longer(self, kept: list[Ranked], question: SearchQuery) -> list[Ranked]:
        """The list with the best of what does not stand in it yet."""
        others = _without(question.tree, [work for work, _ in kept])
        hits = self.index.search(replace(question, tree=others, limit=STRETCH, facets=())).hits
        if hits:
            kept = [*kept, *((hit.work.id, hit.score) for hit in hits)]
            self.lists.put(kept, self.place.list)
        return kept

    def _hits(self, kept: Sequence[Ranked]) -> list[Hit]:
        """The works of this page as they are now: without those that are gone, or one with a work shown before."""
        start = self.place.skip
        wanted = kept[start : start + self.size]
        works = self.index.find([work for work, _ in wanted])
        before = {work for work, _ in kept[:start]}
        hits = []
        for name, score in wanted:
            work = works.get(name)
            if work is not None and before.isdisjoint((work.id, *work.ids)):
                hits.append(Hit(work, score))
                before.update((work.id, *work.ids))
        return hits


def _without(tree: Node, works: Sequence[str]) -> Node:
    return And((tree, Not(IdSet("id", tuple(works)))))
