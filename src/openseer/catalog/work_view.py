"""One work as it is shown and indexed: voted from its observations, with its files, references and citations."""

from __future__ import annotations

import gzip
import hashlib
import re
import zlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import orjson

from openseer.core.errors import Gone, NotFound
from openseer.core.model.bibliography_record import BibliographyRecord
from openseer.core.model.description import header_id, work_id_of
from openseer.core.model.document import Document, Viewer
from openseer.core.model.work import (
    CitationCount,
    CitingSentence,
    DescriptionCount,
    IncomingCitation,
    IndexedWork,
    OutgoingCitation,
    WorkFields,
)
from openseer.core.text.normalize import plain_arxiv, plain_doi, squeezed
from openseer.match.field_voting import vote
from openseer.match.text_versions import SAME, similarity, stage
from openseer.search.embeddings.encoder import embedded_text
from openseer.search.query.parser import ARXIV
from openseer.search.ranking.forward_index import pack
from openseer.storage.codecs.document_summary import DocumentSummary, decode
from openseer.storage.codecs.record_archive import record_at
from openseer.storage.open import Library
from openseer.storage.protocols.index import Index

NO_RECORD = BibliographyRecord()
MOST_TOPICS = 8
"""Keyphrases by which a work is counted."""
LISTS = 20
"""Imported records of one work that are looked into."""


@dataclass(frozen=True, slots=True)
class ReferenceEntry:
    """One reference of a work, and the work it names."""

    position: int
    printed: dict[str, Any]
    work: str
    """"" when the entry names nothing that could be looked for."""
    in_library: bool = False
    """Whether the full text of the cited work is here."""
    is_self_citation: bool = False
    """Whether it shares an author with the paper that cites it."""


@dataclass(frozen=True, slots=True)
class Version:
    """One file of a work, beside the others."""

    document: Document
    stage: str
    """preprint, published or ""."""
    similarity: str
    """How its text stands to that of the first: same text, revised, another text; "" for the first itself."""
    elsewhere: bool = False
    """Whether it is of another work, though the texts are alike."""


@dataclass(frozen=True, slots=True)
class WorkView:
    """Everything a page or an answer shows of a work."""

    id: str
    ids: tuple[str, ...]
    fields: WorkFields
    reading: DocumentSummary
    documents: tuple[Document, ...]
    """Its files that the viewer may see; the first is the one to open."""
    versions: tuple[Version, ...]
    """The same beside each other, and files of other works with the same text."""
    entries: tuple[ReferenceEntry, ...]
    cited: CitationCount
    listed: BibliographyRecord
    """What imported records say of it beside the voted fields."""

    @property
    def covered(self) -> int:
        """How many of its references name a work whose full text is in the library."""
        return sum(entry.in_library for entry in self.entries)


def names_of(authors: tuple[tuple[str, str], ...]) -> tuple[str, ...]:
    """(family, given) pairs as they are printed."""
    return tuple(f"{given} {family}".strip() for family, given in authors)


def person_key(family: str, given: str) -> str:
    """A name as it is counted: family name and initial, whatever the spelling of the rest."""
    return f"{squeezed(family)} {squeezed(given)[:1]}".strip()


def view(library: Library, work: str, viewer: Viewer = Viewer.PUBLIC) -> WorkView:
    """A work by any id that leads to it."""
    root = library.records.canonical_id(work, viewer)
    seen = library.records.descriptions_of([root]).get(root)
    if not seen:
        raise Gone(f"The work {work} has nothing left in this library.")
    documents = _documents(library, seen, viewer)
    listed = _listed(library, root, seen, viewer)
    reading = decode(library.records.summary(documents[0].sha1)) if documents else DocumentSummary()
    return WorkView(
        id=root,
        ids=tuple(library.records.ids_of([root])[root]),
        fields=vote(seen),
        reading=_with_listed(reading, listed),
        documents=documents,
        versions=tuple(_versions(library, documents, seen, viewer)),
        entries=tuple(_entries(library, documents[0].sha1, reading)) if documents else (),
        cited=library.records.citation_counts([root]).get(root, CitationCount()),
        listed=listed,
    )


