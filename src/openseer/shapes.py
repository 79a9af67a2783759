"""Works and answers in the shapes that the REST API and `--json` print: the published names, and ours beside them."""

from __future__ import annotations

import uuid
from typing import Any

from openseer.search.answers import Answered, Result
from openseer.works import WorkView, names_of


def search_body(answered: Answered) -> dict[str, Any]:
    """The body of /api/search."""
    return {
        "query_id": str(uuid.uuid4()),
        "total_results": answered.total,
        "understood_as": answered.understood,
        "took_ms": round(answered.took_ms, 2),
        "response": [_hit(result) for result in answered.results],
    }


def _hit(result: Result) -> dict[str, Any]:
    work = result.work
    return {
        "id": work.documents[0] if work.documents else None,
        "cluster_id": work.id,
        "title": work.title,
        "authors": list(work.authors),
        "venue": work.venue,
        "journal": work.venue,
        "year": work.year,
        "abstract": work.abstract,
        "doi": work.doi,
        "n_cited_by": work.cited,
        "n_self_citations": work.own,
        "is_citation": not work.documents,
        "has_pdf": bool(work.documents),
        "documents": list(work.documents),
        "score": round(result.score, 4),
        "snippet": result.snippet.plain if result.snippet else "",
        "snippet_page": result.snippet.page if result.snippet else None,
    }


def paper_body(shown: WorkView) -> dict[str, Any]:
    """The body of /api/paper."""
    fields = shown.fields
    return {
        "id": shown.documents[0].sha1 if shown.documents else None,
        "cluster_id": shown.id,
        "ids": list(shown.ids),
        "title": fields.title,
        "authors": list(names_of(fields.authors)),
        "venue": fields.venue,
        "journal": fields.venue,
        "year": fields.year,
        "publish_time": str(fields.year or ""),
        "volume": fields.volume,
        "issue": shown.listed.issue,
        "pages": fields.pages,
        "doi": fields.doi,
        "arxiv": fields.arxiv,
        "publisher": shown.listed.publisher,
        "abstract": shown.reading.abstract,
        "keywords": list(shown.reading.keywords),
        "language": shown.reading.language,
        "n_cited_by": shown.cited.times,
        "n_self_citations": shown.cited.own,
        "is_citation": not shown.documents,
        "has_pdf": bool(shown.documents),
        "documents": [
            {"sha1": one.sha1, "pages": one.pages, "words": one.words, "mime": one.mime} for one in shown.documents
        ],
        "versions": [
            {"sha1": one.document.sha1, "stage": one.stage, "likeness": one.likeness, "other_work": one.elsewhere}
            for one in shown.versions
        ],
        "urls": _urls(shown),
        "references": [
            {
                "raw": entry.printed["raw"],
                "title": entry.printed["title"],
                "year": entry.printed["year"],
                "cluster_id": entry.work or None,
                "in_library": entry.in_library,
            }
            for entry in shown.entries
        ],
        "n_references": len(shown.entries),
        "references_in_library": shown.covered,
    }


def _urls(shown: WorkView) -> list[str]:
    """Where its files were found, and where a record says it is."""
    found = {source.url for one in shown.documents for source in one.sources} | {shown.listed.url}
    return sorted(url for url in found if url and not url.startswith("file:"))
