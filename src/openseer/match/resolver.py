"""Settling: descriptions that are new, or whose links were shaken, are judged and find their works."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from openseer.core.model.description import Verdict
from openseer.match import blocking_keys, pairwise
from openseer.match.clustering import partition
from openseer.match.sketch import read_sign, sign_of
from openseer.storage.protocols.records import Records, Touched, Writer

VERSION = 1000 * blocking_keys.VERSION + pairwise.VERSION
"""What a description was settled by; one settled by less is settled anew by `openseer recluster`."""
BATCH = 500
"""Descriptions settled anew in one transaction, so that others get their turn."""


def settle(writer: Writer, keys_of: Mapping[str, Collection[str]], touched: Touched) -> None:
    """Enlist what is new under its keys, judge it and what was shaken against whom they meet, and regroup."""
    fresh = {name: keys_of[name] for name in sorted(touched.fresh) if name in keys_of}
    signs = {name: sign_of(fields) for name, fields in writer.descriptions(fresh).items()}
    met = writer.enlist(fresh, signs, VERSION)
    again = writer.fragments(touched.shaken) - met.keys() if touched.shaken else set()
    again |= touched.fresh - met.keys()  # restored: its keys are known
    met |= writer.neighbours(again)
    writer.put_verdicts(_best(writer, met))
    writer.regroup(touched.fresh | touched.shaken.keys() | again, partition)


def together(touched: Iterable[Touched]) -> Touched:
    """What several operations of one transaction leave to be settled."""
    every = list(touched)
    shaken: dict[str, Collection[str]] = {}
    for one in every:
        for name, linked in one.shaken.items():
            shaken[name] = {*shaken.get(name, ()), *linked}
    return Touched(frozenset().union(*(one.fresh for one in every)), shaken)


def _best(writer: Writer, met: Mapping[str, Collection[str]]) -> list[Verdict]:
    """The joining verdicts worth keeping: of each newcomer the best with each work it meets.

    They connect what all of them would connect, and a work that thousands cite keeps one a description."""
    pairs = _worth_reading(writer, {(min(one, other), max(one, other)) for one in met for other in met[one]})
    fields = writer.descriptions({name for pair in pairs for name in pair})
    joining = [(low, high, odds) for (low, high), odds in pairwise.odds_of(fields, pairs).items() if odds >= 0]
    roots = writer.roots({name for low, high, _ in joining for name in (low, high)})
    best: dict[tuple[str, str], tuple[float, str, str]] = {}
    for low, high, odds in joining:
        newcomer, other = (low, high) if high not in met else (high, low)
        place = (newcomer, other if other in met else roots[other])
        best[place] = min(best.get(place, (-odds, low, high)), (-odds, low, high))
    return pairwise.verdicts((low, high, -odds, fields[low], fields[high]) for odds, low, high in sorted(best.values()))


def _worth_reading(writer: Writer, pairs: Collection[tuple[str, str]]) -> list[tuple[str, str]]:
    """The pairs of the living, in order, that may be one work by their signs; what has none is read."""
    kept = writer.signs({name for pair in pairs for name in pair})
    signs = {name: read_sign(sign) for name, sign in kept.items()}
    alike = [
        pair
        for pair in pairs
        if pair[0] not in signs or pair[1] not in signs or pairwise.may_be_worth_asking(signs[pair[0]], signs[pair[1]])
    ]
    live = writer.live({name for pair in alike for name in pair})
    return sorted(pair for pair in alike if live.issuperset(pair))


def settle_anew(records: Records, everything: bool = False) -> Iterable[int]:
    """Settle what older keys or an older matcher grouped, or all; how many after each transaction."""
    version = VERSION + 1 if everything else VERSION
    after = ""
    while names := records.unsettled(version, after, BATCH):
        with records.writing() as writer:
            writer.drop_verdicts(names)
            held = {name: blocking_keys.keys_of(fields) for name, fields in writer.descriptions(names).items()}
            settle(writer, held, Touched(fresh=frozenset(names), shaken=dict.fromkeys(names, frozenset[str]())))
        after = names[-1]
        yield len(names)
