"""Repair of fonts that encode ligatures as V, W, X, Y, so that "different" reads "diVerent"."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace

from openseer.extract.pdf.page_model import Page, PageModel

LIGATURE_OF_LETTER = {"V": "ff", "W": "fi", "X": "fl", "Y": "ffi"}
LIGATURE_INSIDE = re.compile(r"(?<=[a-z])[VWXY](?=[a-z])")
WORD = re.compile(r"(?<![A-Za-z])[A-Za-z]*[a-z][VWXY][a-z]+")
_PROOF_WORD_LIST = """
affect affected conflict confirmed defined definition difference differences different difficult effect effects
efficient identified influence modified profile reflect scientific significant significantly specific specified
sufficient classification
"""
PROOF_WORDS = frozenset(_PROOF_WORD_LIST.split())
"""Common words, some of which occur in every text with broken ligatures."""
SUSPECT_PARTS = ("diVer", "eVect", "signiWc", "speciWc", "conWrm", "inXuen", "deWn", "identiW", "classiW", "scientiW")
MAX_PAGES_CHECKED = 4
LIGATURE_AT_START = re.compile(
    r"\bW(?=(?:rst|ve|nd|nding|ndings|eld|elds|nal|nally|gure|xed|lm|lms|ber|bers|lled|t|tted|tness)\b)"
)


def repair_ligatures(page_model: PageModel) -> PageModel:
    """The page model with ligatures repaired and a warning added, or unchanged."""
    if not any(_is_suspect(page) for page in page_model.pages[:MAX_PAGES_CHECKED]):
        return page_model
    text = " ".join([word.text for page in page_model.pages for word in page.words])
    found = Counter(WORD.findall(text))
    proven = [word for word in found if _repair_text(word) in PROOF_WORDS]
    if len(found) < 8 or len(proven) < 3:
        return page_model
    warning = f"The fonts encode some ligatures as other letters ({proven[0]}); they were repaired."
    return replace(
        page_model, pages=tuple(map(_repair_page, page_model.pages)), warnings=(*page_model.warnings, warning)
    )


def _is_suspect(page: Page) -> bool:
    """Fast check for parts of common words with broken ligatures."""
    text = " ".join([word.text for word in page.words])
    return any(wrong in text for wrong in SUSPECT_PARTS)


def _repair_text(text: str) -> str:
    """
    >>> _repair_text("signiWcantly diVerent in the Wrst")
    'significantly different in the first'
    """
    return LIGATURE_AT_START.sub("fi", LIGATURE_INSIDE.sub(lambda wrong: LIGATURE_OF_LETTER[wrong.group()], text))


def _repair_page(page: Page) -> Page:
    words = tuple(word._replace(text=_repair_text(word.text)) for word in page.words)
    return replace(page, words=words)
