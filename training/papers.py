"""Papers of the corpus and our own samples, with the gold standard assigned to the lines of the first page."""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

from rapidfuzz import fuzz

from openseer.core.errors import OpenseerError
from openseer.evaluation import samples
from openseer.extract.header.abstract import find_abstract
from openseer.extract.header.line_classifier import ABSTRACT, AUTHOR, OTHER, TITLE
from openseer.extract.layout.hyphens import resolve_hyphens
from openseer.extract.layout.lines import Line, lines_of
from openseer.extract.pdf.ligature_repair import repair_ligatures
from openseer.extract.pdf.page_model import PageModel
from openseer.extract.pdf.page_reader import read_pages
from training.growing import CORPUS

UNKNOWN = -1
"""Label of a possible abstract line where the gold standard has no abstract."""

Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class Paper:
    """One document with its gold standard."""

    gold: dict[str, Any]
    page_model: PageModel
    lines: list[Line]

    @property
    def first(self) -> list[Line]:
        return [line for line in self.lines if line.page == self.page_model.pages[0].number]


def each_paper(
    function: Callable[[Paper], Answer], generate: Callable[[Path], Iterable[Path]] = lambda folder: ()
) -> list[Answer]:
    """Results of a function for every paper, in two processes; unreadable papers are skipped.

    `generate` prints more papers into a folder and yields their gold standards."""
    with TemporaryDirectory() as folder, ProcessPoolExecutor(2) as pool:
        files = [*sorted((CORPUS / "papers").glob("*.json")), *_samples(Path(folder)), *generate(Path(folder))]
        return [one for one in pool.map(partial(_apply, function), files, chunksize=8) if one is not None]


def _apply(function: Callable[[Paper], Answer], gold: Path) -> Answer | None:
    try:
        page_model = repair_ligatures(read_pages(gold.with_suffix(".pdf")))
    except OpenseerError:
        return None
    return function(
        Paper(json.loads(gold.read_text(encoding="utf-8")), page_model, resolve_hyphens(lines_of(page_model.pages)))
    )


def _samples(folder: Path) -> Iterator[Path]:
    """The sample papers as PDF, each with its gold standard."""
    samples.make(folder)
    for name in samples.names():
        gold = samples.gold(name)
        if (folder / f"{name}.pdf").exists() and not name.startswith("negative"):
            file = folder / f"{name}.json"
            fields = {"id": f"sample-{name}", "source": "samples", "sections": samples.headings(name)}
            file.write_text(json.dumps({**gold, **fields}), encoding="utf-8")
            yield file


def normalise(text: str) -> str:
    """Lower-case letters and digits without accents."""
    text = re.sub(r"\\[a-zA-Z]+|[{}$\\]", "", text)
    folded = unicodedata.normalize("NFKD", text.replace("\x02", ""))
    return "".join(letter for letter in folded.lower() if letter.isalnum())


def labels_of(first: Sequence[Line], gold: dict[str, Any]) -> list[int]:
    """Label of each first-page line by the gold standard."""
    labels = [OTHER] * len(first)
    for number in _abstract(first, gold):
        labels[number] = ABSTRACT if gold.get("abstract") else UNKNOWN
    for number in _authors(first, gold):
        if labels[number] == OTHER:
            labels[number] = AUTHOR
    for number in _title(first, gold["title"]):
        labels[number] = TITLE
    return labels


def _title(first: Sequence[Line], title: str) -> list[int]:
    """The lines whose text is most similar to the title; of equal ones those in larger type."""
    gold_title = normalise(title)
    best: tuple[float, float, list[int]] = (0.0, 0.0, [])
    for start in range(len(first)):
        text, run = "", []
        for number in range(start, min(start + 8, len(first))):
            text += normalise(first[number].text)
            run.append(number)
            if len(text) > 1.6 * len(gold_title) + 20:
                break
            score = fuzz.ratio(text, gold_title)
            if (score, first[start].size) > best[:2]:
                best = (score, first[start].size, list(run))
    return best[2] if best[0] > 70 else []


def _authors(first: Sequence[Line], gold: dict[str, Any]) -> list[int]:
    """Lines with a large share of author names."""
    people = [
        [normalise(word) for word in re.split(r"[\s-]+", name) if normalise(word)] for name in gold.get("authors") or []
    ]
    found = []
    for number, line in enumerate(first):
        words = Counter(normalise(word) for word in re.split(r"[\s,;·-]+", re.sub(r"\d", " ", line.text)))
        name_letters = sum(_matched_letters(person, words) for person in people)
        letters = len(re.sub(r"\d", "", normalise(re.sub(r"\S+@\S+", "", line.text))))
        if name_letters and name_letters > 0.42 * letters:
            found.append(number)
    return _largest_group(first, found)


def _matched_letters(person: Sequence[str], words: Counter[str]) -> int:
    """Number of letters of a person's name in these words; 0 without the family name."""
    if person[-1] not in words:
        return 0
    return sum(len(word) for word in person if word in words) + sum(
        1 for word in person[:-1] if word not in words and word[:1] in words
    )


def _largest_group(first: Sequence[Line], found: Sequence[int]) -> list[int]:
    """Names in the largest type, if they are printed repeatedly, e.g. in a citation or foot."""
    if not found:
        return []
    groups = [[found[0]]]
    for one, two in pairwise(found):
        if two - one > 12:
            groups.append([])
        groups[-1].append(two)
    return max(groups, key=lambda group: (len(group) > 0, max(first[n].size for n in group), len(group)))


def _abstract(first: Sequence[Line], gold: dict[str, Any]) -> list[int]:
    """From the first to the last line of the abstract; without gold standard the lines found by the rules."""
    if not gold.get("abstract"):
        found_ids = set(map(id, find_abstract([line for line in first if not line.margin])[1]))
        return [number for number, line in enumerate(first) if id(line) in found_ids]
    gold_abstract = normalise(gold["abstract"])
    texts = [normalise(line.text) for line in first]
    hits = [n for n, text in enumerate(texts) if len(text) > 14 and fuzz.partial_ratio(text, gold_abstract) > 90]
    runs: list[list[int]] = []
    for number in hits:
        if runs and number - runs[-1][-1] <= 3:
            runs[-1].append(number)
        else:
            runs.append([number])
    if not runs:
        return []
    run = max(runs, key=lambda run: sum(len(texts[n]) for n in run))
    return list(range(run[0], run[-1] + 1))
