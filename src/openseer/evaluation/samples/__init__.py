"""Papers of our own, with everything about them known: for tests, measurements and a first look at the engine."""

from openseer.evaluation.samples.compile import make
from openseer.evaluation.samples.full_text_gold import full_text_gold, headings
from openseer.evaluation.samples.header_gold import gold
from openseer.evaluation.samples.sources import samples

__all__ = ["full_text_gold", "gold", "headings", "make", "names"]


def names() -> tuple[str, ...]:
    """The names of all samples, sorted."""
    return tuple(sorted(samples()))
