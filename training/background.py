"""Compute the document frequency of words in scholarly text of many fields, for keyphrases.

.venv/bin/python -m training.background [--out DIR]
.venv/bin/python -m training.background --check     # how many printed keywords are found
"""

from __future__ import annotations

import gzip
import json
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from openseer.core.errors import OpenseerError
from openseer.extract.body.body import text_of
from openseer.extract.content.keyphrases import COMMON, WORD, singular
from openseer.extract.reader import read
from training.growing import CORPUS, command
from training.papers import Paper, each_paper

MAX_WORDS, MIN_SHARE, MIN_SOURCES = 6000, 0.0003, 4
"""Size of the table, and the minimum share of texts and number of sources of a word."""


def train_model(out: Path, leave_out: frozenset[str] = frozenset()) -> None:
    """Write common.txt.gz: words with their document frequency per thousand texts.

    The frequency is the mean over all sources except the one with the highest value."""
    shares: dict[str, list[float]] = {}
    sources = list(_sources())
    for texts in sources:
        found, count = _documents(texts)
        for word, number in found.items():
            shares.setdefault(word, []).append(number / count)
    mean_of_word = {
        word: (sum(each) - max(each)) / (len(sources) - 1) for word, each in shares.items() if len(each) >= MIN_SOURCES
    }
    selected = sorted(mean_of_word.items(), key=lambda one: (-one[1], one[0]))[:MAX_WORDS]
    lines = "".join(f"{word} {1000 * share:.1f}\n" for word, share in selected if share >= MIN_SHARE)
    (out / COMMON).write_bytes(gzip.compress(lines.encode(), mtime=0))


def _documents(texts: Iterable[str]) -> tuple[Counter[str], int]:
    found, count = Counter[str](), 0
    for text in texts:
        found.update({word.lower() for word in WORD.findall(text) if word[0].isalpha()})
        count += 1
    return found, count


def _sources() -> Iterator[Iterable[str]]:
    """Abstracts and paragraphs: linguistics, information science, aerodynamics, physics and mathematics, our papers."""
    records = _lines(CORPUS / "metadata" / "acl-anthology-20000.jsonl.gz")
    yield (one["abstract"] for one in records if one.get("abstract"))
    for name in ("cisi", "cranfield"):
        yield (one["abstract"] for one in _lines(CORPUS / "search" / name / "docs.jsonl.gz") if one.get("abstract"))
    yield (
        re.sub(r"\{\{.*?\}\}", " ", part["text"])
        for one in _lines(CORPUS / "metadata" / "unarxive-sample.jsonl.gz")
        for part in one["body_text"]
    )
    papers = each_paper(_paper_text)
    for name in ("pmc", "jose", "pmlr", "ssoar", "rescience"):
        yield (part for paper, text in papers if paper.startswith(name) for part in _parts(text))


def _paper_text(paper: Paper) -> tuple[str, str]:
    return paper.gold["id"], text_of(paper.lines, paper.page_model.count)


def _lines(file: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def _parts(text: str, size: int = 1200) -> Iterator[str]:
    for at in range(0, len(text), size):
        yield text[at : at + size]


def check() -> str:
    """Share of printed keywords in the text that are among the keyphrases."""
    total = equal = overlapping = papers = 0
    for pdf in sorted((CORPUS / "papers").glob("*.pdf")):
        try:
            found = read(pdf)
        except OpenseerError:
            continue
        text = _plain(" ".join([found.title, found.abstract, *(section.text for section in found.sections)]))
        printed = [keyword for keyword in map(_plain, found.keywords) if keyword in text]
        if len(found.keywords) < 3:
            continue
        ours = [_plain(phrase["text"]) for phrase in found.keyphrases]
        papers, total = papers + 1, total + len(printed)
        equal += sum(keyword in ours for keyword in printed)
        overlapping += sum(any(keyword in one or one in keyword for one in ours) for keyword in printed)
    return f"{papers} papers, {total} keywords: {equal / total:.1%} found, {overlapping / total:.1%} found in part"


def _plain(text: str) -> str:
    words = re.findall(r"[^\W_]+", text.lower())
    return f" {' '.join(map(singular, words))} "


if __name__ == "__main__":
    if sys.argv[1:] == ["--check"]:
        print(check())
    else:
        command(train_model, __doc__)
