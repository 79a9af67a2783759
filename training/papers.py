"""The papers of the corpus and our own samples, opened, with their gold laid over the lines of the first page."""

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
"""The label of a line that may be an abstract where the gold has none."""

Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class Paper:
    """One document with its gold."""

    gold: dict[str, Any]
    sheets: PageModel
    lines: list[Line]

    @property
    def first(self) -> list[Line]:
        return [line for line in self.lines if line.page == self.sheets.pages[0].number]


def each_paper(
    ask: Callable[[Paper], Answer], more: Callable[[Path], Iterable[Path]] = lambda folder: ()
) -> list[Answer]:
    """What a question asked of every paper gives, with two processes; those that cannot be read are left out.

    `more` prints other papers into a folder, and names their gold."""
    with TemporaryDirectory() as folder, ProcessPoolExecutor(2) as pool:
        files = [*sorted((CORPUS / "papers").glob("*.json")), *_samples(Path(folder)), *more(Path(folder))]
        return [one for one in pool.map(partial(_asked, ask), files, chunksize=8) if one is not None]


def _asked(ask: Callable[[Paper], Answer], gold: Path) -> Answer | None:
    try:
        sheets = repair_ligatures(read_pages(gold.with_suffix(".pdf")))
    except OpenseerError:
        return None
    return ask(Paper(json.loads(gold.read_text(encoding="utf-8")), sheets, resolve_hyphens(lines_of(sheets.pages))))


def _samples(folder: Path) -> Iterator[Path]:
    """The sample papers, printed, each with its gold beside it."""
    samples.make(folder)
    for name in samples.names():
        gold = samples.gold(name)
        if (folder / f"{name}.pdf").exists() and not name.startswith("negative"):
            file = folder / f"{name}.json"
            own = {"id": f"sample-{name}", "source": "samples", "sections": samples.headings(name)}
            file.write_text(json.dumps({**gold, **own}), encoding="utf-8")
            yield file


def plain(text: str) -> str:
    """Letters and digits only, without accents, in small letters."""
    text = re.sub(r"\\[a-zA-Z]+|[{}$\\]", "", text)
    folded = unicodedata.normalize("NFKD", text.replace("\x02", ""))
    return "".join(letter for letter in folded.lower() if letter.isalnum())


def labels_of(first: Sequence[Line], gold: dict[str, Any]) -> list[int]:
    """What each line of the first page is, by the gold of the paper."""
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
    """The run of lines whose text is most like the title; of two equal ones the one in larger type."""
    wanted = plain(title)
    best: tuple[float, float, list[int]] = (0.0, 0.0, [])
    for start in range(len(first)):
        text, run = "", []
        for number in range(start, min(start + 8, len(first))):
            text += plain(first[number].text)
            run.append(number)
            if len(text) > 1.6 * len(wanted) + 20:
                break
            score = fuzz.ratio(text, wanted)
            if (score, first[start].size) > best[:2]:
                best = (score, first[start].size, list(run))
    return best[2] if best[0] > 70 else []


def _authors(first: Sequence[Line], gold: dict[str, Any]) -> list[int]:
    """Lines that are made of the authors' names for a good part."""
    people = [[plain(word) for word in re.split(r"[\s-]+", name) if plain(word)] for name in gold.get("authors") or []]
    found = []
    for number, line in enumerate(first):
        words = Counter(plain(word) for word in re.split(r"[\s,;·-]+", re.sub(r"\d", " ", line.text)))
        taken = sum(_said(person, words) for person in people)
        letters = len(re.sub(r"\d", "", plain(re.sub(r"\S+@\S+", "", line.text))))
        if taken and taken > 0.42 * letters:
            found.append(number)
    return _largest_group(first, found)


def _said(person: Sequence[str], words: Counter[str]) -> int:
    """How many letters of a person's name are in these words: the family name must be."""
    if person[-1] not in words:
        return 0
    return sum(len(word) for word in person if word in words) + sum(
        1 for word in person[:-1] if word not in words and word[:1] in words
    )


def _largest_group(first: Sequence[Line], found: Sequence[int]) -> list[int]:
    """Names may be printed twice, in a citation or a foot: those in the larger type are meant."""
    if not found:
        return []
    groups = [[found[0]]]
    for one, two in pairwise(found):
        if two - one > 12:
            groups.append([])
        groups[-1].append(two)
    return max(groups, key=lambda group: (len(group) > 0, max(first[n].size for n in group), len(group)))


def _abstract(first: Sequence[Line], gold: dict[str, Any]) -> list[int]:
    """From the first to the last line of the abstract; without gold what the rules take for one."""
    if not gold.get("abstract"):
        taken = set(map(id, find_abstract([line for line in first if not line.margin])[1]))
        return [number for number, line in enumerate(first) if id(line) in taken]
    wanted = plain(gold["abstract"])
    texts = [plain(line.text) for line in first]
    hits = [n for n, text in enumerate(texts) if len(text) > 14 and fuzz.partial_ratio(text, wanted) > 90]
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
