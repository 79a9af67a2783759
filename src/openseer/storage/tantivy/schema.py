"""Index schema, and works as index documents."""

from __future__ import annotations

import datetime
from dataclasses import asdict
from dataclasses import fields as dataclass_fields
from typing import Any

import orjson
import tantivy
import xxhash

from openseer.core.model.query import HAS_FIELDS
from openseer.core.model.work import CitingSentence, IndexedWork
from openseer.core.text.cjk_bigrams import with_bigrams
from openseer.storage.protocols.index import Checkpoint, IndexedDigest
from openseer.storage.tantivy.tokenizers import FOLDED, STEMMED, folding_analyzer, stemmed_text, stemming_analyzer

VERSION = 10
"""Schema version, part of the directory name: a new version builds a new index and leaves the old one alone."""
CHECKPOINT = "checkpoint"
TEXT = "text:"
"""Id prefix of the document with the text of a work, which is loaded only for the hits shown."""

SENTENCE = "said:"
"""Id prefix of the documents with the citing sentences of a work."""

STEMMED_FIELDS = ("title", "abstract", "text")
"""Stemmed fields; each has a second field without stemming, for phrases."""
FOLDED_FIELDS = ("authors", "first", "affil", "venue")
"""Fields without stemming."""
EXACT_FIELDS = ("id", "ids", "kind", "doi", "arxiv", "documents", "cites", "whole", "about")
"""Fields whose values match as a whole."""
FACETED_FIELDS = ("people", "venues", "type", "language", "topic", "subject", "format", "has", "host")
"""Fields whose values match as a whole and are counted as facets."""
STORED_SEPARATELY = ("text", "forward_index", "embedding", "sentences")
CARD_FIELDS = tuple(field for field in dataclass_fields(IndexedWork) if field.name not in STORED_SEPARATELY)
"""Fields of the stored card, from which a result is made; empty values are left out."""
TUPLE_FIELDS = frozenset(field.name for field in CARD_FIELDS if str(field.type).startswith("tuple"))
VALUE_BITS = 32
"""High bits of a 64-bit order key, with the value; the low bits distinguish works of equal value."""
MAX_ORDER_VALUE = (1 << VALUE_BITS) - 1
RATE_SCALE = 10_000
"""Resolution of citations per year."""


def schema() -> tantivy.Schema:
    """Schema with searchable fields, fast numeric fields for sorting, and stored fields."""
    builder = tantivy.SchemaBuilder()
    for name in STEMMED_FIELDS:
        builder.add_text_field(name, tokenizer_name=STEMMED)
        builder.add_text_field(printed_field(name), tokenizer_name=FOLDED)
    for name in ("keywords", "sentence"):
        builder.add_text_field(name, tokenizer_name=STEMMED)
    for name in FOLDED_FIELDS:
        builder.add_text_field(name, tokenizer_name=FOLDED)
    for name in EXACT_FIELDS:
        builder.add_text_field(name, tokenizer_name="raw", index_option="basic")
    for name in FACETED_FIELDS:
        builder.add_text_field(name, fast=True, tokenizer_name="raw", index_option="basic")
    builder.add_integer_field("year", indexed=True, fast=True)
    builder.add_unsigned_field("cited", indexed=True, fast=True)
    for name in ("by_cited", "by_year", "by_age", "by_added", "by_rate"):
        builder.add_unsigned_field(name, fast=True)
    for name in ("card", "forward_index", "embedding", "stored_text"):
        builder.add_bytes_field(name, stored=True)
    return builder.build()


def register_tokenizers(index: tantivy.Index) -> None:
    """Register the tokenizers with an index."""
    index.register_tokenizer(STEMMED, stemming_analyzer())
    index.register_tokenizer(FOLDED, folding_analyzer())


def printed_field(field: str) -> str:
    """Name of the unstemmed twin of a field."""
    return f"{field}_printed"


def document_of(work: IndexedWork) -> tantivy.Document:
    """Index document of a work; text and sentences are documents of their own."""
    has = [name for name in HAS_FIELDS if getattr(work, name)]
    has += ["text" if work.documents else "no-text", "pdf" if "pdf" in work.formats else "no-pdf"]
    has += ["doubt"] if work.is_doubtful else []
    document = tantivy.Document(
        id=work.id,
        ids=list(work.ids),
        kind="work",
        keywords=[stemmed_text(one, work.language) for one in work.keywords],
        authors=list(work.authors),
        first=list(work.authors[:1]),
        affil=list(work.affiliations),
        venue=work.venue,
        doi=work.doi.lower(),
        arxiv=work.arxiv.lower(),
        documents=list(work.documents),
        cites=list(work.cites),
        whole=list(exact_values(work)),
        people=list(work.people),
        venues=[venue] if (venue := exact_value(work.venue)) else [],
        type=work.type,
        language=work.language,
        topic=[topic.lower() for topic in work.topics],
        subject=list(work.subjects),
        has=has,
        format=list(dict.fromkeys(work.formats)),
        host=list(work.hosts),
    )
    for name in STEMMED_FIELDS:
        if text := getattr(work, name):
            document.add_text(name, stemmed_text(text, work.language))
            document.add_text(printed_field(name), with_bigrams(text))
    _add_numbers(document, work)
    document.add_bytes("card", orjson.dumps(_card(work)))
    for name, body in (("forward_index", work.forward_index), ("embedding", work.embedding)):
        if body:
            document.add_bytes(name, body)
    return document


