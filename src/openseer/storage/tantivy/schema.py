"""The fields of the index, and works as index documents."""

from __future__ import annotations

import datetime
from dataclasses import asdict
from dataclasses import fields as dataclass_fields
from typing import Any

import orjson
import tantivy
import xxhash

from openseer.core.model.work import CitingSentence, IndexedWork
from openseer.core.text.cjk_bigrams import with_bigrams
from openseer.storage.protocols.index import Checkpoint, IndexedDigest
from openseer.storage.tantivy.tokenizers import FOLDED, STEMMED, analyzer, folder, prepared

VERSION = 8
"""Part of the directory's name: an index of another version is left alone and a new one is built."""
CHECKPOINT = "checkpoint"
TEXT = "text:"
"""Before a work's id: the document that holds its text, which is read for the hits that are shown and no others."""

SAID = "said:"
"""Before a work's id: the documents that hold the sentences in which it cites others."""

TEXTS = ("title", "abstract", "text")
"""Fields made of words without endings; beside each stands one of the words as printed, for phrases."""
NAMES = ("authors", "first", "affil", "venue")
"""Fields made of words as printed."""
EXACT = ("id", "ids", "kind", "doi", "arxiv", "documents", "cites", "whole", "about")
"""Fields matched as a whole."""
COUNTED = ("people", "venues", "type", "language", "topic", "subject", "has", "host")
"""The same, to be counted too."""
APART = ("text", "forward_index", "embedding", "sentences")
ON_CARD = tuple(field for field in dataclass_fields(IndexedWork) if field.name not in APART)
"""What a result shows, kept as it is unless it is empty; the rest is stored apart."""
TUPLES = frozenset(field.name for field in ON_CARD if str(field.type).startswith("tuple"))
VALUE_BITS = 32
"""Of an order key; the rest of its 64 bits tells works of one value apart."""
MOST = (1 << VALUE_BITS) - 1
RATE = 10_000
"""Parts of one citation a year that are told apart."""


def schema() -> tantivy.Schema:
    """Searchable fields, fast numbers to sort by, and the stored card that a result is made from."""
    builder = tantivy.SchemaBuilder()
    for name in TEXTS:
        builder.add_text_field(name, tokenizer_name=STEMMED)
        builder.add_text_field(as_printed(name), tokenizer_name=FOLDED)
    for name in ("keywords", "sentence"):
        builder.add_text_field(name, tokenizer_name=STEMMED)
    for name in NAMES:
        builder.add_text_field(name, tokenizer_name=FOLDED)
    for name in EXACT:
        builder.add_text_field(name, tokenizer_name="raw", index_option="basic")
    for name in COUNTED:
        builder.add_text_field(name, fast=True, tokenizer_name="raw", index_option="basic")
    builder.add_integer_field("year", indexed=True, fast=True)
    builder.add_unsigned_field("cited", indexed=True, fast=True)
    for name in ("by_cited", "by_year", "by_age", "by_added", "by_rate"):
        builder.add_unsigned_field(name, fast=True)
    for name in ("card", "forward_index", "embedding", "stored_text"):
        builder.add_bytes_field(name, stored=True)
    return builder.build()


def register(index: tantivy.Index) -> None:
    """Make the ways of words known to an index."""
    index.register_tokenizer(STEMMED, analyzer())
    index.register_tokenizer(FOLDED, folder())


def as_printed(field: str) -> str:
    """The field with the words of this one as they are printed."""
    return f"{field}_printed"


def document_of(work: IndexedWork) -> tantivy.Document:
    """A work as the index keeps it, but for its text."""
    has = [name for name in ("abstract", "doi", "arxiv", "keywords", "recorded", "embedding") if getattr(work, name)]
    document = tantivy.Document(
        id=work.id,
        ids=list(work.ids),
        kind="work",
        keywords=[prepared(one, work.language) for one in work.keywords],
        authors=list(work.authors),
        first=list(work.authors[:1]),
        affil=list(work.affiliations),
        venue=work.venue,
        doi=work.doi.lower(),
        arxiv=work.arxiv.lower(),
        documents=list(work.documents),
        cites=list(work.cites),
        whole=list(wholes(work)),
        people=list(work.people),
        venues=[venue] if (venue := whole(work.venue)) else [],
        type=work.type,
        language=work.language,
        topic=[topic.lower() for topic in work.topics],
        subject=list(work.subjects),
        has=[*has, *(["pdf", "text"] if work.documents else ["no-pdf"])],
        host=list(work.hosts),
    )
    for name in TEXTS:
        if text := getattr(work, name):
            document.add_text(name, prepared(text, work.language))
            document.add_text(as_printed(name), with_bigrams(text))
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
    """What works are ordered by, the greatest first; what is not known comes last."""
    year = work.year or 0
    age = max(1, this_year - year + 1)
    return {
        "by_cited": work.cited,
        "by_year": max(0, year),
        "by_age": max(1, 9999 - year) if year else 0,
        "by_added": max(0, work.added),
        "by_rate": RATE * work.cited // age if year else 0,
    }


