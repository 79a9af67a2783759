"""Tables of contents: lines with dot leaders to a page number, and the numbered lines among them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from openseer.extract.layout.lines import Line

DOT_LEADER = re.compile(r"(?<![.·…_])(?<![.·…_]\s)(?:\s?[.·…_]){4,}+\s*+(?:\d{1,4}|[ivxl]{1,6})?\s*+$")
"""Begins only where a run of dots begins: linear in the length of the line."""
NUMBERED = re.compile(r"\s(?:\d{1,4}|[ivxl]{1,6})\s*$")
MIN_LEADERS = 4
"""Dot leaders on a page of contents."""


def toc_lines(lines: Sequence[Line]) -> set[int]:
    """The `id` of each line of a table of contents."""
    candidate_pages = {
        id(line): line.page for line in lines if ".." in line.text or ". ." in line.text or "··" in line.text
    }
    leader_lines = {id(line) for line in lines if id(line) in candidate_pages and DOT_LEADER.search(line.text)}
    pages = Counter(candidate_pages[one] for one in leader_lines)
    toc_pages = {page for page, count in pages.items() if count >= MIN_LEADERS}
    if not toc_pages:
        return set()
    return leader_lines | {id(line) for line in lines if line.page in toc_pages and NUMBERED.search(line.text)}
