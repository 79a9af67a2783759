"""JSON bodies of the REST API and of `--json`: works, search results, citations and clusters."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from html import escape
from typing import cast

from openseer.catalog.bodies import (
    AuthorWithAffiliation,
    Citation,
    CitingSentenceHit,
    Cluster,
    Hit,
    Paper,
    RankReason,
    SearchResults,
    SimilarResults,
    Work,
)
from openseer.catalog.work_view import ReferenceEntry, WorkView
from openseer.core.model.work import IndexedWork
from openseer.core.text.name_strings import names_of, person_key
from openseer.core.text.person_names import split_name
from openseer.search.citing_sentences import FoundSentence
from openseer.search.display.snippets import TextSpan
from openseer.search.service import SearchResponse, SearchResult
from openseer.search.similar import SimilarWork


def search_body(response: SearchResponse) -> SearchResults:
    """The body of /api/search."""
    body: SearchResults = {
        "query_id": str(uuid.uuid4()),
        "total_results": response.total,
        "understood_as": response.understood,
        "took_ms": round(response.took_ms, 2),
        "did_you_mean": response.suggestion,
        "corrected": response.corrected,
        "relaxed": response.relaxed,
        "with_all_words": response.with_all_words,
        "by_meaning": response.used_embeddings,
        "relaxations": [
            {"without": one.part, "query": one.query, "total_results": one.total} for one in response.relaxations
        ],
        "response": [_hit(result) for result in response.results],
    }
    if response.facets:
        body["facets"] = {
            name: [{"key": one.value, "label": one.label, "doc_count": one.count} for one in buckets]
            for name, buckets in response.facets.items()
        }
    if response.cursor:
        body["next_cursor"] = response.cursor
    return body


def _hit(result: SearchResult) -> Hit:
    shown = result.snippet
    hit = {
        **work_body(result.work),
        "score": round(result.score, 4),
        "title_marked": _highlighted_html(result.title),
        "snippet": shown.plain if shown else "",
        "snippet_marked": _highlighted_html(shown.spans) if shown else "",
        "snippet_page": shown.page if shown else None,
    }
    if result.reasons:
        hit["reasons"] = [RankReason(signal=one.signal, said=one.said, points=one.points) for one in result.reasons]
    return cast(Hit, hit)  # mypy wants every optional key beside **


def _highlighted_html(spans: Sequence[TextSpan]) -> str:
    """HTML with the matched words in <mark>."""
    return "".join(f"<mark>{escape(one.text)}</mark>" if one.highlighted else escape(one.text) for one in spans)


def work_body(work: IndexedWork) -> Work:
    """A work in a result list."""
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
        "arxiv": work.arxiv,
        "type": work.type,
        "language": work.language,
        "keywords": list(work.keywords),
        "n_cited_by": work.cited,
        "n_self_cites": work.self_citations,
        "n_self_citations": work.self_citations,
        "is_citation": not work.documents,
        "has_pdf": bool(work.documents),
        "documents": list(work.documents),
    }


def similar_body(work: str, kind: str, found: Sequence[SimilarWork]) -> SimilarResults:
    """The body of /api/similar."""
    return {
        "query_id": str(uuid.uuid4()),
        "cluster_id": work,
        "algo": kind,
        "total_results": len(found),
        "response": [
            {**work_body(one.work), "score": round(one.score, 4), "reasons": list(one.reasons)} for one in found
        ],
    }


def citing_sentence_body(one: FoundSentence) -> CitingSentenceHit:
    """One citing sentence."""
    return {
        "text": one.sentence.text,
        "text_marked": _highlighted_html(one.spans),
        "section": one.sentence.section,
        "page": one.sentence.page,
        "citing": work_body(one.citing),
        "cited": [work_body(cited) for cited in one.cited],
    }


def citation_body(shown: WorkView, entry: ReferenceEntry, number: int) -> Citation:
    """One reference of a paper, with the keys of the CiteSeerX API."""
    printed = entry.printed
    return {
        "id": number,
        "cluster": entry.work or None,
        "cluster_id": entry.work or None,
        "paper_id": shown.documents[0].sha1 if shown.documents else None,
        "title": printed.get("title", ""),
        "authors": [one.get("name", "") for one in printed.get("authors", ())],
        "editors": [one.get("name", "") for one in printed.get("editors", ())],
        "venue": printed.get("venue", ""),
        "venue_type": printed.get("type", ""),
        "year": printed.get("year"),
        "pages": printed.get("pages", ""),
        "volume": printed.get("volume", ""),
        "number": printed.get("issue", ""),
        "publisher": printed.get("publisher", ""),
        "pub_address": printed.get("location", ""),
        "tech": printed.get("institution", ""),
        "raw": printed.get("raw", ""),
        "doi": printed.get("doi", ""),
        "in_collection": entry.in_library,
        "self": entry.is_self_citation,
        "contexts": [one.get("text", "") for one in printed.get("contexts", ())],
    }


def cluster_body(shown: WorkView, cited_by: list[str]) -> Cluster:
    """The body of /api/cluster: the voted fields, with the keys of the CiteSeerX index and API."""
    fields = shown.fields
    return {
        "cluster_id": shown.id,
        "paper_id": [one.sha1 for one in shown.documents],
        "title": fields.title,
        "authors": _authors(shown),
        "venue": fields.venue,
        "year": fields.year,
        "abstract": shown.reading.abstract,
        "has_pdf": bool(shown.documents),
        "source_urls": _urls(shown),
        "cited_by": cited_by,
        "incollection": bool(shown.documents),
        "cpublisher": shown.listed.publisher,
        "cyear": fields.year,
        "observations": shown.cited.total,
        "selfCites": shown.cited.self_citations,
        "ctitle": fields.title,
        "cauthors": list(names_of(fields.authors)),
        "ctech": "",
        "cvol": fields.volume,
        "cvenue": fields.venue,
        "cnum": shown.listed.issue,
        "cpages": fields.pages,
        "cventype": shown.reading.type,
    }


def paper_body(shown: WorkView, cited_by: list[str]) -> Paper:
    """The body of /api/paper."""
    fields, urls = shown.fields, _urls(shown)
    return {
        "id": shown.documents[0].sha1 if shown.documents else None,
        "cluster_id": shown.id,
        "ids": list(shown.ids),
        "title": fields.title,
        "authors": list(names_of(fields.authors)),
        "authors_with_affiliation": _authors(shown),
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
        "n_cited_by": shown.cited.total,
        "n_self_cites": shown.cited.self_citations,
        "n_self_citations": shown.cited.self_citations,
        "cited_by": cited_by,
        "is_citation": not shown.documents,
        "has_pdf": bool(shown.documents),
        "documents": [
            {"sha1": one.sha1, "pages": one.pages, "words": one.words, "mime": one.mime} for one in shown.documents
        ],
        "versions": [
            {"sha1": one.document.sha1, "stage": one.stage, "likeness": one.similarity, "other_work": one.elsewhere}
            for one in shown.versions
        ],
        "urls": urls,
        "source_urls": urls,
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


def _authors(shown: WorkView) -> list[AuthorWithAffiliation]:
    """The voted authors, with the affiliations that the first file prints."""
    printed: dict[str, str] = {}
    for one in shown.reading.authors if shown.documents else ():
        name = split_name(one.get("name", ""))
        printed.setdefault(person_key(name.family, name.given), one.get("affiliation", ""))
    keys = [person_key(family, given) for family, given in shown.fields.authors]
    return [
        {"name": name, "affiliation": printed.get(key, "")}
        for name, key in zip(names_of(shown.fields.authors), keys, strict=True)
    ]


def _urls(shown: WorkView) -> list[str]:
    """URLs of its files and of its imported record."""
    found = {source.url for one in shown.documents for source in one.sources} | {shown.listed.url}
    return sorted(url for url in found if url and not url.startswith("file:"))
