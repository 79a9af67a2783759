"""Metrics of citation contexts against full-text gold: sentences found, and entries they are attached to."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import Any

from openseer.evaluation.alignment import align
from openseer.evaluation.metrics.header import entry_similarity, person_of, year_of
from openseer.evaluation.precision_recall import Tally
from openseer.evaluation.string_similarity import (
    SIMILAR,
    contained,
    letters_of_latex,
    ngrams,
    overlapping,
    word_set_similarity,
)

Entry = Mapping[str, Any]
MIN_STRING_SIMILARITY = 0.85
MAX_LENGTH = 1000
"""Maximum characters of a context."""
BEFORE, AFTER = 80, 40
"""Characters before and after a mention that count as its sentence."""
MIN_LENGTH = 20
MIN_SHARED_NGRAMS = 0.25
"""Minimum share of common n-grams, of the shorter text: a fast prefilter."""


def score_contexts(
    entries: Sequence[Entry], mentions: Sequence[Mapping[str, Any]], found: Sequence[Entry], tally: Tally
) -> None:
    """Score `mentions`, F1 over contexts at the right entry (several of one sentence count once), and `mentions.link`,
    the share at the right entry of the contexts that match a gold sentence and are attached to an entry of gold."""
    texts = [(j, context.get("text") or "") for j, entry in enumerate(found) for context in entry.get("contexts") or []]
    gold_entry_of, find_matching = match_to_gold(entries, found), _Sentences(mentions).matching
    correct, neutral, recalled = 0, 0, set[int]()
    contexts = dict.fromkeys((j, letters_of_latex(text)) for j, text in texts if len(text) <= MAX_LENGTH)
    for j, text in contexts:
        matching = find_matching(text)
        at_entry = {n for n in matching if mentions[n]["ref"] == gold_entry_of.get(j, -1)}
        required = {n for n in at_entry if not mentions[n].get("optional")}
        correct += bool(required)
        neutral += bool(at_entry) and not required
        recalled |= required
        if matching and j in gold_entry_of:
            tally.share("mentions.link", bool(at_entry))
    too_long = sum(len(text) > MAX_LENGTH for _, text in texts)
    gold = sum(not mention.get("optional") for mention in mentions)
    tally.precision_recall("mentions", (correct, len(contexts) + too_long - neutral), (len(recalled), gold))


class _Sentences:
    """Gold sentences and windows around mentions, with their mentions."""

    def __init__(self, mentions: Sequence[Mapping[str, Any]]) -> None:
        self.mentions: dict[tuple[str, str], set[int]] = {}
        for number, mention in enumerate(mentions):
            text, (start, end) = mention["text"], mention["at"]
            window = text[max(0, start - BEFORE) : end + AFTER]
            self.mentions.setdefault((letters_of_latex(text), letters_of_latex(window)), set()).add(number)
        self.matching = cache(self._matching)

    def _matching(self, text: str) -> set[int]:
        """Mentions whose sentence or window contains a text, or is contained in it."""
        matching = (
            numbers for texts, numbers in self.mentions.items() if any(is_same_sentence(one, text) for one in texts)
        )
        return set[int]().union(*matching)


@lru_cache(2**14)
def is_same_sentence(sentence: str, text: str) -> bool:
    """True if a text is mostly this sentence."""
    if sentence in text:
        return True
    if len(text) < min(MIN_LENGTH, len(sentence)):
        return False
    shared = len(ngrams(sentence) & ngrams(text))
    return shared >= MIN_SHARED_NGRAMS * min(len(sentence), len(text)) and overlapping(sentence, text) >= SIMILAR


def match_to_gold(gold: Sequence[Entry], found: Sequence[Entry]) -> dict[int, int]:
    """Found entry -> gold entry, aligned by fields, then by the printed strings."""
    pairs = {j: i for i, j in align(gold, found, entry_similarity, SIMILAR)}
    recalled = set(pairs.values())
    gold_rest = [i for i in range(len(gold)) if i not in recalled]
    found_rest = [j for j in range(len(found)) if j not in pairs]
    by_string = align(
        [gold[i] for i in gold_rest], [found[j] for j in found_rest], _string_similarity, MIN_STRING_SIMILARITY
    )
    return pairs | {found_rest[b]: gold_rest[a] for a, b in by_string}


def _string_similarity(gold: Entry, found: Entry) -> float:
    """Similarity of title and printed string; without a title, of both strings if year and first author agree."""
    printed, title = letters_of_latex(found.get("raw")), letters_of_latex(gold.get("title"))
    if len(title) >= MIN_LENGTH and printed:
        return contained(title, printed, MIN_STRING_SIMILARITY) if len(title) <= len(printed) else 0.0
    needed = (person_of((gold.get("authors") or [""])[0])[0], year_of(gold.get("year")))
    if not printed or len(gold.get("raw") or "") < 15 or any(one not in printed for one in needed):
        return 0.0
    return word_set_similarity(
        *(" ".join(map(letters_of_latex, re.split(r"\W+", one["raw"]))) for one in (gold, found))
    )