def _add_numbers(document: tantivy.Document, work: IndexedWork) -> None:
    document.add_unsigned("cited", work.cited)
    if work.year is not None:
        document.add_integer("year", work.year)
    for name, value in order_values(work, datetime.date.today().year).items():
        document.add_unsigned(name, order_key(value, work.id))


def order_values(work: IndexedWork, this_year: int) -> dict[str, int]:
    """Values by which works are sorted, descending; unknown values are 0."""
    year = work.year or 0
    age = max(1, this_year - year + 1)
    return {
        "by_cited": work.cited,
        "by_year": max(0, year),
        "by_age": max(1, 9999 - year) if year else 0,
        "by_added": 0 if work.is_doubtful else max(0, work.added),
        "by_rate": RATE_SCALE * work.cited // age if year else 0,
    }


def order_key(value: int, work: str) -> int:
    """Sort key: by value, then by a hash of the id, so that the order is stable.

    Keys may collide: a cursor also counts the works of its key that were shown."""
    return (min(value, MAX_ORDER_VALUE) << (64 - VALUE_BITS)) | (xxhash.xxh64_intdigest(work.encode()) >> VALUE_BITS)


def order_value(key: int) -> int:
    """Value of an order key; for `by_added` it is 0 for a work without files, or with files that are probably no
    papers."""
    return key >> (64 - VALUE_BITS)


def exact_value(text: str) -> str:
    """Folded text for exact comparison."""
    return " ".join(folding_analyzer().analyze(text))


def exact_values(work: IndexedWork) -> set[str]:
    """Title, venue and author names as `field:value`, for exact queries."""
    values = [("title", work.title), ("venue", work.venue), *(("author", name) for name in work.authors)]
    values += [("first", name) for name in work.authors[:1]]
    return {f"{field}:{value}" for field, text in values if (value := exact_value(text))}


def _card(work: IndexedWork) -> dict[str, Any]:
    return {field.name: value for field in CARD_FIELDS if (value := getattr(work, field.name)) != field.default}


def work_of(document: tantivy.Document, text: str = "") -> IndexedWork:
    """Inverse of `document_of`."""
    card = orjson.loads(document.get_first("card") or b"{}")
    for name in TUPLE_FIELDS & card.keys():
        card[name] = tuple(card[name])
    forward, vector = (bytes(document.get_first(name) or b"") for name in ("forward_index", "embedding"))
    return IndexedWork(**card, text=text, forward_index=forward, embedding=vector)


def text_document(work: IndexedWork) -> tantivy.Document:
    """Document with the stored text of a work."""
    document = tantivy.Document(id=TEXT + work.id, kind="text")
    document.add_bytes("card", orjson.dumps(work.id))
    document.add_bytes("stored_text", work.text.encode("utf-8", "replace"))
    return document


def work_text_of(document: tantivy.Document) -> tuple[str, str]:
    """Id of the work, and its text."""
    name = str(orjson.loads(document.get_first("card") or b'""'))
    return name, bytes(document.get_first("stored_text") or b"").decode("utf-8", "replace")


def sentence_document(sentence: CitingSentence, language: str) -> tantivy.Document:
    """Index document of a citing sentence."""
    stemmed = stemmed_text(sentence.text, language)
    document = tantivy.Document(
        id=SENTENCE + sentence.citing, kind="sentence", sentence=stemmed, about=list(sentence.cited)
    )
    document.add_bytes("card", orjson.dumps(sentence))
    return document


def sentence_of(document: tantivy.Document) -> CitingSentence:
    """Inverse of `sentence_document`."""
    card = orjson.loads(document.get_first("card") or b"{}")
    return CitingSentence(**{**card, "cited": tuple(card["cited"])})


def digest_of(document: tantivy.Document) -> tuple[str, IndexedDigest]:
    """Id and digest of the work of a document."""
    card = orjson.loads(document.get_first("card") or b"{}")
    return card["id"], IndexedDigest(card.get("digest", ""), card.get("cited", 0), card.get("self_citations", 0))


def checkpoint_document(checkpoint: Checkpoint) -> tantivy.Document:
    """Document with the checkpoint; tantivy-py has no commit payload."""
    document = tantivy.Document(id=CHECKPOINT, kind=CHECKPOINT)
    document.add_bytes("card", orjson.dumps(asdict(checkpoint)))
    return document


def checkpoint_of(document: tantivy.Document) -> Checkpoint:
    """Inverse of `checkpoint_document`."""
    values = orjson.loads(document.get_first("card") or b"{}")
    return Checkpoint(values["library"], values["position"], values["counted"])
