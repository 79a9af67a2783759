"""Sample papers with complete gold, for tests, evaluation and demonstration."""

from openseer.evaluation.samples.compile import make
from openseer.evaluation.samples.full_text_gold import full_text_gold, headings
from openseer.evaluation.samples.header_gold import gold
from openseer.evaluation.samples.sources import samples

__all__ = ["full_text_gold", "gold", "headings", "make", "names"]


def names() -> tuple[str, ...]:
    """Names of all samples, sorted."""
    return tuple(sorted(samples()))
