"""Escaping of BibTeX values: text, URLs and names."""

from __future__ import annotations

import re

ESCAPES = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\textbraceleft{}",
    "}": r"\textbraceright{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
}  # fmt: skip
"""Braces as commands: BibTeX counts escaped braces too."""
URL_ESCAPES = re.compile(r"[\\{}\"\s]|%(?![0-9A-Fa-f]{2})")
"""Characters that could end a value or begin a command; "%" only where it encodes nothing."""
NAME_SEPARATOR = re.compile(r",|(^|\s)and(\s|$)", re.IGNORECASE)


def bibtex_text(text: str) -> str:
    r"""Plain text as the value of a field.

    >>> print(bibtex_text(r"50% of {\input x}"))
    50\% of \textbraceleft{}\textbackslash{}input x\textbraceright{}
    """
    return "".join(ESCAPES.get(letter, letter) for letter in " ".join(text.split()))


def bibtex_url(url: str) -> str:
    """A URL or DOI as the value of a field; what BibTeX or TeX would interpret is percent-encoded.

    >>> bibtex_url("10.1000/a_b},x={y")
    '10.1000/a_b%7D,x=%7By'
    """
    return URL_ESCAPES.sub(lambda found: "".join(f"%{byte:02X}" for byte in found[0].encode()), url)


def bibtex_person(family: str, given: str) -> str:
    """A name as "family, given"; organisations and parts that BibTeX would split are in braces."""
    if not given:
        return f"{{{bibtex_text(family)}}}"
    parts = (bibtex_text(family), bibtex_text(given))
    return ", ".join(f"{{{part}}}" if NAME_SEPARATOR.search(part) else part for part in parts)
