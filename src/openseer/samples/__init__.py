"""Papers of our own, with everything about them known: for tests, measurements and a first look at the engine."""

from openseer.samples.inside import headings, inside
from openseer.samples.printing import make
from openseer.samples.sources import samples
from openseer.samples.truth import gold

__all__ = ["gold", "headings", "inside", "make", "names"]


def names() -> tuple[str, ...]:
    """The names of all samples, sorted."""
    return tuple(sorted(samples()))
