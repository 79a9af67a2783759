"""The fields of the index, how words are made of texts, and works as index documents."""

from __future__ import annotations

from dataclasses import asdict
from dataclasses import fields as dataclass_fields
from operator import attrgetter

import orjson
import tantivy

from openseer.library.stores import Checkpoint
from openseer.records.work import IndexedWork

VERSION = 2
"""Part of the directory's name: an index of another version is left alone and a new one is built."""
WORDS = "words"
CHECKPOINT = "checkpoint"

TEXTS = ("title", "authors", "venue", "abstract", "keywords", "text")
"""Fields made of words."""
EXACT = ("id", "ids", "kind", "doi", "arxiv", "documents", "language", "type", "has", "cites")
"""Fields matched as a whole."""
ON_CARD = tuple(field.name for field in dataclass_fields(IndexedWork) if field.name != "text")
"""What a result shows, kept as it is; the text is stored apart."""
_on_card = attrgetter(*ON_CARD)


def _folding() -> tantivy.TextAnalyzerBuilder:
    builder = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple())
    for step in (tantivy.Filter.remove_long(60), tantivy.Filter.lowercase(), tantivy.Filter.ascii_fold()):
        builder = builder.filter(step)
    return builder


def folder() -> tantivy.TextAnalyzer:
    """Words, lower case, without accents; very long ones are noise."""
    return _folding().build()


def analyzer() -> tantivy.TextAnalyzer:
    """The same with English endings off: the words of the index."""
    return _folding().filter(tantivy.Filter.stemmer("english")).build()


def schema() -> tantivy.Schema:
    """Searchable fields, fast numbers to sort by, and the stored card that a result is made from."""
    builder = tantivy.SchemaBuilder()
    for name in TEXTS:
        builder.add_text_field(name, stored=name == "text", tokenizer_name=WORDS)
    for name in EXACT:
        builder.add_text_field(name, tokenizer_name="raw", index_option="basic")
    builder.add_integer_field("year", indexed=True, fast=True)
    builder.add_unsigned_field("cited", indexed=True, fast=True)
    builder.add_unsigned_field("added", indexed=True, fast=True)
    builder.add_text_field("digest", stored=True, tokenizer_name="raw", index_option="basic")
    builder.add_bytes_field("card", stored=True)
    return builder.build()


def document_of(work: IndexedWork) -> tantivy.Document:
    """A work as the index keeps it."""
    card = dict(zip(ON_CARD, _on_card(work), strict=True))
    has = [name for name in ("abstract", "doi", "arxiv", "keywords") if getattr(work, name)]
    document = tantivy.Document(
        id=work.id,
        ids=list(work.ids),
        kind="work",
        title=work.title,
        authors=list(work.authors),
        venue=work.venue,
        abstract=work.abstract,
        keywords=list(work.keywords),
        text=work.text,
        doi=work.doi.lower(),
        arxiv=work.arxiv.lower(),
        documents=list(work.documents),
        language=work.language,
        type=work.type,
        has=[*has, *(["pdf", "text"] if work.documents else [])],
        cites=list(work.cites),
        digest=work.digest,
    )
    document.add_unsigned("cited", work.cited)
    document.add_unsigned("added", work.added)
    if work.year is not None:
        document.add_integer("year", work.year)
    document.add_bytes("card", orjson.dumps(card))
    return document


def work_of(document: tantivy.Document) -> IndexedWork:
    """The inverse of `document_of`."""
    card = orjson.loads(document.get_first("card") or b"{}")
    for name in ("ids", "authors", "keywords", "documents", "cites"):
        card[name] = tuple(card[name])
    return IndexedWork(**card, text=document.get_first("text") or "")


def checkpoint_document(checkpoint: Checkpoint) -> tantivy.Document:
    """The checkpoint travels in the index itself: tantivy keeps no payload with a commit."""
    document = tantivy.Document(id=CHECKPOINT, kind=CHECKPOINT)
    document.add_bytes("card", orjson.dumps(asdict(checkpoint)))
    return document


def checkpoint_of(document: tantivy.Document) -> Checkpoint:
    """The inverse of `checkpoint_document`."""
    values = orjson.loads(document.get_first("card") or b"{}")
    return Checkpoint(values["library"], values["position"], values["counted"])