def order_key(value: int, work: str) -> int:
    """A number that orders works by a value, and those of one value in an order that never changes. Two works may have
    the same by chance; whoever goes on from a place says how many of it were shown."""
    return (min(value, MOST) << (64 - VALUE_BITS)) | (xxhash.xxh64_intdigest(work.encode()) >> VALUE_BITS)


def value_of(key: int) -> int:
    """What an order key orders by; when a work was added is 0 for one without files."""
    return key >> (64 - VALUE_BITS)


def whole(text: str) -> str:
    """A text as it is compared as a whole."""
    return " ".join(folder().analyze(text))


def wholes(work: IndexedWork) -> set[str]:
    """Title, venue and names, to be asked for as a whole."""
    named = [("title", work.title), ("venue", work.venue), *(("author", name) for name in work.authors)]
    named += [("first", name) for name in work.authors[:1]]
    return {f"{field}:{value}" for field, text in named if (value := whole(text))}


def _card(work: IndexedWork) -> dict[str, Any]:
    return {field.name: value for field in ON_CARD if (value := getattr(work, field.name)) != field.default}


def work_of(document: tantivy.Document, text: str = "") -> IndexedWork:
    """The inverse of `document_of`."""
    card = orjson.loads(document.get_first("card") or b"{}")
    for name in TUPLES & card.keys():
        card[name] = tuple(card[name])
    forward, vector = (bytes(document.get_first(name) or b"") for name in ("forward_index", "embedding"))
    return IndexedWork(**card, text=text, forward_index=forward, embedding=vector)


def text_document(work: IndexedWork) -> tantivy.Document:
    """The text of a work, stored and not searched."""
    document = tantivy.Document(id=TEXT + work.id, kind="text")
    document.add_bytes("card", orjson.dumps(work.id))
    document.add_bytes("stored_text", work.text.encode("utf-8", "replace"))
    return document


def text_of(document: tantivy.Document) -> tuple[str, str]:
    """Whose text it is, and the text."""
    name = str(orjson.loads(document.get_first("card") or b'""'))
    return name, bytes(document.get_first("stored_text") or b"").decode("utf-8", "replace")


def sentence_document(sentence: CitingSentence, language: str) -> tantivy.Document:
    """A citing sentence."""
    said = prepared(sentence.text, language)
    document = tantivy.Document(id=SAID + sentence.citing, kind="sentence", sentence=said, about=list(sentence.cited))
    document.add_bytes("card", orjson.dumps(sentence))
    return document


def sentence_of(document: tantivy.Document) -> CitingSentence:
    """The inverse of `sentence_document`."""
    card = orjson.loads(document.get_first("card") or b"{}")
    return CitingSentence(**{**card, "cited": tuple(card["cited"])})


def stamp_of(document: tantivy.Document) -> tuple[str, IndexedDigest]:
    """Of which work a document tells, and its stamp."""
    card = orjson.loads(document.get_first("card") or b"{}")
    return card["id"], IndexedDigest(card.get("digest", ""), card.get("cited", 0), card.get("self_citations", 0))


def checkpoint_document(checkpoint: Checkpoint) -> tantivy.Document:
    """The checkpoint travels in the index itself: tantivy keeps no payload with a commit."""
    document = tantivy.Document(id=CHECKPOINT, kind=CHECKPOINT)
    document.add_bytes("card", orjson.dumps(asdict(checkpoint)))
    return document


def checkpoint_of(document: tantivy.Document) -> Checkpoint:
    """The inverse of `checkpoint_document`."""
    values = orjson.loads(document.get_first("card") or b"{}")
    return Checkpoint(values["library"], values["position"], values["counted"])
