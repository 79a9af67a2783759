"""Projection of works into the index: voted fields, summaries, texts, and the digest that shows a change."""

from __future__ import annotations

import gzip
import hashlib
import zlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import orjson

from openseer.catalog.imported_fields import imported_record, with_imported
from openseer.core.errors import Gone, NotFound
from openseer.core.model.document import Document, Viewer
from openseer.core.model.work import (
    CitationCount,
    CitingSentence,
    DescriptionCount,
    IndexedWork,
    OutgoingCitation,
)
from openseer.core.text.name_strings import names_of, person_key
from openseer.match.field_voting import vote
from openseer.search.embeddings.encoder import embedded_text
from openseer.search.ranking.forward_index import pack
from openseer.storage.codecs.document_summary import DocumentSummary, decode
from openseer.storage.open import Library
from openseer.storage.protocols.index import Index

MAX_TOPICS = 8
"""Keyphrases of a work that the topic facet counts."""


class Projection(NamedTuple):
    """A work with its digest, which shows whether the index is up to date."""

    work: IndexedWork
    descriptions: list[DescriptionCount]


def project(library: Library, work: str) -> IndexedWork | None:
    """A work as the index holds it, without its text; None if it has no public description."""
    found = projections(library, [work])[work]
    return _with_summaries(library, found) if found else None


def projections(library: Library, works: Collection[str]) -> dict[str, Projection | None]:
    """Projections of works, with few queries for all; None for a work without a public description."""
    records = library.records
    descriptions = records.descriptions_of(works)
    ids, counts = records.ids_of(descriptions), records.citation_counts(descriptions)
    files = records.documents_by_sha1(
        one.sha1 for every in descriptions.values() for one in every if one.kind == "header"
    )
    found = {}
    for work_id in descriptions:
        if not ids[work_id]:  # merged into another work meanwhile; a work change names both
            continue
        values, digest = _projection(library, work_id, descriptions[work_id], files)
        cited = counts.get(work_id, CitationCount())
        work = IndexedWork(
            **values, ids=tuple(ids[work_id]), cited=cited.total, self_citations=cited.self_citations, digest=digest
        )
        found[work_id] = Projection(work, descriptions[work_id])
    return {work_id: found.get(work_id) for work_id in works}


def _projection(
    library: Library, work: str, descriptions: list[DescriptionCount], files: Mapping[str, Document]
) -> tuple[dict[str, Any], str]:
    """Voted fields and documents, and their digest.

    The extracted content follows from documents and generations, so the digest has only these; it leaves out the ids,
    since every new spelling of a reference adds one."""
    fields = vote(descriptions)
    headers = [files[one.sha1] for one in descriptions if one.kind == "header"]
    documents = by_length(one for one in headers if Viewer.PUBLIC.sees(one.visibility))
    values: dict[str, Any] = {
        "id": work,
        "title": fields.title,
        "authors": names_of(fields.authors),
        "people": tuple(person_key(family, given) for family, given in fields.authors),
        "venue": fields.venue,
        "year": fields.year,
        "doi": fields.doi,
        "arxiv": fields.arxiv,
        "volume": fields.volume,
        "pages": fields.pages,
        "documents": tuple(document.sha1 for document in documents),
        "formats": tuple(document.type.suffix for document in documents),
        "fingerprint": documents[0].simhash if documents else None,
        "added": int(min((document.added_at for document in documents), default=0)),
    }
    if documents and all(document.is_doubtful for document in documents):
        values["is_doubtful"] = True
    if hosts := tuple(sorted({*_hosts(documents)} - {""})):
        values["hosts"] = hosts
    sources = [
        *sorted((one.sha1, one.generation) for one in headers),
        *_imported_generations(library, work, descriptions),
    ]
    return values, hashlib.blake2b(orjson.dumps([values, sources]), digest_size=12).hexdigest()


def _imported_generations(
    library: Library, work: str, descriptions: list[DescriptionCount]
) -> list[tuple[str, int, int]]:
    """The imported records of a work: bibliography, its generation, position."""
    if all(one.kind != "import" for one in descriptions):
        return []
    records = library.records.imported_records(work)
    bibliographies = library.records.documents_by_sha1({sha1 for sha1, _ in records})
    return [(sha1, bibliographies[sha1].generation, position) for sha1, position in records]


