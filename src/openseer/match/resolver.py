"""Settling: descriptions that are new, or whose links were shaken, are judged and find their works."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from openseer.core.model.description import MatchLink
from openseer.match import blocking_keys, pairwise
from openseer.match.clustering import cluster
from openseer.match.sketch import read_sketch, sketch_of
from openseer.storage.protocols.records import Affected, Records, Writer

VERSION = 1000 * blocking_keys.VERSION + pairwise.VERSION
"""What a description was settled by; one settled by less is settled anew by `openseer recluster`."""
BATCH = 500
"""Descriptions settled anew in one transaction, so that others get their turn."""


def resolve(writer: Writer, keys_of: Mapping[str, Collection[str]], touched: Affected) -> None:
    """Enlist what is new under its keys, judge it and what was shaken against whom they meet, and regroup."""
    fresh = {name: keys_of[name] for name in sorted(touched.new) if name in keys_of}
    signs = {name: sketch_of(fields) for name, fields in writer.descriptions(fresh).items()}
    met = writer.index_keys(fresh, signs, VERSION)
    again = writer.disconnected_pieces(touched.unlinked) - met.keys() if touched.unlinked else set()
    again |= touched.new - met.keys()  # restored: its keys are known
    met |= writer.block_members(again)
    writer.put_links(_best_links(writer, met))
    writer.recluster(touched.new | touched.unlinked.keys() | again, cluster)


def merge_affected(touched: Iterable[Affected]) -> Affected:
    """What several operations of one transaction leave to be settled."""
    every = list(touched)
    shaken: dict[str, Collection[str]] = {}
    for one in every:
        for name, linked in one.unlinked.items():
            shaken[name] = {*shaken.get(name, ()), *linked}
    return Affected(frozenset().union(*(one.new for one in every)), shaken)


def _best_links(writer: Writer, met: Mapping[str, Collection[str]]) -> list[MatchLink]:
    """The joining verdicts worth keeping: of each newcomer the best with each work it meets.

    They connect what all of them would connect, and a work that thousands cite keeps one a description."""
    pairs = _unpruned(writer, {(min(one, other), max(one, other)) for one in met for other in met[one]})
    fields = writer.descriptions({name for pair in pairs for name in pair})
    joining = [(low, high, odds) for (low, high), odds in pairwise.log_odds(fields, pairs).items() if odds >= 0]
    roots = writer.works_of({name for low, high, _ in joining for name in (low, high)})
    best: dict[tuple[str, str], tuple[float, str, str]] = {}
    for low, high, odds in joining:
        newcomer, other = (low, high) if high not in met else (high, low)
        place = (newcomer, other if other in met else roots[other])
        best[place] = min(best.get(place, (-odds, low, high)), (-odds, low, high))
    return pairwise.links_of((low, high, -odds, fields[low], fields[high]) for odds, low, high in sorted(best.values()))


def _unpruned(writer: Writer, pairs: Collection[tuple[str, str]]) -> list[tuple[str, str]]:
    """The pairs of the living, in order, that may be one work by their signs; what has none is read."""
    kept = writer.sketches({name for pair in pairs for name in pair})
    signs = {name: read_sketch(sign) for name, sign in kept.items()}
    alike = [
        pair
        for pair in pairs
        if pair[0] not in signs or pair[1] not in signs or pairwise.sketch_may_match(signs[pair[0]], signs[pair[1]])
    ]
    live = writer.live({name for pair in alike for name in pair})
    return sorted(pair for pair in alike if live.issuperset(pair))


def resolve_again(records: Records, everything: bool = False) -> Iterable[int]:
    """Settle what older keys or an older matcher grouped, or all; how many after each transaction."""
    version = VERSION + 1 if everything else VERSION
    after = ""
    while names := records.unresolved(version, after, BATCH):
        with records.writing() as writer:
            writer.drop_links(names)
            held = {name: blocking_keys.keys_of(fields) for name, fields in writer.descriptions(names).items()}
            resolve(writer, held, Affected(new=frozenset(names), unlinked=dict.fromkeys(names, frozenset[str]())))
        after = names[-1]
        yield len(names)