def find(library: Library, name: str, viewer: Viewer = Viewer.PUBLIC) -> str:
    """The work that a work id, the SHA-1 of a file, a DOI or an arXiv id names."""
    if re.fullmatch(r"[0-9a-fA-F]{40}", name):
        document = library.records.document(name.lower(), viewer)
        if document.outcome != "ingested":
            reason = document.detail or "it was not read yet"
            raise NotFound(
                f"The document {document.sha1} is not in the library: {reason}", "Give it again if it was mended."
            )
        if document.is_bibliography:
            raise NotFound(f"{document.sha1} is a list of records, no paper.", "Look for its records by their titles.")
        return library.records.canonical_id(work_id_of(header_id(document.sha1)), viewer)
    if told := ARXIV.fullmatch(name):
        arxiv = plain_arxiv(told[1])
        return _standing(library, f"arxiv:{arxiv}", f"the arXiv id {arxiv}")
    if doi := plain_doi(name):
        return _standing(library, f"doi:{doi}", f"the DOI {doi}")
    return library.records.canonical_id(name, viewer)


def _standing(library: Library, key: str, told: str) -> str:
    """The work that stands under an identifier, best one with a full text."""
    standing = library.records.works_by_key(key)
    if not standing:
        raise NotFound(f"No work with {told} is known here.", "Look for it by its title.")
    full = library.records.with_full_text(standing)
    return next((work for work in standing if work in full), standing[0])


def project(library: Library, root: str) -> IndexedWork | None:
    """A work as the index holds it, or None when nothing of it is to be seen; its text is left out."""
    found = projections(library, [root])[root]
    return _filled(library, found) if found else None


class Projection(NamedTuple):
    """A work as far as is needed to see whether the index holds it already."""

    work: IndexedWork
    seen: list[DescriptionCount]


def projections(library: Library, roots: Collection[str]) -> dict[str, Projection | None]:
    """Many works, asked for together; None for one of which nothing is to be seen."""
    records = library.records
    seen = records.descriptions_of(records.public_works(roots))
    ids, counts = records.ids_of(seen), records.citation_counts(seen)
    files = records.documents_by_sha1(one.sha1 for every in seen.values() for one in every if one.kind == "header")
    found = {}
    for root in seen:
        if not ids[root]:  # it became part of another since it was seen; a change tells of both
            continue
        values, digest = _projection(library, root, seen[root], files)
        cited = counts.get(root, CitationCount())
        work = IndexedWork(
            **values, ids=tuple(ids[root]), cited=cited.total, self_citations=cited.self_citations, digest=digest
        )
        found[root] = Projection(work, seen[root])
    return {root: found.get(root) for root in roots}


def _projection(
    library: Library, root: str, seen: list[DescriptionCount], files: Mapping[str, Document]
) -> tuple[dict[str, Any], str]:
    """Voted fields and files, and the digest. What was read in the files follows from their names and generations, so
    these stand for it there; the ids do not count, since every new spelling in a reference brings one."""
    fields = vote(seen)
    headers = [files[one.sha1] for one in seen if one.kind == "header"]
    documents = _in_order(one for one in headers if Viewer.PUBLIC.sees(one.visibility))
    values: dict[str, Any] = {
        "id": root,
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
        "fingerprint": documents[0].simhash if documents else None,
        "added": int(min((document.added_at for document in documents), default=0)),
    }
    if hosts := tuple(sorted({*_hosts(documents)} - {""})):
        values["hosts"] = hosts
    read = [*sorted((one.sha1, one.generation) for one in headers), *_lists(library, root, seen)]
    return values, hashlib.blake2b(orjson.dumps([values, read]), digest_size=12).hexdigest()


