"""Queries with known answers: citing sentences, clicks, parts of titles, pasted citations."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from openseer.core.model.work import IndexedWork
from openseer.evaluation.jsonl import rows_of
from openseer.evaluation.retrieval import Collection, GoldQuery, Judgements, build_collection
from openseer.extract.references.parse_reference import parse_reference
from openseer.search.embeddings.encoder import Encoder, embedded_text
from openseer.search.ranking.features import CandidateRows, Floats, features_of
from openseer.search.ranking.forward_index import pack
from openseer.search.ranking.query_terms import query_terms
from openseer.search.terms import stem, words_of
from training.growing import CORPUS

MARKER = re.compile(r"\{\{\w+:([^}]*)\}\}")
SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z{])")
MIN_SENTENCE_WORDS = 6
"""Minimum number of words of a citing sentence."""
RECORDS, QUESTIONS = 3000, 400
LETTERS = "abcdefghijklmnopqrstuvwxyz"


def contexts(model: Encoder | None) -> Collection:
    """Citing sentences of 49 papers; the answers are the cited works, made from their references."""
    works: dict[str, IndexedWork] = {}
    asked: list[GoldQuery] = []
    judged: Judgements = {}
    for paper in rows_of(CORPUS / "metadata" / "unarxive-sample.jsonl.gz"):
        works |= _references(paper["bib_entries"])
        for text, cited in _citing(paper):
            answers = {name: 1.0 for name in cited if name in works}
            if answers and len(words_of(text)) >= MIN_SENTENCE_WORDS:
                name = f"c{len(asked)}"
                asked.append(GoldQuery(name, text))
                judged[name] = answers
    chosen = random.Random(1).sample(asked, min(QUESTIONS, len(asked)))
    return build_collection(list(works.values()), chosen, judged, model)


def _references(entries: Mapping[str, Any]) -> dict[str, IndexedWork]:
    found = {}
    for name, entry in entries.items():
        read = parse_reference(entry["bib_entry_raw"])
        if len(read.title) > 10:
            found[name] = IndexedWork(
                id=name,
                ids=(name,),
                title=read.title,
                authors=tuple(each.name for each in read.authors),
                venue=read.venue,
                year=read.year,
            )
    return found


def _citing(paper: Mapping[str, Any]) -> Iterator[tuple[str, list[str]]]:
    for paragraph in paper["body_text"]:
        for sentence in SENTENCE.split(paragraph["text"]):
            cited = [marker for marker in MARKER.findall(sentence) if marker in paper["bib_entries"]]
            if cited:
                yield " ".join(MARKER.sub(" ", sentence).split()), cited


def known_items(model: Encoder | None) -> Collection:
    """Six title words from the ACL Anthology, one of them misspelt in every second query."""
    rng = random.Random(2)
    records = list(rows_of(CORPUS / "metadata" / "acl-anthology-20000.jsonl.gz"))
    works = [
        IndexedWork(
            id=one["id"],
            ids=(one["id"],),
            title=one["title"],
            authors=tuple(one.get("authors") or ()),
            venue=one.get("venue") or "",
            year=one.get("year"),
            abstract=one.get("abstract") or "",
        )
        for one in rng.sample(records, RECORDS)
    ]
    long = [one for one in works if len(one.title.split()) >= 6]
    chosen = rng.sample(long, QUESTIONS)
    asked = [GoldQuery(one.id, piece_of(one.title, rng)) for one in chosen]
    return build_collection(works, asked, {one.id: {one.id: 1.0} for one in chosen}, model)


def piece_of(title: str, rng: random.Random) -> str:
    """Six consecutive words of a title, perhaps with a misprint."""
    words = title.split()
    start = rng.randrange(len(words) - 5)
    words = words[start : start + 6]
    if rng.random() < 0.5:
        at = rng.choice([at for at, word in enumerate(words) if len(word) > 3] or [0])
        words[at] = misspelt(words[at], rng)
    return " ".join(words)


def misspelt(word: str, rng: random.Random) -> str:
    """The word with one letter deleted, inserted or replaced, or two swapped."""
    at, letter = rng.randrange(len(word)), rng.choice(LETTERS)
    swapped = word[:at] + word[at + 1 : at + 2] + word[at : at + 1] + word[at + 2 :]
    return rng.choice(
        (word[:at] + word[at + 1 :], word[:at] + letter + word[at:], word[:at] + letter + word[at + 1 :], swapped)
    )


def citations(model: Encoder | None) -> Collection:
    """Pasted citation strings; the answer is the record with the same DOI."""
    rng = random.Random(3)
    rows = rng.sample(list(rows_of(CORPUS / "dedup" / "reference-doi.jsonl.gz")), RECORDS)
    works = [
        IndexedWork(
            id=f"r{number}",
            ids=(f"r{number}",),
            title=one.get("atitle") or "",
            authors=(one["firstAuthor"],) if one.get("firstAuthor") else (),
            venue=one.get("jtitle") or "",
            doi=one["doi"].lower(),
        )
        for number, one in enumerate(rows)
    ]
    same = {one.doi: {other.id: 1.0 for other in works if other.doi == one.doi} for one in works[:QUESTIONS]}
    asked = [GoldQuery(one.id, row["reference"]) for one, row in zip(works[:QUESTIONS], rows, strict=False)]
    return build_collection(works, asked, {one.id: same[one.doi] for one in works[:QUESTIONS]}, model)


def clicks(model: Encoder | None) -> Iterator[tuple[Floats, Floats, Floats]]:
    """A hundred user queries with ten works each and their click counts."""
    rows = list(rows_of(CORPUS / "search" / "s2-clicks-sample.jsonl.gz"))
    every = [one for row in rows for one in row["candidates"]]
    seen = [{stem(word) for word in words_of(f"{one['title']} {one['abstract'] or ''}")} for one in every]
    frequencies = {
        word: sum(word in each for each in seen) for row in rows for word in map(stem, words_of(row["query"]))
    }
    vectors = (
        model.texts([embedded_text(one["title"] or "", one["abstract"] or "") for one in every]) if model else None
    )
    for number, row in enumerate(rows):
        vector = model.query(row["query"]) if model else None
        rows_of_it = None if vectors is None else vectors[10 * number : 10 * number + len(row["candidates"])]
        asked = query_terms([row["query"]], lambda word: frequencies.get(word, 0), len(every), vector)
        relevance = np.array([one["score"] for one in row["candidates"]], dtype=np.float64)
        if relevance.any():
            yield features_of(asked, _clicked(row["candidates"], rows_of_it)), relevance, relevance


def _clicked(found: list[dict[str, Any]], vectors: Any) -> CandidateRows:
    return CandidateRows(
        [pack(one["title"] or "", one["abstract"] or "", (), one["author_names"], one["venue"] or "") for one in found],
        np.zeros(len(found)),
        np.array([one["n_citations"] or 0 for one in found], dtype=np.float64),
        np.array([one["year"] or 0 for one in found], dtype=np.float64),
        np.zeros(len(found), dtype=np.bool_),
        vectors,
    )
