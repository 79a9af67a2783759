"""Bigram segmentation for scripts without spaces: Thai, Japanese, Chinese, Korean."""

from __future__ import annotations

import re

UNSPACED_SCRIPTS = re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff]+")
"""Runs of Thai, Japanese, Chinese and Korean characters."""
LEAD_BYTES = bytes([0xE0, *range(0xE3, 0xEE), 0xEF])
"""First UTF-8 bytes of these characters, and of few others: a fast prefilter for long texts."""


def bigrams(run: str) -> list[str]:
    """Overlapping bigrams of a run of characters; a single character is returned as it is.

    >>> bigrams("数字图书"), bigrams("数")
    (['数字', '字图', '图书'], ['数'])
    """
    return [run[at : at + 2] for at in range(max(1, len(run) - 1))]


def with_bigrams(text: str) -> str:
    """A text in which runs of these scripts are split into bigrams."""
    return (
        UNSPACED_SCRIPTS.sub(lambda found: f" {' '.join(bigrams(found[0]))} ", text)
        if _may_have_unspaced_scripts(text)
        else text
    )


def _may_have_unspaced_scripts(text: str) -> bool:
    if text.isascii():
        return False
    encoded = text.encode("utf-8", "surrogatepass")
    return len(encoded.translate(None, LEAD_BYTES)) < len(encoded)
