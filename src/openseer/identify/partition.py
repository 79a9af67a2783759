"""Partition: descriptions into works, from verdicts and constraints. Pure, and the same in any order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from openseer.identify.normal import plain_doi
from openseer.records.description import Constraint, MatchFields, Verdict

PREPRINT_DOIS = (
    "10.48550/",
    "10.1101/",
    "10.2139/",
    "10.5281/",
    "10.6084/",
    "10.20944/",
    "10.31219/",
    "10.31234/",
    "10.31235/",
)
"""Archives that give a DOI to a copy of a work that may have another one: evidence, never a conflict."""


def partition(
    fields: Mapping[str, MatchFields], verdicts: Sequence[Verdict], constraints: Sequence[Constraint]
) -> list[list[str]]:
    """Must-links first, then verdicts by falling score and pair, skipping a join that breaks something."""
    groups = {name: [name] for name in sorted(fields)}
    apart = {(bond.low, bond.high) for bond in constraints if not bond.must}
    for bond in sorted((bond.low, bond.high) for bond in constraints if bond.must):
        _join(groups, *bond)
    for verdict in sorted(verdicts, key=lambda v: (-v.score, v.low, v.high)):
        one, other = groups[verdict.low], groups[verdict.high]
        if one is not other and not _broken(one, other, apart) and not _conflict(one, other, fields):
            _join(groups, verdict.low, verdict.high)
    distinct = {id(group): group for group in groups.values()}
    return sorted(sorted(group) for group in distinct.values())


def _join(groups: dict[str, list[str]], low: str, high: str) -> None:
    one, other = groups[low], groups[high]
    if one is other:
        return
    if len(one) < len(other):
        one, other = other, one
    one.extend(other)
    for name in other:
        groups[name] = one


def _broken(one: list[str], other: list[str], apart: set[tuple[str, str]]) -> bool:
    """Whether a person said that some of these are not the same."""
    if not apart:
        return False
    return any(tuple(sorted((a, b))) in apart for a in one for b in other)


def _conflict(one: list[str], other: list[str], fields: Mapping[str, MatchFields]) -> bool:
    """Two publishers' DOIs printed in headers cannot be of one work."""
    mine, theirs = _published_dois(one, fields), _published_dois(other, fields)
    return bool(mine and theirs and mine != theirs)


def _published_dois(group: list[str], fields: Mapping[str, MatchFields]) -> set[str]:
    headers = (name for name in group if name.startswith("d"))
    dois = (plain_doi(fields[name].doi) for name in headers)
    return {doi for doi in dois if doi and not doi.startswith(PREPRINT_DOIS)}