def _with_summaries(library: Library, projection: Projection) -> IndexedWork:
    """The work with the fields of its document summary and imported records, without the text."""
    work, descriptions = projection
    if all(one.kind == "reference" for one in descriptions):
        return work
    headers = [one.sha1 for one in descriptions if one.kind == "header"]
    summary = decode(library.records.summary(work.documents[0])) if work.documents else DocumentSummary()
    summary = with_imported(summary, imported_record(library, work.id, descriptions, Viewer.PUBLIC))
    entries = {sha1: library.records.outgoing_citations(sha1) for sha1 in headers}
    cites = {one.minted_id for cited in entries.values() for one in cited} - set(work.ids)
    return replace(
        work,
        recorded=bool(work.title or summary.abstract),
        abstract=summary.abstract,
        keywords=summary.keywords,
        type=summary.type,
        language=summary.language,
        affiliations=tuple(dict.fromkeys(filter(None, (one.get("affiliation", "") for one in summary.authors)))),
        subjects=tuple(one["name"] for one in summary.subjects),
        topics=summary.keywords or tuple(one["text"] for one in summary.keyphrases[:MAX_TOPICS]),
        cites=tuple(sorted(cites)),
        sentences=tuple(_citing_sentences(work.id, summary, entries[work.documents[0]])) if work.documents else (),
    )


def _citing_sentences(
    work: str, summary: DocumentSummary, citations: Sequence[OutgoingCitation]
) -> Iterator[CitingSentence]:
    """The citing sentences of a paper, each with the ids of all works it cites."""
    found: dict[tuple[str, str, int], dict[str, None]] = {}
    for one in citations:
        if one.position < len(summary.references):
            for context in summary.references[one.position].get("contexts", ()):
                sentence = (context["text"], context.get("section") or "", context.get("page") or 0)
                found.setdefault(sentence, {})[one.minted_id] = None
    for (text, section, page), cited in found.items():
        yield CitingSentence(text, work, tuple(cited), section, page)


def _hosts(documents: Iterable[Document]) -> Iterator[str]:
    """Hosts of all source URLs of the documents."""
    for source in (one for document in documents for one in document.sources):
        try:
            yield urlsplit(source.url).hostname or ""
        except ValueError:  # not a URL, e.g. an unclosed bracket
            continue


def completed(library: Library, projection: Projection) -> IndexedWork:
    """The work with all that the index stores: summary fields, forward index, embedding, text."""
    work = _with_summaries(library, projection)
    embedding = library.records.embedding(text_hash(work)) if work.recorded else b""
    work = replace(
        work,
        forward_index=pack(work.title, work.abstract, work.keywords, work.authors, work.venue),
        embedding=embedding,
    )
    if not work.documents:
        return work
    return replace(work, text=_text(library, library.records.as_seen_by(Viewer.PUBLIC).document(work.documents[0])))


def indexed(library: Library, work: str) -> IndexedWork:
    """A work as the index holds it, computed from the records."""
    found = project(library, work)
    if found is None:
        raise Gone(f"The work {work} has no description left in this library.")
    return found


def indexed_or_computed(library: Library, index: Index, work: str) -> IndexedWork:
    """A work from the index, or computed from the records if it is not indexed yet."""
    return index.find([work]).get(work) or indexed(library, work)


def text_hash(work: IndexedWork) -> int:
    """Key of the embedding of a work: the same for all works with this title and abstract."""
    return int.from_bytes(
        hashlib.blake2b(embedded_text(work.title, work.abstract).encode(), digest_size=8).digest(), signed=True
    )


def by_length(documents: Iterable[Document]) -> tuple[Document, ...]:
    """Documents, the longest first; ids and dates play no part, so that the order is the same in every library."""
    return tuple(sorted(documents, key=lambda document: (-document.words, document.sha1)))


def _text(library: Library, document: Document) -> str:
    """The text of a document; nothing if it is lost or damaged, which `verify` reports."""
    try:
        packed = library.files.read("text", document.sha1, f"{document.generation}.txt.gz")
        return gzip.decompress(packed).decode("utf-8", "replace")
    except (NotFound, gzip.BadGzipFile, EOFError, zlib.error):
        return ""
