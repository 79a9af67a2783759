"""The works that cite a work, a page of them, with the sentences in which they do."""

from __future__ import annotations

from dataclasses import dataclass

from openseer.library.opening import Library
from openseer.library.readings import decode
from openseer.library.stores import Index
from openseer.records.document import Viewer
from openseer.records.work import Citing, IndexedWork
from openseer.works import citing_works, project

PAGE = 20


@dataclass(frozen=True, slots=True)
class CitingWork:
    """One citing work and what it says."""

    work: IndexedWork
    sentences: tuple[str, ...]
    own: bool
    """Whether it shares an author with what it cites."""


@dataclass(frozen=True, slots=True)
class CitingPage:
    """Some of the citing works, the most cited first."""

    works: tuple[CitingWork, ...]
    total: int
    page: int
    last: int


def citing_page(library: Library, index: Index, root: str, page: int, viewer: Viewer) -> CitingPage:
    """One page of the works that cite this one."""
    citations = citing_works(library, root)
    known = [(index.get(work) or project(library, work), found) for work, found in citations.items()]
    ranked = sorted(
        ((work, found) for work, found in known if work is not None), key=lambda pair: (-pair[0].cited, pair[0].title)
    )
    last = max(1, -(-len(ranked) // PAGE))
    page = min(page, last)
    shown = ranked[(page - 1) * PAGE : page * PAGE]
    return CitingPage(
        tuple(
            CitingWork(work, tuple(_sentences(library, found, viewer)), any(one.own for one in found))
            for work, found in shown
        ),
        len(ranked),
        page,
        last,
    )


def _sentences(library: Library, citations: list[Citing], viewer: Viewer) -> list[str]:
    """What the citing documents that this viewer may see say of it."""
    texts = []
    for citation in citations:
        if not library.records.may_see(citation.sha1, viewer):
            continue
        references = decode(library.records.reading(citation.sha1)).references
        if citation.place < len(references):
            texts += [context["text"] for context in references[citation.place]["contexts"]]
    return list(dict.fromkeys(texts))[:3]
