"""Types of the JSON bodies of works; the REST API publishes them as its schemas."""

from __future__ import annotations

from typing import Annotated, Any, NotRequired

from pydantic import Field
from typing_extensions import TypedDict


def _says(description: str) -> Any:
    return Field(description=description)


class WorkIds(TypedDict):
    """Ids of a work."""

    id: Annotated[str | None, _says("SHA-1 of the file to open; null without full text")]
    cluster_id: Annotated[str, _says("Work id")]


class Work(WorkIds, total=False):
    """A work in a list; with the parameter `fields` only its ids and the requested keys."""

    title: str
    authors: list[str]
    venue: str
    journal: Annotated[str, _says("The venue, by its published name")]
    year: int | None
    abstract: str
    doi: str
    arxiv: str
    type: Annotated[str, _says('article, conference, thesis ...; "" if unknown')]
    language: Annotated[str, _says("ISO 639-1")]
    keywords: list[str]
    n_cited_by: Annotated[int, _says("Citing works of this library")]
    n_self_cites: Annotated[int, _says("Citing works that share an author")]
    n_self_citations: Annotated[int, _says("The same")]
    is_citation: Annotated[bool, _says("True if it is only cited, without full text")]
    has_pdf: bool
    documents: Annotated[list[str], _says("SHA-1 of its files")]


class RankReason(TypedDict):
    """One reason of the rank of a work."""

    signal: str
    said: Annotated[str, _says("The reason in words")]
    points: Annotated[float, _says("Contribution to the score")]


class Hit(Work, total=False):
    """A work found by a search."""

    score: float
    title_marked: Annotated[str, _says("HTML with <mark>")]
    snippet: str
    snippet_marked: Annotated[str, _says("HTML with <mark>")]
    snippet_page: Annotated[int | None, _says("Page of the snippet; 0 for the abstract")]
    reasons: Annotated[list[RankReason], _says("Only with explain=true")]


class QueryRelaxation(TypedDict):
    """A query that finds more."""

    without: Annotated[str, _says("The part that is left out")]
    query: str
    total_results: int


class FacetCount(TypedDict):
    """One value of a facet."""

    key: Annotated[str, _says("The value, as filters take it")]
    label: Annotated[str, _says("Display form")]
    doc_count: Annotated[int, _says("Works with this value")]


class SearchResults(TypedDict):
    """One page of search results."""

    query_id: str
    total_results: int
    understood_as: Annotated[str, _says("How the query was interpreted")]
    took_ms: float
    did_you_mean: Annotated[str, _says('The query with corrected spelling, or ""')]
    corrected: Annotated[bool, _says("True if these are the results of the corrected spelling")]
    relaxed: Annotated[bool, _says("True if results may lack some of the words")]
    with_all_words: Annotated[int, _says("Works that match the whole query")]
    by_meaning: Annotated[bool, _says("True if embeddings were compared")]
    relaxations: list[QueryRelaxation]
    response: list[Hit]
    facets: NotRequired[Annotated[dict[str, list[FacetCount]], _says("Only with facets or group_by")]]
    group_by: NotRequired[Annotated[list[FacetCount], _says("Only with group_by")]]
    next_cursor: NotRequired[Annotated[str, _says("Only with cursor, and not on the last page")]]


class SimilarHit(Work, total=False):
    """A similar work."""

    score: float
    reasons: list[str]


class SimilarResults(TypedDict):
    """Similar works, best first."""

    query_id: str
    cluster_id: Annotated[str, _says('Work id; "" for a text or a file')]
    algo: Annotated[str, _says("Kind of similarity")]
    total_results: int
    response: list[SimilarHit]


class CitingSentenceHit(TypedDict):
    """A sentence that cites works."""

    text: str
    text_marked: Annotated[str, _says("HTML with <mark>")]
    section: str
    page: int
    citing: Annotated[Work, _says("The work that contains the sentence")]
    cited: list[Work]


