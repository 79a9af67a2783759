"""Scores of citation contexts against the sentences of deep gold: which were found, and at which entry they stand."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import Any

from openseer.evaluation.alignment import paired
from openseer.evaluation.metrics.header import entry_likeness, person_of, year_of
from openseer.evaluation.precision_recall import Tally
from openseer.evaluation.string_similarity import ALIKE, contained, overlapping, pieces, same_words, untexed

Entry = Mapping[str, Any]
SAME_STRING = 0.85
LONGEST = 1000
"""A longer text is no context."""
BEFORE, AFTER = 80, 40
"""Signs round a mention that may stand for its sentence."""
LEAST_TEXT = 20
SHARED = 0.25
"""Texts that share fewer pieces than this share of the shorter one do not fit: spares the search."""


def score_contexts(
    entries: Sequence[Entry], mentions: Sequence[Mapping[str, Any]], found: Sequence[Entry], tally: Tally
) -> None:
    """`mentions`: F1 over texts at the right entry, several of one sentence counting once; `mentions.link`: of the
    texts that fit a gold sentence and stand at an entry known to gold, the share that stand where they should."""
    texts = [(j, context.get("text") or "") for j, entry in enumerate(found) for context in entry.get("contexts") or []]
    known, fitting = known_entries(entries, found), _Sentences(mentions).fitting
    right, neutral, met = 0, 0, set[int]()
    contexts = dict.fromkeys((j, untexed(text)) for j, text in texts if len(text) <= LONGEST)
    for j, text in contexts:
        near = fitting(text)
        mine = {n for n in near if mentions[n]["ref"] == known.get(j, -1)}
        firm = {n for n in mine if not mentions[n].get("optional")}
        right += bool(firm)
        neutral += bool(mine) and not firm
        met |= firm
        if near and j in known:
            tally.share("mentions.link", bool(mine))
    too_long = sum(len(text) > LONGEST for _, text in texts)
    wanted = sum(not mention.get("optional") for mention in mentions)
    tally.both("mentions", (right, len(contexts) + too_long - neutral), (len(met), wanted))


class _Sentences:
    """The sentences of gold, each with the window round a mention and the mentions there."""

    def __init__(self, mentions: Sequence[Mapping[str, Any]]) -> None:
        self.mentions: dict[tuple[str, str], set[int]] = {}
        for number, mention in enumerate(mentions):
            text, (start, end) = mention["text"], mention["at"]
            window = text[max(0, start - BEFORE) : end + AFTER]
            self.mentions.setdefault((untexed(text), untexed(window)), set()).add(number)
        self.fitting = cache(self._fitting)

    def _fitting(self, text: str) -> set[int]:
        """The mentions in whose sentence or window a text is found, or that are found in it."""
        fitting = (numbers for texts, numbers in self.mentions.items() if any(fits(one, text) for one in texts))
        return set[int]().union(*fitting)


@lru_cache(2**14)
def fits(sentence: str, text: str) -> bool:
    """Whether a text is this sentence, for the most part."""
    if sentence in text:
        return True
    if len(text) < min(LEAST_TEXT, len(sentence)):
        return False
    shared = len(pieces(sentence) & pieces(text))
    return shared >= SHARED * min(len(sentence), len(text)) and overlapping(sentence, text) >= ALIKE


def known_entries(wanted: Sequence[Entry], given: Sequence[Entry]) -> dict[int, int]:
    """Found entry -> gold entry, by the fields; those that are left by their strings."""
    pairs = {j: i for i, j in paired(wanted, given, entry_likeness, ALIKE)}
    met = set(pairs.values())
    rest = [i for i in range(len(wanted)) if i not in met]
    other = [j for j in range(len(given)) if j not in pairs]
    more = paired([wanted[i] for i in rest], [given[j] for j in other], _same_string, SAME_STRING)
    return pairs | {other[b]: rest[a] for a, b in more}


def _same_string(gold: Entry, found: Entry) -> float:
    """The title in the printed string; without one, both strings with the same year and first author."""
    printed, title = untexed(found.get("raw")), untexed(gold.get("title"))
    if len(title) >= LEAST_TEXT and printed:
        return contained(title, printed, SAME_STRING) if len(title) <= len(printed) else 0.0
    needed = (person_of((gold.get("authors") or [""])[0])[0], year_of(gold.get("year")))
    if not printed or len(gold.get("raw") or "") < 15 or any(one not in printed for one in needed):
        return 0.0
    return same_words(*(" ".join(map(untexed, re.split(r"\W+", one["raw"]))) for one in (gold, found)))
