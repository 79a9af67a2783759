"""Entity resolution of new and unlinked descriptions: block, prefilter, score, link, cluster."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from openseer.core.model.description import MatchFields
from openseer.match import blocking_keys, pairwise
from openseer.match.components import disconnected_pieces, groups_of, moves_of
from openseer.match.sketch import read_sketch, sketch_of
from openseer.storage.protocols.records import Affected, Records, Writer

VERSION = 1000 * blocking_keys.VERSION + pairwise.VERSION
"""Version of keys and matcher, stored with each description; `openseer recluster` resolves those with a lower one."""
BATCH_DESCRIPTIONS = 500
"""Descriptions resolved again in one transaction, so that other writers get their turn."""
Pair = tuple[str, str]


def resolve(writer: Writer, keys_of: Mapping[str, Collection[str]], affected: Affected) -> None:
    """Index the blocking keys of new descriptions, score their candidate pairs, store the best links, re-cluster."""
    blocks = block(writer, keys_of, affected)
    pairs = prefilter(writer, {(min(one, other), max(one, other)) for one in blocks for other in blocks[one]})
    fields = writer.descriptions({name for pair in pairs for name in pair})
    best = link(writer, blocks, score(fields, pairs))
    writer.put_links(pairwise.links_of((low, high, odds, fields[low], fields[high]) for low, high, odds in best))
    recluster(writer, {*affected.new, *affected.unlinked, *blocks})


def block(writer: Writer, keys_of: Mapping[str, Collection[str]], affected: Affected) -> dict[str, set[str]]:
    """Store the keys of new descriptions; returns the block members of all descriptions to be matched."""
    new = {name: keys_of[name] for name in sorted(affected.new) if name in keys_of}
    sketches = {name: sketch_of(fields) for name, fields in writer.descriptions(new).items()}
    blocks = writer.index_keys(new, sketches, VERSION)
    again = affected.new - blocks.keys()  # reinstated: their keys are stored
    if affected.unlinked:
        component = writer.component({*affected.unlinked}.union(*affected.unlinked.values()))
        again = again | (disconnected_pieces(component, affected.unlinked) - blocks.keys())
    return {**blocks, **writer.block_members(again)}


def prefilter(writer: Writer, pairs: Collection[Pair]) -> list[Pair]:
    """The pairs of live descriptions whose sketches may match, in order; pairs without sketches pass."""
    stored = writer.sketches({name for pair in pairs for name in pair})
    sketches = {name: read_sketch(sketch) for name, sketch in stored.items()}
    passed = [
        (one, other)
        for one, other in pairs
        if one not in sketches or other not in sketches or pairwise.sketch_may_match(sketches[one], sketches[other])
    ]
    live = writer.live({name for pair in passed for name in pair})
    return sorted(pair for pair in passed if live.issuperset(pair))


def score(fields: Mapping[str, MatchFields], pairs: Sequence[Pair]) -> dict[Pair, float]:
    """The log-odds of the pairs that match: zero or more."""
    return {pair: odds for pair, odds in pairwise.log_odds(fields, pairs).items() if odds >= 0}


def link(
    writer: Writer, blocks: Mapping[str, Collection[str]], odds_of: Mapping[Pair, float]
) -> list[tuple[str, str, float]]:
    """The links worth storing: of each matched description the best with each work, ties by name.

    They connect the same components as all links would, and a work cited in a thousand spellings stores a thousand
    links instead of half a million."""
    works = writer.works_of({name for pair in odds_of for name in pair})
    best: dict[Pair, tuple[float, str, str]] = {}
    for (low, high), odds in odds_of.items():
        matched, other = (low, high) if high not in blocks else (high, low)
        place = (matched, other if other in blocks else works[other])
        best[place] = min(best.get(place, (-odds, low, high)), (-odds, low, high))
    return [(low, high, -odds) for odds, low, high in sorted(best.values())]


def recluster(writer: Writer, descriptions: Collection[str]) -> None:
    """Cluster the components of these descriptions again and store the works that hold them."""
    component = writer.component(descriptions)
    groups = groups_of(component, writer.descriptions)
    writer.put_works(moves_of(component.members, groups))


def merge_affected(parts: Iterable[Affected]) -> Affected:
    """The union of what several operations of one transaction affected."""
    every = list(parts)
    unlinked: dict[str, Collection[str]] = {}
    for one in every:
        for name, linked in one.unlinked.items():
            unlinked[name] = {*unlinked.get(name, ()), *linked}
    return Affected(frozenset().union(*(one.new for one in every)), unlinked)


def resolve_again(records: Records, everything: bool = False) -> Iterable[int]:
    """Resolve descriptions that an older version of keys or matcher resolved, or all; yields their number by batch."""
    version = VERSION + 1 if everything else VERSION
    after = ""
    while names := records.unresolved(version, after, BATCH_DESCRIPTIONS):
        with records.writing() as writer:
            writer.drop_links(names)
            keys_of = {name: blocking_keys.keys_of(fields) for name, fields in writer.descriptions(names).items()}
            resolve(writer, keys_of, Affected(new=frozenset(names), unlinked=dict.fromkeys(names, frozenset[str]())))
        after = names[-1]
        yield len(names)
