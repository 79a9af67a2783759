"""The desk where questions are answered: and from memory when nothing changed."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict

from openseer.search.ranking.linear_model import Reranker
from openseer.search.service import Answered, Asked, ask
from openseer.search.similar import Holdings

KEPT_SECONDS = 600.0
"""How long an answer is remembered, while the index stays as it is."""


class Desk:
    """Answers questions of one library; safe to be used by several threads."""

    def __init__(self, holdings: Holdings, kept: int = 256) -> None:
        self._holdings, self._most = holdings, kept
        self._lock = threading.Lock()
        self._answers: OrderedDict[tuple[str, Reranker, Asked], tuple[float, Answered]] = OrderedDict()

    def answer(self, asked: Asked) -> Answered:
        """The answer to a question; the same one for ten minutes, unless the index or the weights have
        changed. Who walks through a list has a list of their own."""
        if not self._most or asked.cursor:
            return ask(self._holdings, asked)
        key = (self._holdings.index.generation, self._holdings.reranker(), asked)
        with self._lock:
            found = self._answers.get(key)
        if found and found[0] > time.monotonic():
            return found[1]
        answered = ask(self._holdings, asked)
        with self._lock:
            self._answers[key] = (time.monotonic() + KEPT_SECONDS, answered)
            while len(self._answers) > self._most:
                self._answers.popitem(last=False)
        return answered
