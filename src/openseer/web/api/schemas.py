"""Types of the JSON bodies that only the REST API has: lists, counts, uploads, jobs."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field
from typing_extensions import TypedDict

from openseer.catalog.bodies import Citation, CitingSentenceHit, SimilarResults, Work


def _says(description: str) -> Any:
    return Field(description=description)


class KeyCount(TypedDict):
    """One value with its number of works."""

    key: Annotated[str, _says("Display form")]
    doc_count: int


class Counts(TypedDict):
    """Numbers of works of a query by facet, also with the published keys."""

    total_results: int
    understood_as: Annotated[str, _says("How the query was interpreted")]
    pub_info_year_count: int
    pub_info_year_list: list[KeyCount]
    pub_info_publisher_count: int
    pub_info_publisher_list: list[KeyCount]
    authors_count: int
    authors_fullname_terms: list[KeyCount]
    facets: dict[str, list[KeyCount]]


class Suggestion(TypedDict):
    """One completion of a query."""

    type: Annotated[str, _says("title, author, venue or field")]
    text: str
    id: Annotated[str | None, _says("Work id of a title")]


class Suggestions(TypedDict):
    """Completions of a query, best first."""

    suggestions: list[Suggestion]


class WorkBatch(TypedDict):
    """Works in the order of the request."""

    total_results: Annotated[int, _says("Known works")]
    response: Annotated[list[Work | None], _says("null for an unknown id")]


class Citations(TypedDict):
    """References of a paper."""

    total_results: int
    in_collection: Annotated[int, _says("References to works with full text here")]
    cluster_id: Annotated[str, _says("Work id of the paper")]
    citations: list[Citation]
    response: Annotated[list[Citation], _says("The same")]


class CitingWorks(TypedDict):
    """Works that cite a work."""

    total_results: int
    cluster_id: Annotated[str, _says("Work id of the cited work")]
    response: list[Work]


class SimilarToText(SimilarResults):
    """Works similar to a text."""

    kinds: Annotated[list[str], _says("Kinds of similarity between works of the library")]


class AuthorName(TypedDict):
    """An author name."""

    key: Annotated[str, _says("Family name and initial, as filters take it")]
    name: str
    variants: Annotated[list[str], _says("Printed forms")]
    affiliations: list[str]
    topics: list[str]
    n_works: int
    n_cited_by: int


class AuthorNames(TypedDict):
    """Author names, most works first."""

    total_results: int
    note: str
    response: list[AuthorName]


class CitingSentences(TypedDict):
    """Citing sentences, best first."""

    total_results: int
    response: list[CitingSentenceHit]


class AcceptedDocument(TypedDict):
    """An accepted file."""

    name: str
    sha1: str
    known: Annotated[bool, _says("True if it was extracted before")]


class RejectedDocument(TypedDict):
    """A rejected file."""

    name: str
    code: Annotated[str, _says("Outcome or error code")]
    message: str
    hint: str


class UploadReceipt(TypedDict):
    """An accepted upload."""

    sha1: Annotated[str, _says("Of the uploaded file: a paper or an archive")]
    job: str
    known: Annotated[bool, _says("True if all documents were extracted before")]
    documents: list[AcceptedDocument]
    refused: list[RejectedDocument]
    status: Annotated[str, _says("Path of the job")]


class JobDocument(TypedDict):
    """One document of a job."""

    sha1: str
    name: str
    state: Annotated[str, _says("waiting, held, done, cancelled or quarantined")]
    outcome: Annotated[str | None, _says("null until it was read")]
    detail: str
    cluster_id: Annotated[str | None, _says("Work id")]
    searchable: Annotated[bool, _says("True once a search finds it")]


class JobStatus(TypedDict):
    """Status of an upload job."""

    id: str
    what: str
    state: Annotated[str, _says("active or ended")]
    documents: list[JobDocument]


class Health(TypedDict):
    """State of the server."""

    status: str
    library: Annotated[str, _says("Id of the library")]
    index_behind: Annotated[int, _says("Changes that the index does not have yet")]
