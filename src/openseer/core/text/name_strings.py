"""Author-name strings: printed form and facet key."""

from __future__ import annotations

from openseer.core.text.normalize import squeezed


def names_of(authors: tuple[tuple[str, str], ...]) -> tuple[str, ...]:
    """Printed names of (family, given) pairs."""
    return tuple(f"{given} {family}".strip() for family, given in authors)


def person_key(family: str, given: str) -> str:
    """Facet key of a name: normalised family name and initial."""
    return f"{squeezed(family)} {squeezed(given)[:1]}".strip()
