"""Lists of DOC: number formats and counters."""

from __future__ import annotations

from openseer.extract.office.numbering import ListCounter, ListLevel
from openseer.extract.ole.container import DAMAGES, u16, u32
from openseer.extract.ole.word_text import LIST_OVERRIDES, LISTS, WordFile

FORMS = {0: "decimal", 1: "upperRoman", 2: "lowerRoman", 3: "upperLetter", 4: "lowerLetter", 23: "bullet", 255: "none"}
MAX_LISTS = 5000
LIST_BYTES, LEVEL_BYTES, OVERRIDE_BYTES = 28, 28, 16


class WordLists:
    """The lists of a document; paragraphs name them by numbers from 1."""

    def __init__(self, word: WordFile) -> None:
        self._counters: dict[int, ListCounter] = {}
        self._ids: list[int] = []
        try:
            self._read_lists(word.pair(LISTS), word.after_pair(LISTS) if word.has_formatting else b"")
            overrides = word.pair(LIST_OVERRIDES)
            count = min(u32(overrides, 0), MAX_LISTS) if len(overrides) > 4 else 0
            self._ids = [u32(overrides, 4 + OVERRIDE_BYTES * number) for number in range(count)]
        except DAMAGES:
            pass  # the lists so far

    def _read_lists(self, lists: bytes, levels: bytes) -> None:
        at = 0
        for number in range(min(u16(lists, 0), MAX_LISTS) if len(lists) > 2 else 0):
            start = 2 + LIST_BYTES * number
            found: dict[int, ListLevel] = {}
            for level in range(1 if lists[start + 26] & 1 else 9):
                found[level], at = _level(levels, at)
            self._counters[u32(lists, start)] = ListCounter(found)

    def marker(self, list_number: int, level: int) -> str:
        """Printed number of the next item of a list; "" for no list."""
        if not 0 < list_number <= len(self._ids):
            return ""
        counter = self._counters.get(self._ids[list_number - 1])
        return counter.next_marker(level) if counter else ""


def _level(data: bytes, at: int) -> tuple[ListLevel, int]:
    """A level, and the offset after it."""
    start, form = u32(data, at), data[at + 4]
    text_at = at + LEVEL_BYTES + data[at + 24] + data[at + 25]
    length = u16(data, text_at)
    end = text_at + 2 + 2 * length
    text = data[text_at + 2 : end].decode("utf-16-le", "replace")
    pattern = "".join(f"%{ord(one) + 1}" if ord(one) < 9 else one for one in text)
    return ListLevel(FORMS.get(form, "decimal"), pattern, min(start, 1_000_000)), end