def _lists(library: Library, root: str, seen: list[DescriptionCount]) -> list[tuple[str, int, int]]:
    """Which imported records speak of a work, and by which reading of their lists."""
    if all(one.kind != "import" for one in seen):
        return []
    places = library.records.imported_records(root)
    lists = library.records.documents_by_sha1({sha1 for sha1, _ in places})
    return [(sha1, lists[sha1].generation, place) for sha1, place in places]


def _filled(library: Library, projection: Projection) -> IndexedWork:
    """With what its files and imported records say beside the voted fields, but for the text."""
    work, seen = projection
    if all(one.kind == "reference" for one in seen):
        return work
    headers = [one.sha1 for one in seen if one.kind == "header"]
    reading = decode(library.records.summary(work.documents[0])) if work.documents else DocumentSummary()
    reading = _with_listed(reading, _listed(library, work.id, seen, Viewer.PUBLIC))
    entries = {sha1: library.records.outgoing_citations(sha1) for sha1 in headers}
    cites = {one.minted_id for cited in entries.values() for one in cited} - set(work.ids)
    return replace(
        work,
        recorded=bool(work.title or reading.abstract),
        abstract=reading.abstract,
        keywords=reading.keywords,
        type=reading.type,
        language=reading.language,
        affiliations=tuple(dict.fromkeys(filter(None, (one.get("affiliation", "") for one in reading.authors)))),
        subjects=tuple(one["name"] for one in reading.subjects),
        topics=reading.keywords or tuple(one["text"] for one in reading.keyphrases[:MOST_TOPICS]),
        cites=tuple(sorted(cites)),
        sentences=tuple(_said(work.id, reading, entries[work.documents[0]])) if work.documents else (),
    )


def _said(work: str, reading: DocumentSummary, entries: Sequence[OutgoingCitation]) -> Iterator[CitingSentence]:
    """The sentences in which a paper cites others, each with all works it speaks of."""
    found: dict[tuple[str, str, int], dict[str, None]] = {}
    for one in entries:
        if one.position < len(reading.references):
            for context in reading.references[one.position].get("contexts", ()):
                said = (context["text"], context.get("section") or "", context.get("page") or 0)
                found.setdefault(said, {})[one.minted_id] = None
    for (text, section, page), cited in found.items():
        yield CitingSentence(text, work, tuple(cited), section, page)


def _hosts(documents: Iterable[Document]) -> Iterator[str]:
    """The hosts of every address that led to one of these files."""
    for source in (one for document in documents for one in document.sources):
        try:
            yield urlsplit(source.url).hostname or ""
        except ValueError:  # a bracket that is not closed: told by others, and no address at all
            continue


def completed(library: Library, projection: Projection) -> IndexedWork:
    """The work with everything that is read only when it is to be written."""
    work = _filled(library, projection)
    vector = library.records.embedding(text_number(work)) if work.recorded else b""
    work = replace(
        work, forward_index=pack(work.title, work.abstract, work.keywords, work.authors, work.venue), embedding=vector
    )
    if not work.documents:
        return work
    return replace(work, text=_text(library, library.records.document(work.documents[0], Viewer.PUBLIC)))


def indexed(library: Library, root: str) -> IndexedWork:
    """A work in the shape of the index, made from the records."""
    found = project(library, root)
    if found is None:
        raise Gone(f"The work {root} has nothing left in this library.")
    return found


def held(library: Library, index: Index, root: str) -> IndexedWork:
    """A work as the index holds it, or will hold it."""
    return index.find([root]).get(root) or indexed(library, root)


def text_number(work: IndexedWork) -> int:
    """By which the vector of a work is kept: the same for all works with this title and abstract."""
    return int.from_bytes(
        hashlib.blake2b(embedded_text(work.title, work.abstract).encode(), digest_size=8).digest(), signed=True
    )


def citing_works(library: Library, root: str) -> dict[str, list[IncomingCitation]]:
    """The works that cite this one, each with its citations; a work that names itself does not count."""
    found: dict[str, list[IncomingCitation]] = {}
    for citation in library.records.incoming_citations(root):
        if citation.work != root:
            found.setdefault(citation.work, []).append(citation)
    return found


