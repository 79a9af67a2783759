"""Train the model that names a paper's fields of study.

    .venv/bin/python -m training.subjects          (`-m training.subjects_check` measures it)

Nobody labelled papers for us: a cited title gets the field of the journal it stands in, told by hand-written patterns
(`subjects.toml`); collections of one field add titles and abstracts; and words of each field in seven languages stand
for fields and languages that nothing else covers. The papers of the corpus, and what it says they cite, teach nothing.
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

TOLD = Path(__file__).with_name("subjects.toml")
GENERAL = "general"
"""The table of words that are of no field."""
LANGUAGES = ("en", "de", "fr", "es", "pt", "it", "ru")
SEEDS = "seeds"
COLLECTIONS = frozenset({SEEDS, "acl", "cisi", "cranfield", "dblp-acm.records", "cora-citations"})
"""The groups that are no journals."""
SEED_WORDS, SEED_WEIGHT = 6, 4.0
"""Words of a field that make one invented text, and what it weighs beside a title."""
PROSE = 0.05
"""What an abstract weighs beside a title: few fields have any to learn from."""
MOST = 3000
"""Texts of one collection."""
SEEN = 3
"""A stem must stand in so many texts, unless we told it."""
STIFFNESS = 3e-5
"""How much large weights cost."""
BALANCE = 0.7
"""0: each text weighs the same; 1: each field does."""
STEPS, STEP = 60, 0.15
JUDGEMENT = Calibration(head=0.3, text=0.05, cited=0.8, slope=2.352, bias=4.387, min_confidence=0.5)
"""Fitted by `training.subjects_check --fit`."""

Numbers = NDArray[np.float32]


class Example(NamedTuple):
    """A text and its fields."""

    stems: list[str]
    fields: tuple[str, ...]
    group: str
    """The journal or collection it comes from: what is held out together."""
    weight: float = 1.0
    title: str = ""
    """The words, where it is a cited title."""


@cache
def told() -> dict[str, dict[str, str]]:
    """Field -> its words by language, and the pattern of its journals."""
    table: dict[str, dict[str, str]] = tomllib.loads(TOLD.read_text(encoding="utf-8"))
    if sorted(table) != sorted([*FIELDS, GENERAL]):
        raise SystemExit(f"{TOLD} does not tell of the fields of the list.")
    return table


@cache
def _patterns() -> dict[str, re.Pattern[str]]:
    return {field: re.compile(rf"\b(?:{words['venues']})") for field, words in told().items() if field != GENERAL}


def plain_venue(venue: str) -> str:
    """A journal's name in small letters without accents, stops and marks: "<i>Phys .Rev.D</i>" -> "phys rev d"."""
    return " ".join(re.findall(r"[^\W\d_]+", strip_accents(re.sub(r"</?\w+>", " ", venue))))


@cache
def fields_of(venue: str) -> tuple[str, ...]:
    """The fields of a journal by its name; none when it tells of none or of more than two."""
    found = tuple(field for field, pattern in _patterns().items() if pattern.search(venue))
    return found if len(found) <= 2 else ()


# -- the texts ------------------------------------------------------------------------------------------------------


def _lines(name: str) -> Iterator[dict[str, Any]]:
    file = CORPUS / name
    with gzip.open(file, "rt", encoding="utf-8") if name.endswith(".gz") else file.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def cited() -> Iterator[tuple[str, str]]:
    """(title, journal) of cited works; not those that a paper of the corpus cites."""
    papers = {path.stem.split("-")[-1] for path in (CORPUS / "papers").glob("*.json")}
    for one in _lines("dedup/reference-doi.jsonl.gz"):
        yield one.get("atitle", ""), one.get("jtitle", "")
    for one in _lines("citations/train.jsonl.gz"):
        if one["doc"] not in papers:
            part = {label: one["raw"][start:end] for start, end, label in reversed(one["spans"])}
            yield part.get("title", ""), part.get("journal") or part.get("container") or part.get("booktitle", "")


@cache
def measured() -> frozenset[str]:
    """The titles of papers that measure the model, as stems: they teach nothing."""
    titles = [json.loads(path.read_text(encoding="utf-8"))["title"] for path in (CORPUS / "papers").glob("*.json")]
    titles += [one["title"] for one in _lines("search/csfcube/docs.jsonl.gz")]
    titles += [one["metadata"]["title"] for one in _lines("metadata/unarxive-sample.jsonl.gz")]
    return frozenset(" ".join(stems(title)) for title in titles)


def labelled() -> Iterator[Example]:
    """Cited titles with the fields of their journals, and the journals' names."""
    titles, venues = set[str](), Counter[str]()
    for title, printed in cited():
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
    """Titles and abstracts of collections that are of one field."""
    nlp, aero = ("Computer science", "Linguistics"), ("Engineering", "Physics and astronomy")
    for at, one in zip(range(MOST), _lines("metadata/acl-anthology-20000.jsonl.gz"), strict=False):
        if " ".join(stems(one["title"])) in measured():
            continue
        yield Example(stems(one["title"]), nlp, "acl")
        if at < MOST // 3 and (one.get("year") or 0) >= 2016 and one.get("abstract"):  # older ones are not free to use
            yield Example(stems(one["abstract"]), nlp, "acl", PROSE)
    for name, fields in (("cisi", ("Information science",)), ("cranfield", aero)):
        for one in _lines(f"search/{name}/docs.jsonl.gz"):
            yield Example(stems(one["title"]), fields, name)
            yield Example(stems(one["abstract"]), fields, name, PROSE)
    for name in ("dblp-acm.records", "cora-citations"):
        titles = {one.get("title") or "" for one in _lines(f"dedup/{name}.jsonl")}
        for title in sorted(titles)[:MOST]:
            yield Example(stems(title), ("Computer science",), name)


