"""Tokens of RTF: groups, control words, bytes and text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

TOKEN = re.compile(
    rb"\\([a-zA-Z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-fA-F]{2})|\\(.)|([{}])|([^\\{}\r\n]+)|[\r\n]+|(\\)", re.S
)


class Token(NamedTuple):
    """One token."""

    kind: str
    """"word", "byte", "symbol", "open", "close" or "text"."""
    value: bytes = b""
    number: int | None = None


class Tokens:
    """Tokens of a file in order; groups can be skipped."""

    def __init__(self, data: bytes) -> None:
        self._data, self._at = data, 0

    def __iter__(self) -> Iterator[Token]:
        match = TOKEN.match
        while found := match(self._data, self._at):
            self._at = found.end()
            word, number, code, symbol, brace, text, _ = found.groups()
            if word:
                value = int(number) if number else None
                if word == b"bin":
                    self._at += max(0, value or 0)
                else:
                    yield Token("word", word, value)
            elif code:
                yield Token("byte", bytes([int(code, 16)]))
            elif text:
                yield Token("text", text)
            elif brace:
                yield Token("open" if brace == b"{" else "close")
            elif symbol:
                yield Token("symbol", symbol)

    def skip_group(self) -> None:
        """Skip the rest of the current group; its closing brace comes next."""
        depth = 0
        while found := SKIPPED.search(self._data, self._at):
            mark = found[0]
            if mark == b"}" and not depth:
                self._at = found.start()
                return
            self._at = found.end()
            if mark == b"{":
                depth += 1
            elif mark == b"}":
                depth -= 1
            elif found[1]:
                self._at += int(found[1])
        self._at = len(self._data)


SKIPPED = re.compile(rb"\\bin(\d{1,10}) ?|\\.|[{}]", re.S)
"""What counts when a group is skipped."""