class Citation(TypedDict):
    """One reference of a paper, as printed."""

    id: Annotated[int, _says("Number of the reference, from 1")]
    cluster: Annotated[str | None, _says("Work id of the cited work")]
    cluster_id: Annotated[str | None, _says("The same")]
    paper_id: Annotated[str | None, _says("SHA-1 of the citing paper")]
    title: str
    authors: list[str]
    editors: list[str]
    venue: str
    venue_type: str
    year: int | None
    pages: str
    volume: str
    number: str
    publisher: str
    pub_address: str
    tech: Annotated[str, _says("Institution of a report")]
    raw: Annotated[str, _says("The whole entry")]
    doi: str
    in_collection: Annotated[bool, _says("True if the cited work has full text here")]
    self: Annotated[bool, _says("True if the two share an author")]
    contexts: Annotated[list[str], _says("Sentences that cite it")]


class AuthorWithAffiliation(TypedDict):
    """An author of a work."""

    name: str
    affiliation: Annotated[str, _says('As printed in the paper, "" if unknown')]


class Cluster(TypedDict):
    """A work with the published keys; fields are a majority vote of all its descriptions."""

    cluster_id: str
    paper_id: Annotated[list[str], _says("SHA-1 of its files")]
    title: str
    authors: list[AuthorWithAffiliation]
    venue: str
    year: int | None
    abstract: str
    has_pdf: bool
    source_urls: Annotated[list[str], _says("Where its files were found")]
    cited_by: Annotated[list[str], _says("Work ids of citing works, at most 1,000; all of them: /api/showCiting")]
    incollection: bool
    cpublisher: str
    cyear: int | None
    observations: Annotated[int, _says("Citing works")]
    selfCites: int
    ctitle: str
    cauthors: list[str]
    ctech: str
    cvol: str
    cvenue: str
    cnum: str
    cpages: str
    cventype: str


class DocumentOfWork(TypedDict):
    """One file of a work."""

    sha1: str
    pages: int
    words: int
    mime: str


class VersionOfWork(TypedDict):
    """One file of a work, compared with the first."""

    sha1: str
    stage: Annotated[str, _says('preprint, published or ""')]
    likeness: Annotated[str, _says('same text, revised, another text; "" for the first')]
    other_work: Annotated[bool, _says("True if it belongs to another work")]


class ReferenceOfWork(TypedDict):
    """One reference of a work, in short."""

    raw: str
    title: str
    year: int | None
    cluster_id: Annotated[str | None, _says("Work id of the cited work")]
    in_library: Annotated[bool, _says("True if it has full text here")]


class Paper(WorkIds, total=False):
    """All metadata of a work; with the parameter `fields` only its ids and the requested keys."""

    ids: Annotated[list[str], _says("Every work id that leads here")]
    title: str
    authors: list[str]
    authors_with_affiliation: list[AuthorWithAffiliation]
    venue: str
    journal: Annotated[str, _says("The venue, by its published name")]
    year: int | None
    publish_time: Annotated[str, _says("The year as text, by its published name")]
    volume: str
    issue: str
    pages: str
    doi: str
    arxiv: str
    publisher: str
    abstract: str
    keywords: list[str]
    language: Annotated[str, _says("ISO 639-1")]
    n_cited_by: Annotated[int, _says("Citing works of this library")]
    n_self_cites: Annotated[int, _says("Citing works that share an author")]
    n_self_citations: Annotated[int, _says("The same")]
    cited_by: Annotated[list[str], _says("Work ids of citing works, at most 1,000; all of them: /api/showCiting")]
    is_citation: Annotated[bool, _says("True if it is only cited, without full text")]
    has_pdf: bool
    documents: list[DocumentOfWork]
    versions: list[VersionOfWork]
    urls: Annotated[list[str], _says("Where its files and its imported record were found")]
    source_urls: Annotated[list[str], _says("The same, by the published name")]
    references: list[ReferenceOfWork]
    n_references: int
    references_in_library: Annotated[int, _says("References to works with full text here")]
