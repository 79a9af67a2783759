"""Tables of contents: lines that lead by dots to a page number, and those that stand among them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from openseer.extract.layout.lines import Line

LEADER = re.compile(r"(?:\s?[.·…_]){4,}\s*(?:\d{1,4}|[ivxl]{1,6})?\s*$")
NUMBERED = re.compile(r"\s(?:\d{1,4}|[ivxl]{1,6})\s*$")
MANY = 4
"""So many leaders make a page one of contents."""


def toc_lines(lines: Sequence[Line]) -> set[int]:
    """The `id` of each line that is a part of a table of contents."""
    leaders = {id(line): line.page for line in lines if ".." in line.text or ". ." in line.text or "··" in line.text}
    leading = {id(line) for line in lines if id(line) in leaders and LEADER.search(line.text)}
    pages = Counter(leaders[one] for one in leading)
    listed = {page for page, count in pages.items() if count >= MANY}
    if not listed:
        return set()
    return leading | {id(line) for line in lines if line.page in listed and NUMBERED.search(line.text)}
