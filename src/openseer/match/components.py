"""Components of linked descriptions: their groups, the work ids of the groups, and pieces that became disconnected."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from openseer.core.connected_components import connected_components
from openseer.core.model.description import MatchFields
from openseer.match.clustering import cluster
from openseer.storage.protocols.records import ClusterMember, Component, Move


def groups_of(
    component: Component, fields_of: Callable[[Collection[str]], Mapping[str, MatchFields]]
) -> list[list[str]]:
    """The live descriptions, one group for each work; only those with a link or constraint are clustered."""
    live = {name for name, member in component.members.items() if member.live}
    links = [one for one in component.links if one.low in live and one.high in live]
    constraints = [one for one in component.constraints if one.low in live and one.high in live]
    pairs = [*((one.low, one.high) for one in links), *((one.low, one.high) for one in constraints)]
    connected = {name for pair in pairs for name in pair}
    alone = [[name] for name in sorted(live - connected)]
    return alone + cluster(fields_of(connected), links, constraints) if connected else alone


def moves_of(members: Mapping[str, ClusterMember], groups: Iterable[Sequence[str]]) -> list[Move]:
    """The descriptions whose work changes.

    A work has the id of its oldest live description; a description that is not live follows its oldest companion."""

    def age(name: str) -> tuple[int, str]:
        return members[name].created_ms, name

    works: dict[str, str] = {}
    for group in groups:
        works.update(dict.fromkeys(group, members[min(group, key=age)].minted_id))
    successors: dict[str, str] = {}
    for name in sorted(works, key=age):
        successors.setdefault(members[name].canonical_id, works[name])
    for name, member in members.items():
        if not member.live and member.canonical_id in successors:
            works[name] = successors[member.canonical_id]
    return [
        Move(name, members[name].canonical_id, work)
        for name, work in works.items()
        if work != members[name].canonical_id
    ]


def disconnected_pieces(component: Component, unlinked: Mapping[str, Collection[str]]) -> set[str]:
    """Live descriptions that lost their connection: all pieces of each former component but the largest.

    Only the best link between a description and a work is stored, so when one is deleted others may have to be
    matched again; every pair that could be missing has an end in one of these pieces."""
    members = component.members
    names = {*members, *unlinked, *(other for others in unlinked.values() for other in others)}
    edges = [(one.low, one.high) for one in component.links]
    edges += [(one.low, one.high) for one in component.constraints]
    deleted = [(name, other) for name, others in unlinked.items() for other in others]
    memberships = [(name, member.canonical_id) for name, member in members.items()]
    works = (work for _, work in memberships)
    before = connected_components([*names, *works], [*edges, *deleted, *memberships])
    component_of = {name: number for number, group in enumerate(before) for name in group}
    live = {name for name, member in members.items() if member.live}
    largest: dict[int, list[str]] = {}
    for piece in connected_components(live, [pair for pair in edges if live.issuperset(pair)]):
        number = component_of[piece[0]]
        largest[number] = max(largest.get(number, piece), piece, key=lambda one: (len(one), one))
    return live.difference(*largest.values())