def seeds() -> Iterator[Example]:
    """Words of each field, a few at a time."""
    chance = random.Random(7)
    for field in FIELDS:
        words = told()[field]
        for language in LANGUAGES:
            known = sorted(set(stems(words[language])))
            for _ in range(2):
                chance.shuffle(known)
                for start in range(0, len(known), SEED_WORDS):
                    yield Example(known[start : start + SEED_WORDS], (field,), SEEDS, SEED_WEIGHT)
        yield Example(stems(field), (field,), SEEDS, SEED_WEIGHT)


@cache
def examples() -> tuple[Example, ...]:
    """All texts."""
    found = (*labelled(), *collections(), *seeds())
    return tuple(one for one in found if one.stems and " ".join(one.stems) not in measured())


# -- the model ------------------------------------------------------------------------------------------------------


class Weights(NamedTuple):
    """What was learned: stem -> rarity and weights, and the bias of each field."""

    table: dict[str, tuple[float, NDArray[np.float64]]]
    bias: NDArray[np.float64]


class _Sheet(NamedTuple):
    """Texts as one long list of stems, each with its text, its number and its value."""

    text: NDArray[np.int64]
    stem: NDArray[np.int64]
    value: Numbers
    starts: NDArray[np.int64]


@cache
def general() -> frozenset[str]:
    """The stems of words that are of no field."""
    return frozenset(stem for words in told()[GENERAL].values() for stem in stems(words))


def vocabulary(kept: Sequence[Example]) -> dict[str, float]:
    """Stem -> how rare it is."""
    seen = Counter(stem for one in kept for stem in set(one.stems))
    ours = {stem for one in kept if one.group == SEEDS for stem in one.stems}
    known = sorted(stem for stem, count in seen.items() if (count >= SEEN and stem not in general()) or stem in ours)
    return {stem: float(np.log(len(kept) / seen[stem])) for stem in known}


def learn(kept: Sequence[Example]) -> Weights:
    """A softmax over the fields, fitted to all texts at once (Adam); texts of rare fields weigh more."""
    rarity = vocabulary(kept)
    number = {stem: at for at, stem in enumerate(rarity)}
    kept = [one for one in kept if any(stem in number for stem in one.stems)]
    sheet = _sheet(kept, number, np.array(list(rarity.values()), np.float32))
    wanted = np.array([[(field in one.fields) / len(one.fields) for field in FIELDS] for one in kept], np.float32)
    weight = np.array([one.weight for one in kept], np.float32)
    common = (wanted * weight[:, None]).sum(axis=0) / weight.sum()
    weight = weight * (wanted @ (common + 1e-9) ** -BALANCE)
    weights, bias = _fitted(sheet, wanted, weight / weight.sum(), len(number))
    return Weights({stem: (rarity[stem], weights[at]) for stem, at in number.items()}, bias)


def _sheet(kept: Sequence[Example], number: dict[str, int], rarity: Numbers) -> _Sheet:
    text, stem, size = list[int](), list[int](), list[int]()
    for at, one in enumerate(kept):
        counts = Counter(number[word] for word in one.stems if word in number)
        text += [at] * len(counts)
        stem += counts
        size += counts.values()
    texts, at_stem = np.array(text), np.array(stem)
    value = (1 + np.log(np.array(size, np.float32))) * rarity[at_stem]
    starts = np.flatnonzero(np.diff(texts, prepend=-1))
    value /= np.sqrt(np.add.reduceat(value * value, starts))[texts]
    return _Sheet(texts, at_stem, value, starts)


def _fitted(
    sheet: _Sheet, wanted: Numbers, weight: Numbers, count: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    order = np.argsort(sheet.stem, kind="stable")
    by_stem = np.flatnonzero(np.diff(sheet.stem[order], prepend=-1))
    values, texts = sheet.value[order][:, None], sheet.text[order]
    weights = np.zeros((count + 1, wanted.shape[1]), np.float32)  # the last row is the bias
    mean, spread = np.zeros_like(weights), np.zeros_like(weights)
    for step in range(1, STEPS + 1):
        scores = np.add.reduceat(sheet.value[:, None] * weights[sheet.stem], sheet.starts) + weights[-1]
        powers = np.exp(scores - scores.max(axis=1, keepdims=True))
        error = (powers / powers.sum(axis=1, keepdims=True) - wanted) * weight[:, None]
        slope = STIFFNESS * weights
        slope[:-1] += np.add.reduceat(values * error[texts], by_stem)
        slope[-1] = error.sum(axis=0)
        mean, spread = 0.9 * mean + 0.1 * slope, 0.99 * spread + 0.01 * slope * slope
        size = STEP * min(1.0, 2 * (1 - step / (STEPS + 1)))
        weights -= size * (mean / (1 - 0.9**step)) / (np.sqrt(spread / (1 - 0.99**step)) + 1e-9)
    return weights[:-1].astype(np.float64), weights[-1].astype(np.float64)


def model_of(kept: Sequence[Example], judgement: Calibration = JUDGEMENT) -> bytes:
    """The model that these texts teach."""
    learned = learn(kept)
    return model_bytes(learned.table, learned.bias, judgement)


def train_model(out: Path, leave_out: Collection[str] = frozenset()) -> None:
    """Write the model, without the texts of these journals and collections."""
    kept = [one for one in examples() if one.group not in leave_out]
    (out / MODEL).write_bytes(model_of(kept))
    print(f"{MODEL}: {len(kept)} texts, {(out / MODEL).stat().st_size} bytes")


def main() -> None:
    """Train on all that may be shipped."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=MODELS)
    train_model(parser.parse_args().out)


if __name__ == "__main__":
    main()
