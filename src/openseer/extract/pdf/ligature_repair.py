"""Puts right what a font calls by wrong names: some call their ligatures V, W, X, Y: "different" reads "diVerent"."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace

from openseer.extract.pdf.page_model import Page, PageModel

WRONG = {"V": "ff", "W": "fi", "X": "fl", "Y": "ffi"}
INSIDE = re.compile(r"(?<=[a-z])[VWXY](?=[a-z])")
WORD = re.compile(r"[A-Za-z]*[a-z][VWXY][a-z]+")
_PROOF = """
affect affected conflict confirmed defined definition difference differences different difficult effect effects
efficient identified influence modified profile reflect scientific significant significantly specific specified
sufficient classification
"""
PROOF = frozenset(_PROOF.split())
"""Words so common that a text with wrong ligatures has some of them."""
SUSPECT = ("diVer", "eVect", "signiWc", "speciWc", "conWrm", "inXuen", "deWn", "identiW", "classiW", "scientiW")
LOOKED_AT = 4
"""Pages."""
STARTS = re.compile(
    r"\bW(?=(?:rst|ve|nd|nding|ndings|eld|elds|nal|nally|gure|xed|lm|lms|ber|bers|lled|t|tted|tness)\b)"
)


def repaired(sheets: PageModel) -> PageModel:
    """The same pages with the letters meant; a warning tells of it."""
    if not any(_is_suspect(page) for page in sheets.pages[:LOOKED_AT]):
        return sheets
    text = " ".join([word.text for page in sheets.pages for word in page.words])
    found = Counter(WORD.findall(text))
    proven = [word for word in found if _repaired(word) in PROOF]
    if len(found) < 8 or len(proven) < 3:
        return sheets
    told = f"The fonts call some ligatures by other letters ({proven[0]}); they were put right."
    return replace(sheets, pages=tuple(map(_page, sheets.pages)), warnings=(*sheets.warnings, told))


def _is_suspect(page: Page) -> bool:
    """A quick look for some of the words that would be spelled wrong."""
    text = " ".join([word.text for word in page.words])
    return any(wrong in text for wrong in SUSPECT)


def _repaired(text: str) -> str:
    """
    >>> _repaired("signiWcantly diVerent in the Wrst")
    'significantly different in the first'
    """
    return STARTS.sub("fi", INSIDE.sub(lambda wrong: WRONG[wrong.group()], text))


def _page(page: Page) -> Page:
    words = tuple(word._replace(text=_repaired(word.text)) for word in page.words)
    return replace(page, words=words)
