"""Where a long list goes on: the order key of the last work shown, or for relevance how many of a kept list were."""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass, replace

from openseer.core.errors import BadRequest
from openseer.core.model.query import SearchQuery
from openseer.storage.protocols.index import SearchHits

BEGIN = "*"


@dataclass(frozen=True, slots=True)
class Cursor:
    """A place in a list."""

    key: int | None = None
    """The order key from which on works are wanted."""
    skip: int = 0
    """How many of them were shown already."""
    list: str = ""
    """The kept list in which they are counted (`walking.py`)."""
    asked: str = ""
    """The question of the list, in few letters: a cursor goes on with no other."""

    @classmethod
    def of(cls, token: str) -> Cursor:
        """The place that a token names; "*" is the beginning."""
        if token == BEGIN:
            return cls()
        try:
            told = base64.urlsafe_b64decode(token.encode() + b"==").decode("ascii")
            key, skip, name, asked = told.split(":")
            return cls(int(key) if key else None, max(0, min(10**9, int(skip))), name, asked)
        except (ValueError, binascii.Error, UnicodeError):
            raise BadRequest(f"The cursor {token[:40]} is none of ours.", "Begin with cursor=*.") from None

    @property
    def token(self) -> str:
        """The place as readers carry it."""
        if replace(self, asked="") == Cursor():
            return ""
        told = f"{'' if self.key is None else self.key}:{self.skip}:{self.list}:{self.asked}"
        return base64.urlsafe_b64encode(told.encode("ascii")).decode("ascii").rstrip("=")

    def after(self, found: SearchHits, question: SearchQuery) -> Cursor:
        """Where the list goes on after an answer; the beginning again when this was all."""
        if len(found.hits) < question.limit:
            return Cursor()
        if question.sort == "relevance":
            return Cursor(None, question.offset + question.limit)
        last = found.hits[-1].order_key
        same = sum(hit.order_key == last for hit in found.hits)
        return Cursor(last, same + (self.skip if last == self.key else 0))