def _documents(library: Library, seen: list[DescriptionCount], viewer: Viewer) -> tuple[Document, ...]:
    """Files this viewer may see, with their sources."""
    headers = [one.sha1 for one in seen if one.kind == "header" and library.records.may_see(one.sha1, viewer)]
    return _in_order(library.records.document(sha1, viewer) for sha1 in headers)


def _in_order(documents: Iterable[Document]) -> tuple[Document, ...]:
    """The longest first; ids and dates play no part, so every library agrees."""
    return tuple(sorted(documents, key=lambda document: (-document.words, document.sha1)))


def _listed(library: Library, root: str, seen: list[DescriptionCount], viewer: Viewer) -> BibliographyRecord:
    """What imported records say of a work: the longest texts, and the value that sorts first of the rest."""
    if all(one.kind != "import" for one in seen):
        return NO_RECORD
    places = [place for place in library.records.imported_records(root) if library.records.may_see(place[0], viewer)]
    records = [BibliographyRecord.of_record(found) for place in places[:LISTS] if (found := _record(library, *place))]
    return BibliographyRecord(
        abstract=max((one.abstract for one in records), key=lambda text: (len(text), text), default=""),
        keywords=max((one.keywords for one in records), key=lambda words: (len(words), words), default=()),
        issue=min((one.issue for one in records if one.issue), default=""),
        publisher=min((one.publisher for one in records if one.publisher), default=""),
        type=min((one.type for one in records if one.type not in ("", "other")), default=""),
        url=min((one.url for one in records if one.url), default=""),
    )


def _record(library: Library, sha1: str, place: int) -> dict[str, Any]:
    """One imported record; a lost list must not hold up the others (`verify` tells of it)."""
    generation = library.records.document(sha1, Viewer.OPERATOR).generation
    try:
        with library.files.open("extraction", sha1, f"{generation}.records") as shelf:
            return record_at(shelf, place)
    except NotFound:
        return {}


def _with_listed(reading: DocumentSummary, listed: BibliographyRecord) -> DocumentSummary:
    """As in votes, the librarian's word outweighs what was read in the paper."""
    if listed == NO_RECORD:
        return reading
    return replace(
        reading,
        abstract=listed.abstract or reading.abstract,
        keywords=listed.keywords or reading.keywords,
        type=listed.type or reading.type,
    )


def _entries(library: Library, sha1: str, reading: DocumentSummary) -> Iterator[ReferenceEntry]:
    named = {one.position: one for one in library.records.outgoing_citations(sha1)}
    full = library.records.with_full_text({one.work for one in named.values()})
    for place, printed in enumerate(reading.references):
        one = named.get(place)
        yield (
            ReferenceEntry(place, printed, one.work, one.work in full, one.is_self_citation)
            if one
            else ReferenceEntry(place, printed, "")
        )


def _text(library: Library, document: Document) -> str:
    """Its whole text; one that is lost or damaged must not hold up the others (`verify` tells of it)."""
    try:
        packed = library.files.read("text", document.sha1, f"{document.generation}.txt.gz")
        return gzip.decompress(packed).decode("utf-8", "replace")
    except (NotFound, gzip.BadGzipFile, EOFError, zlib.error):
        return ""


def _versions(
    library: Library, documents: Sequence[Document], seen: list[DescriptionCount], viewer: Viewer
) -> Iterator[Version]:
    """The files of a work, the one to open first; then near-duplicates that stand elsewhere in the library."""
    fields = {one.sha1: one.fields for one in seen if one.kind == "header"}
    for one in documents:
        alike = similarity(documents[0].simhash, one.simhash) if one is not documents[0] else ""
        yield Version(one, stage(fields[one.sha1]), alike)
    own = {one.sha1 for one in documents}
    first = documents[0].simhash if documents else None
    for sha1, _ in library.records.near_duplicates(first, SAME) if first else []:
        if sha1 not in own and library.records.may_see(sha1, viewer):
            document = library.records.document(sha1, viewer)
            yield Version(document, "", similarity(first, document.simhash), elsewhere=True)
