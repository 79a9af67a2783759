"""Train the model that names a paper's fields of study.

    .venv/bin/python -m training.subjects          (`-m training.subjects_check` measures it)

There are no labelled papers: a cited title gets the field of its journal by hand-written patterns (`subjects.toml`);
collections of one field add titles and abstracts; words of each field in seven languages cover other fields and
languages. The papers of the corpus and their references are excluded.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import re
import tomllib
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from openseer.extract.content.subjects import FIELDS, MODEL, Calibration, model_bytes, stems, strip_accents
from training.growing import CORPUS, MODELS

SUBJECTS_FILE = Path(__file__).with_name("subjects.toml")
GENERAL_WORDS = "general"
"""The table of words without a field."""
LANGUAGES = ("en", "de", "fr", "es", "pt", "it", "ru")
SEEDS = "seeds"
COLLECTIONS = frozenset({SEEDS, "acl", "cisi", "cranfield", "dblp-acm.records", "cora-citations"})
"""Groups that are not journals."""
SEED_WORDS, SEED_WEIGHT = 6, 4.0
"""Words of a field in one synthetic text, and its weight relative to a title."""
ABSTRACT_WEIGHT = 0.05
"""Weight of an abstract relative to a title; few fields have abstracts."""
MAX_TEXTS = 3000
"""Texts of one collection."""
MIN_TEXTS = 3
"""Minimum number of texts with a stem that is not a seed word."""
REGULARISATION = 3e-5
"""Penalty of large weights."""
BALANCE = 0.7
"""0: equal weight of texts; 1: equal weight of fields."""
STEPS, STEP = 60, 0.15
CALIBRATION = Calibration(head=0.3, text=0.05, cited=0.8, slope=2.352, bias=4.387, min_confidence=0.5)
"""Fitted by `training.subjects_check --fit`."""

Numbers = NDArray[np.float32]


class Example(NamedTuple):
    """A text and its fields."""

    stems: list[str]
    fields: tuple[str, ...]
    group: str
    """Its journal or collection, the unit of hold-out."""
    weight: float = 1.0
    title: str = ""
    """The words of a cited title."""


@cache
def field_table() -> dict[str, dict[str, str]]:
    """Field -> its words by language, and its journal pattern."""
    table: dict[str, dict[str, str]] = tomllib.loads(SUBJECTS_FILE.read_text(encoding="utf-8"))
    if sorted(table) != sorted([*FIELDS, GENERAL_WORDS]):
        raise SystemExit(f"{SUBJECTS_FILE} has other fields than the model.")
    return table


@cache
def _patterns() -> dict[str, re.Pattern[str]]:
    return {
        field: re.compile(rf"\b(?:{words['venues']})")
        for field, words in field_table().items()
        if field != GENERAL_WORDS
    }


def plain_venue(venue: str) -> str:
    """Normalised journal name: "<i>Phys .Rev.D</i>" -> "phys rev d"."""
    return " ".join(re.findall(r"[^\W\d_]+", strip_accents(re.sub(r"</?\w+>", " ", venue))))


@cache
def fields_of(venue: str) -> tuple[str, ...]:
    """The fields of a journal by its name; empty for none or more than two."""
    found = tuple(field for field, pattern in _patterns().items() if pattern.search(venue))
    return found if len(found) <= 2 else ()


# -- the texts ------------------------------------------------------------------------------------------------------


def _lines(name: str) -> Iterator[dict[str, Any]]:
    file = CORPUS / name
    with gzip.open(file, "rt", encoding="utf-8") if name.endswith(".gz") else file.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def cited_titles() -> Iterator[tuple[str, str]]:
    """(title, journal) of cited works, without those cited by papers of the corpus."""
    papers = {path.stem.split("-")[-1] for path in (CORPUS / "papers").glob("*.json")}
    for one in _lines("dedup/reference-doi.jsonl.gz"):
        yield one.get("atitle", ""), one.get("jtitle", "")
    for one in _lines("citations/train.jsonl.gz"):
        if one["doc"] not in papers:
            part = {label: one["raw"][start:end] for start, end, label in reversed(one["spans"])}
            yield part.get("title", ""), part.get("journal") or part.get("container") or part.get("booktitle", "")


@cache
def evaluation_titles() -> frozenset[str]:
    """Titles of the evaluation papers as stems, which are excluded."""
    titles = [json.loads(path.read_text(encoding="utf-8"))["title"] for path in (CORPUS / "papers").glob("*.json")]
    titles += [one["title"] for one in _lines("search/csfcube/docs.jsonl.gz")]
    titles += [one["metadata"]["title"] for one in _lines("metadata/unarxive-sample.jsonl.gz")]
    return frozenset(" ".join(stems(title)) for title in titles)


def labelled() -> Iterator[Example]:
    """Cited titles with the fields of their journals, and the journal names."""
    titles, venues = set[str](), Counter[str]()
    for title, printed in cited_titles():
        venue = plain_venue(printed)
        fields = fields_of(venue)
        if fields and title and title not in titles:
            titles.add(title)
            yield Example(stems(title), fields, venue, title=title)
        if fields:
            venues[venue] += 1
    for venue, count in venues.items():
        yield Example(stems(venue), fields_of(venue), venue, 0.3 * min(count, 5) ** 0.5)


def collections() -> Iterator[Example]:
    """Titles and abstracts of collections of one field."""
    nlp, aero = ("Computer science", "Linguistics"), ("Engineering", "Physics and astronomy")
    for at, one in zip(range(MAX_TEXTS), _lines("metadata/acl-anthology-20000.jsonl.gz"), strict=False):
        if " ".join(stems(one["title"])) in evaluation_titles():
            continue
        yield Example(stems(one["title"]), nlp, "acl")
        # older abstracts are not under a free licence
        if at < MAX_TEXTS // 3 and (one.get("year") or 0) >= 2016 and one.get("abstract"):
            yield Example(stems(one["abstract"]), nlp, "acl", ABSTRACT_WEIGHT)
    for name, fields in (("cisi", ("Information science",)), ("cranfield", aero)):
        for one in _lines(f"search/{name}/docs.jsonl.gz"):
            yield Example(stems(one["title"]), fields, name)
            yield Example(stems(one["abstract"]), fields, name, ABSTRACT_WEIGHT)
    for name in ("dblp-acm.records", "cora-citations"):
        titles = {one.get("title") or "" for one in _lines(f"dedup/{name}.jsonl")}
        for title in sorted(titles)[:MAX_TEXTS]:
            yield Example(stems(title), ("Computer science",), name)


def seeds() -> Iterator[Example]:
    """Small groups of words of each field."""
    chance = random.Random(7)
    for field in FIELDS:
        words = field_table()[field]
        for language in LANGUAGES:
            words_of_field = sorted(set(stems(words[language])))
            for _ in range(2):
                chance.shuffle(words_of_field)
                for start in range(0, len(words_of_field), SEED_WORDS):
                    yield Example(words_of_field[start : start + SEED_WORDS], (field,), SEEDS, SEED_WEIGHT)
        yield Example(stems(field), (field,), SEEDS, SEED_WEIGHT)


@cache
def examples() -> tuple[Example, ...]:
    """All texts."""
    found = (*labelled(), *collections(), *seeds())
    return tuple(one for one in found if one.stems and " ".join(one.stems) not in evaluation_titles())


# -- the model ------------------------------------------------------------------------------------------------------


class Weights(NamedTuple):
    """Trained weights: stem -> IDF and weights, and the bias of each field."""

    table: dict[str, tuple[float, NDArray[np.float64]]]
    bias: NDArray[np.float64]


class _StemTable(NamedTuple):
    """Texts as one list of stems with text number, stem number and value."""

    text: NDArray[np.int64]
    stem: NDArray[np.int64]
    value: Numbers
    starts: NDArray[np.int64]


@cache
def general_stems() -> frozenset[str]:
    """The stems of words without a field."""
    return frozenset(stem for words in field_table()[GENERAL_WORDS].values() for stem in stems(words))


def vocabulary(selected: Sequence[Example]) -> dict[str, float]:
    """Stem -> IDF."""
    seen = Counter(stem for one in selected for stem in set(one.stems))
    ours = {stem for one in selected if one.group == SEEDS for stem in one.stems}
    seed_stems = sorted(
        stem for stem, count in seen.items() if (count >= MIN_TEXTS and stem not in general_stems()) or stem in ours
    )
    return {stem: float(np.log(len(selected) / seen[stem])) for stem in seed_stems}


def learn(selected: Sequence[Example]) -> Weights:
    """A softmax over the fields, fitted to all texts at once (Adam); texts of rare fields have more weight."""
    rarity = vocabulary(selected)
    number = {stem: at for at, stem in enumerate(rarity)}
    selected = [one for one in selected if any(stem in number for stem in one.stems)]
    sheet = _stem_table(selected, number, np.array(list(rarity.values()), np.float32))
    targets = np.array([[(field in one.fields) / len(one.fields) for field in FIELDS] for one in selected], np.float32)
    weight = np.array([one.weight for one in selected], np.float32)
    common = (targets * weight[:, None]).sum(axis=0) / weight.sum()
    weight = weight * (targets @ (common + 1e-9) ** -BALANCE)
    weights, bias = _fit(sheet, targets, weight / weight.sum(), len(number))
    return Weights({stem: (rarity[stem], weights[at]) for stem, at in number.items()}, bias)


def _stem_table(selected: Sequence[Example], number: dict[str, int], rarity: Numbers) -> _StemTable:
    text, stem, size = list[int](), list[int](), list[int]()
    for at, one in enumerate(selected):
        counts = Counter(number[word] for word in one.stems if word in number)
        text += [at] * len(counts)
        stem += counts
        size += counts.values()
    texts, at_stem = np.array(text), np.array(stem)
    value = (1 + np.log(np.array(size, np.float32))) * rarity[at_stem]
    starts = np.flatnonzero(np.diff(texts, prepend=-1))
    value /= np.sqrt(np.add.reduceat(value * value, starts))[texts]
    return _StemTable(texts, at_stem, value, starts)


def _fit(
    sheet: _StemTable, targets: Numbers, weight: Numbers, count: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    order = np.argsort(sheet.stem, kind="stable")
    by_stem = np.flatnonzero(np.diff(sheet.stem[order], prepend=-1))
    values, texts = sheet.value[order][:, None], sheet.text[order]
    weights = np.zeros((count + 1, targets.shape[1]), np.float32)  # the last row is the bias
    mean, spread = np.zeros_like(weights), np.zeros_like(weights)
    for step in range(1, STEPS + 1):
        scores = np.add.reduceat(sheet.value[:, None] * weights[sheet.stem], sheet.starts) + weights[-1]
        powers = np.exp(scores - scores.max(axis=1, keepdims=True))
        error = (powers / powers.sum(axis=1, keepdims=True) - targets) * weight[:, None]
        slope = REGULARISATION * weights
        slope[:-1] += np.add.reduceat(values * error[texts], by_stem)
        slope[-1] = error.sum(axis=0)
        mean, spread = 0.9 * mean + 0.1 * slope, 0.99 * spread + 0.01 * slope * slope
        size = STEP * min(1.0, 2 * (1 - step / (STEPS + 1)))
        weights -= size * (mean / (1 - 0.9**step)) / (np.sqrt(spread / (1 - 0.99**step)) + 1e-9)
    return weights[:-1].astype(np.float64), weights[-1].astype(np.float64)


def model_of(selected: Sequence[Example], calibration: Calibration = CALIBRATION) -> bytes:
    """Model of these texts."""
    learned = learn(selected)
    return model_bytes(learned.table, learned.bias, calibration)


def train_model(out: Path, leave_out: Collection[str] = frozenset()) -> None:
    """Write the model without the texts of the excluded journals and collections."""
    selected = [one for one in examples() if one.group not in leave_out]
    (out / MODEL).write_bytes(model_of(selected))
    print(f"{MODEL}: {len(selected)} texts, {(out / MODEL).stat().st_size} bytes")


def main() -> None:
    """Train on all texts that may be shipped."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=MODELS)
    train_model(parser.parse_args().out)


if __name__ == "__main__":
    main()
