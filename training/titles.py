"""Counts the words of titles, for `match/word_idf.py`.

    .venv/bin/python -m training.titles [--out DIR]

From lists not used to evaluate the matcher: the ACL Anthology, the 5,000 training records of reference strings, and two
search collections."""

from __future__ import annotations

import argparse
import gzip
import json
import math
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from openseer.core.text.normalize import words_of
from openseer.match.word_idf import FILE, RAREST
from training.growing import CORPUS

LISTS = (
    ("metadata/acl-anthology-20000.jsonl.gz", "title", 20_000),
    ("dedup/reference-doi.jsonl.gz", "atitle", 5_000),
    ("search/cisi/docs.jsonl.gz", "title", 2_000),
    ("search/cranfield/docs.jsonl.gz", "title", 2_000),
)
"""File, field of the title, and number of lines used."""


def titles() -> Iterator[str]:
    for file, field, most in LISTS:
        for line in gzip.decompress((CORPUS / file).read_bytes()).splitlines()[:most]:
            yield str(json.loads(line).get(field) or "")


def weights(printed: Iterable[str]) -> list[list[str]]:
    """The words of each IDF below RAREST, from 0 on: log2 of the document frequency of the most common word divided by
    that of the word."""
    counts = Counter(word for title in set(printed) for word in set(words_of(title)) if word.isalpha())
    most = max(counts.values())
    found: list[list[str]] = [[] for _ in range(RAREST)]
    for word, count in sorted(counts.items()):
        weight = round(math.log2(most / count))
        if len(word) > 1 and weight < RAREST:
            found[weight].append(word)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=FILE.parent)
    lines = "".join(" ".join(words) + "\n" for words in weights(titles()))
    (parser.parse_args().out / FILE.name).write_bytes(gzip.compress(lines.encode(), mtime=0))


if __name__ == "__main__":
    main()
