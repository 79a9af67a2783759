"""Scripts that put no spaces between words: their signs are taken two at a time."""

from __future__ import annotations

import re

UNSPACED_SCRIPTS = re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff]+")
"""Thai, Japanese, Chinese and Korean signs."""
LEADS = bytes([0xE0, *range(0xE3, 0xEE), 0xEF])
"""The first bytes of such signs in UTF-8, and of few others: long texts without them are told in no time."""


def bigrams(run: str) -> list[str]:
    """The overlapping pairs of a run of signs; one that stands alone is itself.

    >>> bigrams("数字图书"), bigrams("数")
    (['数字', '字图', '图书'], ['数'])
    """
    return [run[at : at + 2] for at in range(max(1, len(run) - 1))]


def with_bigrams(text: str) -> str:
    """A text with spaces between the pairs of such signs."""
    return UNSPACED_SCRIPTS.sub(lambda found: f" {' '.join(bigrams(found[0]))} ", text) if _may_need_it(text) else text


def _may_need_it(text: str) -> bool:
    if text.isascii():
        return False
    encoded = text.encode("utf-8", "surrogatepass")
    return len(encoded.translate(None, LEADS)) < len(encoded)
