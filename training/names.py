"""Collect common given and family names of authors, for the line features.

.venv/bin/python -m training.names [--out DIR]
"""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter
from pathlib import Path

from training.growing import CORPUS, command

MIN_AUTHORS, MAX_WORD_COUNT = 3, 20
"""Minimum number of authors with the name, and maximum count as a common word."""


def train_model(out: Path, leave_out: frozenset[str] = frozenset()) -> None:
    """Write names.txt: given names, an empty line, family names."""
    given, family, common = Counter[str](), Counter[str](), Counter[str]()
    with gzip.open(CORPUS / "metadata" / "acl-anthology-20000.jsonl.gz", "rt", encoding="utf-8") as lines:
        for record in map(json.loads, lines):
            for words in map(str.split, record["authors"]):
                given.update(part for word in words[:-1] for part in word.split("-") if _is_name(part))
                family.update(part for part in words[-1].split("-") if len(words) > 1 and _is_name(part))
            abstract = re.findall(r"[^\W\d_]+", record.get("abstract") or "")
            common.update(word for word in abstract if word.islower())
    lists = (sorted(name for name in names if _is_frequent_name(name, names, common)) for names in (given, family))
    (out / "names.txt").write_text("\n\n".join(map("\n".join, lists)) + "\n", encoding="utf-8")


def _is_name(part: str) -> bool:
    return len(part) > 1 and part[0].isupper() and part.isalpha()


def _is_frequent_name(name: str, names: Counter[str], common: Counter[str]) -> bool:
    return names[name] >= MIN_AUTHORS and common[name.lower()] < MAX_WORD_COUNT


if __name__ == "__main__":
    command(train_model, __doc__)
