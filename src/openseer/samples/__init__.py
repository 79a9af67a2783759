"""Papers of our own, with everything about them known: for tests, measurements and a first look at the engine."""

from openseer.samples.printing import make
from openseer.samples.sources import samples
from openseer.samples.truth import gold

__all__ = ["gold", "make", "names"]


def names() -> tuple[str, ...]:
    """The names of all samples, sorted."""
    return tuple(sorted(samples()))
